# How sources are compiled faster: one precompiled header of the standard library and fmt for all libraries, and
# less optimisation where little time is spent. A source includes all that it needs nevertheless: GPOL_TIDY
# compiles it without the header.
option(GPOL_PCH "compile with a precompiled header" ON)
if(GPOL_TIDY)
  set(GPOL_PCH OFF)
endif()
set(GPOL_STANDARD_HEADERS <algorithm> <array> <cstdint> <deque> <functional> <map> <memory> <optional> <set> <span> <string>
  <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

if(CCACHE AND GPOL_PCH)
  # Only so does ccache see which precompiled header was used; it keeps what was compiled with one where its own
  # configuration has `sloppiness = pch_defines,time_macros`.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
if(GPOL_PCH)
  if(NOT EXISTS ${CMAKE_BINARY_DIR}/standard.cpp)  # written anew it would compile everything again
    file(WRITE ${CMAKE_BINARY_DIR}/standard.cpp "")
  endif()
  add_library(gpol_standard OBJECT ${CMAKE_BINARY_DIR}/standard.cpp)
  target_link_libraries(gpol_standard PRIVATE fmt::fmt gpol_warnings)
  target_precompile_headers(gpol_standard PRIVATE ${GPOL_STANDARD_HEADERS})
endif()

# Little time is spent there, and the compiler needs a third less for them. What runs hot: the lexer and parser, the
# readers of YAML, the models and walks of kueue/ and nodes/, and solver.
file(GLOB_RECURSE cold CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} cli/*.cpp emit/*.cpp compiler/policy/*.cpp
  compiler/lint/*.cpp compiler/cluster/*.cpp compiler/syntax/*slip*.cpp compiler/syntax/statement.cpp compiler/syntax/patterns.cpp compiler/syntax/ast*.cpp compiler/syntax/build*.cpp
  compiler/syntax/scan_foreign.cpp checker/families/*.cpp checker/story/*.cpp
  checker/repair/*.cpp checker/observe/kinds/*.cpp checker/observe/schema/*.cpp checker/guards/*.cpp)
# At -O1 GCC 12 takes the value of a std::optional for uninitialised where it is read only if there is one.
set_source_files_properties(${cold} PROPERTIES COMPILE_OPTIONS 
  "$<$<CONFIG:Release>:-O1>;$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>")

function(gpol_precompiled target standard)
  if(GPOL_PCH)
    target_precompile_headers(${target} REUSE_FROM ${standard})
  endif()
endfunction()
