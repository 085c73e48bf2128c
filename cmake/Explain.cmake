# The pages of `gpol explain`, compiled in: one .cpp made from docs/explain (compiler/source/explain_pages.h).
file(GLOB EXPLAIN_PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/explain/GP*.md)
set(EXPLAIN_PREAMBLE ${CMAKE_SOURCE_DIR}/docs/explain/preamble.gpol)
set(EXPLAIN_CPP ${CMAKE_BINARY_DIR}/explain_pages.cpp)
add_custom_command(OUTPUT ${EXPLAIN_CPP}
  COMMAND ${CMAKE_COMMAND} -DOUT=${EXPLAIN_CPP} "-DPAGES=${EXPLAIN_PAGES}" -DPREAMBLE=${EXPLAIN_PREAMBLE}
    -P ${CMAKE_SOURCE_DIR}/cmake/explain_pages.cmake
  DEPENDS ${EXPLAIN_PAGES} ${EXPLAIN_PREAMBLE} ${CMAKE_SOURCE_DIR}/cmake/explain_pages.cmake VERBATIM)
add_library(gpol_explain STATIC ${EXPLAIN_CPP})
target_include_directories(gpol_explain PUBLIC ${CMAKE_SOURCE_DIR})
