# How the compiler's work is shared between sources, by preset:
# - CMAKE_UNITY_BUILD (release, dev, tsan): it reads a batch of sources as one, so that headers are read and templates
#   instantiated once for all of them. The names of a room's or a test program's anonymous namespaces must differ from
#   each other; scripts/check_style.py checks that.
# - SEMEL_PRECOMPILE (dev, tsan): each room's large headers are read once, and batches are small: what stands in a
#   changed source's batch is compiled again with it.
option(SEMEL_PRECOMPILE "Precompile the large headers of each room" OFF)
set(semel_small_batch 4)

# The headers of the standard library that most sources include.
set(semel_common_headers
  <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
  <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)

# Compiles TARGET's sources without optimisation, also where semel_flags says -O1. It must be linked after semel_flags.
add_library(semel_unoptimised INTERFACE)
target_compile_options(semel_unoptimised INTERFACE -O0)

# semel_add_room(NAME SOURCES … DEPENDS … [BATCH n] [PRECOMPILE header …]): one folder, one target `semel_NAME`.
# BATCH is the number of sources in one unity batch. PRECOMPILE names the room's large headers.
# scripts/check_layers.py checks a second time what a room may depend on.
function(semel_add_room name)
  cmake_parse_arguments(arg "" "BATCH" "SOURCES;DEPENDS;PRIVATE_DEPENDS;PRECOMPILE" ${ARGN})
  set(target semel_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE semel_flags ${arg_PRIVATE_DEPENDS})
  semel_leave_bugged_sources_alone(${arg_SOURCES})
  if(SEMEL_PRECOMPILE)
    set(arg_BATCH ${semel_small_batch})
  endif()
  if(arg_BATCH)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${arg_BATCH})
  endif()
  if(SEMEL_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${semel_common_headers} ${arg_PRECOMPILE})
  endif()
endfunction()

# Keeps sources that have a bugged copy (sim/bugs) out of batches: a program with planted bugs links the copy's object
# in place of the source's own.
function(semel_leave_bugged_sources_alone)
  if(NOT SEMEL_BUGS)
    return()
  endif()
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(source ${ARGN})
    if(EXISTS ${CMAKE_SOURCE_DIR}/sim/bugs/${folder}/${source}.patch)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# semel_add_test(NAME LABEL L SOURCES … DEPENDS …): one GoogleTest program, run whole by CTest.
# The release build makes only those with the label `release`; the others belong to the sanitized ones.
function(semel_add_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE semel_flags semel_test_flags ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  if(SEMEL_PRECOMPILE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE ${semel_small_batch})
    target_precompile_headers(${name} REUSE_FROM semel_test_headers)
  endif()
  if(NOT SEMEL_TEST_BUILD AND NOT arg_LABEL STREQUAL release)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT 600)
endfunction()

# semel_test_on_postgres_18(TEST FILTER): tests of the program once more, on PostgreSQL 18 from npm. It ends with 77
# where that cannot be had, and says so. Threads are watched on the other PostgreSQL.
function(semel_test_on_postgres_18 test filter)
  if(SEMEL_SANITIZE MATCHES thread)
    return()
  endif()
  add_test(NAME ${test}_postgres_18
    COMMAND python3 -B ${CMAKE_SOURCE_DIR}/tests/support/with_postgres_18.py --folder ${CMAKE_BINARY_DIR}/postgres_18
            $<TARGET_FILE:${test}> --gtest_brief=1 --gtest_filter=${filter})
  set_tests_properties(${test}_postgres_18 PROPERTIES LABELS postgres_18 TIMEOUT 600 SKIP_RETURN_CODE 77
    FAIL_REGULAR_EXPRESSION "PASSED  \\] 0 tests") # a filter that finds nothing
endfunction()
