# Warnings on a target, not globally: code that ANTLR generates does not link it.
add_library(gpol_warnings INTERFACE)
target_compile_options(gpol_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 and later see overlaps and bounds that are not there when std::string and std::vector are inlined at -O3
  # (GCC bugs 105329, 105651).
  target_compile_options(gpol_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ 12's own std::stable_sort calls what it declares deprecated.
  target_compile_options(gpol_warnings INTERFACE -Wno-deprecated-declarations)
endif()
option(GPOL_WERROR "warnings are errors" OFF)
if(GPOL_WERROR)
  target_compile_options(gpol_warnings INTERFACE -Werror)
endif()
option(GPOL_FUZZ "build the fuzz targets (clang)" OFF)
if(GPOL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
option(GPOL_SANITIZE "address and undefined-behaviour sanitizers" OFF)
if(GPOL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented, libstdc++'s own <regex> looks uninitialised to GCC 12 (GCC bug 105562).
    target_compile_options(gpol_warnings INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
option(GPOL_TIDY "run clang-tidy on what is compiled" OFF)
if(GPOL_TIDY)
  find_program(CLANG_TIDY NAMES clang-tidy-19 clang-tidy REQUIRED)
endif()
