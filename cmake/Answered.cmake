# The tables of what was proven before gpol is built, compiled in as C++. A line of answered.table (checker/guards/answered.h): the
# digest of the bad request, that of the whole question, and those of the validations; of lemmas.table
# (checker/families/lemma_book.h): the digest of the formula, and the numbers of the facts that it needs. Behind `#` stands what it is about.
function(gpol_table target table header type name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${table})
  file(STRINGS ${CMAKE_SOURCE_DIR}/${table} lines REGEX "^[0-9a-f]")
  set(rows "")
  foreach(line IN LISTS lines)
    if(type STREQUAL "AnsweredQuestion")
      string(REGEX REPLACE "^([0-9a-f]+) ([0-9a-f]+) ([0-9a-f ]+[0-9a-f]) *#.*$" "    {\"\\1\", \"\\3\", \"\\2\"},\n" row "${line}")
    else()
      string(REGEX REPLACE "^([0-9a-f]+) ([0-9 ]*)#.*$" "    {\"\\1\", \"\\2\"},\n" row "${line}")
    endif()
    string(APPEND rows "${row}")
  endforeach()
  set(made ${CMAKE_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${made} CONTENT "#include \"${header}\"

namespace gpol {

namespace {

constexpr ${type} kRows[] = {
    {},
${rows}};

}  // namespace

const std::span<const ${type}> ${name}(kRows);

}  // namespace gpol
" @ONLY)
  target_sources(${target} PRIVATE ${made})
endfunction()

gpol_table(gpol_guards checker/guards/answered.table checker/guards/answered.h AnsweredQuestion kAnsweredQuestions)
gpol_table(gpol_checker checker/families/lemmas.table checker/families/lemma_book.h ProvenFormula kProvenFormulas)
