# The library of policies, compiled in: one .cpp made from policies/*.gpol (cli/commands/library.h).
file(GLOB LIBRARY_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/policies/*.gpol)
set(LIBRARY_CPP ${CMAKE_BINARY_DIR}/library.cpp)
add_custom_command(OUTPUT ${LIBRARY_CPP}
  COMMAND ${CMAKE_COMMAND} -DOUT=${LIBRARY_CPP} "-DFILES=${LIBRARY_FILES}" -P ${CMAKE_SOURCE_DIR}/cmake/library_files.cmake
  DEPENDS ${LIBRARY_FILES} ${CMAKE_SOURCE_DIR}/cmake/library_files.cmake VERBATIM)
add_library(gpol_library_files STATIC ${LIBRARY_CPP})
target_include_directories(gpol_library_files PUBLIC ${CMAKE_SOURCE_DIR})
