# Read by ctest when it runs: which suites play in this run, and the seed of their samples. Both come from the commit's
# hash, so that every commit tries new cases and each suite of the rotation plays in a quarter of the commits.
#
#   GPOL_SEED=N    instead of the first seven hexadecimal digits of HEAD: to play a run again
#   GPOL_CI=full   every suite, with its largest counts: what a release must pass. Without GPOL_SEED the seed is 1, of which
#                  the figures are known that a sample of another seed may miss by chance.
#
# Suites that are not played are shown as "Not Run (Disabled)".
set(rotation_0 mutation mutants)
set(rotation_1 planted formats hooks ci public)
set(rotation_2 second_solver independence wheel gateway)
set(rotation_3 fuzz partition answered)
# The programs that these need and that are no part of `all` (../CMakeLists.txt): the test rotation_build makes them.
set(programs_0 "mutation mutants")
set(programs_1 "planted planted_checks")
set(programs_2 "second_solver independence gpol")
set(programs_3 "gpol")

if("$ENV{GPOL_SEED}" STREQUAL "" AND "$ENV{GPOL_CI}" STREQUAL "full")
  set(ENV{GPOL_SEED} 1)
elseif("$ENV{GPOL_SEED}" STREQUAL "")
  execute_process(COMMAND git -C ${CMAKE_CURRENT_LIST_DIR} rev-parse HEAD
    OUTPUT_VARIABLE head ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(head MATCHES "^[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]")
    math(EXPR seed "0x${CMAKE_MATCH_0}")
  else()
    set(seed 1)  # no repository: sources that were unpacked
  endif()
  set(ENV{GPOL_SEED} ${seed})
endif()
math(EXPR quarter "$ENV{GPOL_SEED} % 4")
if("$ENV{GPOL_CI}" STREQUAL "full")
  message("rotation: GPOL_SEED=$ENV{GPOL_SEED}, every suite (GPOL_CI=full)")
else()
  string(JOIN ", " played ${rotation_${quarter}})
  message("rotation: GPOL_SEED=$ENV{GPOL_SEED}, of the suites in rotation: ${played}; GPOL_CI=full plays all")
  set(ENV{GPOL_ROTATION} "${programs_${quarter}}")
  foreach(other RANGE 3)
    if(NOT other EQUAL quarter)
      foreach(test ${rotation_${other}})
        set_tests_properties(${test} PROPERTIES DISABLED TRUE)
      endforeach()
    endif()
  endforeach()
endif()
