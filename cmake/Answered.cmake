# The table of answered questions about guards, compiled in (checker/guards/answered.h). A line: the digest of the bad
# request, that of the whole question, `sizes` or `-`, and those of the validations; behind `#` what it is about.
set(ANSWERED_TABLE ${CMAKE_SOURCE_DIR}/checker/guards/answered.table)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ANSWERED_TABLE})
set(ANSWERED_CPP ${CMAKE_BINARY_DIR}/answered_table.cpp)
file(STRINGS ${ANSWERED_TABLE} lines REGEX "^[0-9a-f]")
set(rows "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^([0-9a-f]+) ([0-9a-f]+) ([a-z-]+) ([0-9a-f ]+[0-9a-f]) *#.*$" "    {\"\\1\", \"\\4\", \"\\2\", \\3},\n" row "${line}")
  string(APPEND rows "${row}")
endforeach()
string(REPLACE ", sizes}" ", true}" rows "${rows}")
string(REPLACE ", -}" ", false}" rows "${rows}")
file(CONFIGURE OUTPUT ${ANSWERED_CPP} CONTENT "#include \"checker/guards/answered.h\"

namespace gpol {

namespace {

constexpr AnsweredQuestion kRows[] = {
    {},
${rows}};

}  // namespace

const std::span<const AnsweredQuestion> kAnsweredQuestions(kRows);

}  // namespace gpol
" @ONLY)
