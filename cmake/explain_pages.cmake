# Writes OUT: gpol::explain_pages(), a table of code and page. Run by Explain.cmake.
set(text "#include <span>\n#include <string_view>\n#include <utility>\n\nnamespace gpol {\n"
  "extern const std::pair<std::string_view, std::string_view> kExplainPages[];\n"
  "extern const unsigned kExplainPageCount;\n"
  "const std::pair<std::string_view, std::string_view> kExplainPages[] = {\n")
set(n 0)
list(SORT PAGES)
foreach(page IN LISTS PAGES)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} body)
  list(APPEND text "{\"${code}\", R\"gpolpage(${body})gpolpage\"},\n")
  math(EXPR n "${n}+1")
endforeach()
list(APPEND text "{\"\", \"\"}};\nconst unsigned kExplainPageCount = ${n};\n}  // namespace gpol\n")
string(JOIN "" joined ${text})
file(WRITE ${OUT} "${joined}")
