# Programs with planted bugs (sim/bugs). Threads have nothing to do with them: the thread sanitizer has no such programs.
if(SEMEL_TEST_BUILD AND NOT SEMEL_SANITIZE MATCHES thread)
  set(SEMEL_BUGS ON)
else()
  set(SEMEL_BUGS OFF)
endif()

# semel_plant_bugs(PROGRAM ROOM…): links the bugged copies of these rooms' sources. Being objects, they define their
# functions before the linker reads the rooms' archives, so that it takes none of the originals. The program's own sources
# are compiled with SEMEL_BUGGED. The variable SEMEL_MUTATION of the environment switches a bug on by its name.
function(semel_plant_bugs program)
  foreach(room ${ARGN})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:semel_bugged_${room}>)
  endforeach()
  target_link_libraries(${program} PRIVATE semel_bug_environment semel_mutation)
  target_compile_definitions(${program} PRIVATE SEMEL_BUGGED=1)
endfunction()

# semel_add_control_test(NAME LABEL L SOURCES … DEPENDS … BUGS ROOM…): the controls of a test program. Their sources are
# compiled again with SEMEL_BUGGED, and only tests of suites called …Control run.
function(semel_add_control_test name)
  if(NOT SEMEL_BUGS)
    return()
  endif()
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;DEPENDS;BUGS" ${ARGN})
  semel_add_test(${name} LABEL ${arg_LABEL} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS})
  semel_plant_bugs(${name} ${arg_BUGS})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT GTEST_FILTER=*Control.*)
endfunction()
