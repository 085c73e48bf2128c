# Lexer and parser from grammar/*.g4. Debian 12 has tool 4.7.2 and runtime 4.9; the tool writes u8"" literals, which
# C++20 makes char8_t, so the generated files, and who includes them (gpol_sees_grammar), are compiled with -fno-char8_t.
find_program(ANTLR4 antlr4 REQUIRED)
find_path(ANTLR4_INCLUDE_DIR antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
# The static library starts a millisecond sooner.
find_library(ANTLR4_LIBRARY NAMES libantlr4-runtime.a antlr4-runtime REQUIRED)
set(GRAMMAR_OUT ${CMAKE_BINARY_DIR}/grammar)
add_custom_command(
  OUTPUT ${GRAMMAR_OUT}/GpolLexer.cpp ${GRAMMAR_OUT}/GpolParser.cpp
  BYPRODUCTS ${GRAMMAR_OUT}/GpolLexer.h ${GRAMMAR_OUT}/GpolParser.h ${GRAMMAR_OUT}/gpol_grammar_names.h
  COMMAND ${ANTLR4} -Dlanguage=Cpp -no-listener -no-visitor -Xexact-output-dir -o ${GRAMMAR_OUT} ${CMAKE_SOURCE_DIR}/grammar/GpolLexer.g4
  COMMAND ${ANTLR4} -Dlanguage=Cpp -no-listener -no-visitor -Xexact-output-dir -lib ${GRAMMAR_OUT} -o ${GRAMMAR_OUT} ${CMAKE_SOURCE_DIR}/grammar/GpolParser.g4
  COMMAND ${CMAKE_COMMAND} -DPARSER=${GRAMMAR_OUT}/GpolParser -DOUT=${GRAMMAR_OUT}/gpol_grammar_names.h
          -P ${CMAKE_SOURCE_DIR}/cmake/grammar_names.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/grammar/GpolLexer.g4 ${CMAKE_SOURCE_DIR}/grammar/GpolParser.g4
          ${CMAKE_SOURCE_DIR}/cmake/grammar_names.cmake
  VERBATIM)
add_library(gpol_grammar STATIC ${GRAMMAR_OUT}/GpolLexer.cpp ${GRAMMAR_OUT}/GpolParser.cpp)
target_include_directories(gpol_grammar SYSTEM PUBLIC ${GRAMMAR_OUT} ${ANTLR4_INCLUDE_DIR})
target_link_libraries(gpol_grammar PUBLIC ${ANTLR4_LIBRARY})
target_compile_options(gpol_grammar PRIVATE -fno-char8_t -w)
function(gpol_sees_grammar)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-char8_t SKIP_PRECOMPILE_HEADERS ON)
endfunction()
