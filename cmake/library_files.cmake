# Writes OUT: the table behind gpol::library(). Run by Library.cmake. Texts are only ever appended to a string, never put
# into a list: they may hold semicolons.
set(text "#include \"cli/commands/library.h\"\n\nnamespace gpol {\n\nnamespace {\n")
string(APPEND text "constexpr LibraryFile kFiles[] = {\n")
list(SORT FILES)
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" body)
  string(APPEND text "    {\"gpol/${name}\", R\"gpollibrary(${body})gpollibrary\"},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const LibraryFile> library() { return kFiles; }\n\n}  // namespace gpol\n")
file(WRITE "${OUT}" "${text}")
