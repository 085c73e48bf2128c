# The hardware catalogue, compiled in: one .cpp made from policies/hardware.gpol (compiler/policy/catalogue.h).
set(HARDWARE_GPOL ${CMAKE_SOURCE_DIR}/policies/hardware.gpol)
set(HARDWARE_CPP ${CMAKE_BINARY_DIR}/hardware_text.cpp)
add_custom_command(OUTPUT ${HARDWARE_CPP}
  COMMAND ${CMAKE_COMMAND} -DOUT=${HARDWARE_CPP} -DTEXT=${HARDWARE_GPOL} -P ${CMAKE_SOURCE_DIR}/cmake/hardware_text.cmake
  DEPENDS ${HARDWARE_GPOL} ${CMAKE_SOURCE_DIR}/cmake/hardware_text.cmake VERBATIM)
target_sources(gpol_compiler PRIVATE ${HARDWARE_CPP})
