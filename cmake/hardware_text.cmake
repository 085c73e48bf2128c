# Writes OUT: gpol::shipped_hardware(). Run by Hardware.cmake. The text is only ever appended to a string, never put into
# a list: it holds semicolons.
file(READ "${TEXT}" body)
set(text "#include \"compiler/policy/catalogue.h\"\n\nnamespace gpol {\n\n")
string(APPEND text "std::string_view shipped_hardware() {\n  return R\"gpolhardware(${body})gpolhardware\";\n}\n\n}  // namespace gpol\n")
file(WRITE "${OUT}" "${text}")
