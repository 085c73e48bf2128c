# The pages of `gpol explain`, compiled in: one .cpp made from docs/explain/*.md.
file(GLOB EXPLAIN_PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/explain/GP*.md)
set(EXPLAIN_CPP ${CMAKE_BINARY_DIR}/explain_pages.cpp)
add_custom_command(OUTPUT ${EXPLAIN_CPP}
  COMMAND ${CMAKE_COMMAND} -DOUT=${EXPLAIN_CPP} "-DPAGES=${EXPLAIN_PAGES}" -P ${CMAKE_SOURCE_DIR}/cmake/explain_pages.cmake
  DEPENDS ${EXPLAIN_PAGES} ${CMAKE_SOURCE_DIR}/cmake/explain_pages.cmake VERBATIM)
add_library(gpol_explain STATIC ${EXPLAIN_CPP})
