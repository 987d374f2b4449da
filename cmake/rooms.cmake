# semel_add_room(NAME SOURCES … DEPENDS …): one folder, one target `semel_NAME`.
# What a room may depend on is checked a second time by scripts/check_layers.py.
function(semel_add_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(semel_${name} STATIC ${arg_SOURCES})
  target_include_directories(semel_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(semel_${name} PUBLIC ${arg_DEPENDS} PRIVATE semel_flags ${arg_PRIVATE_DEPENDS})
endfunction()

# semel_add_test(NAME LABEL L SOURCES … DEPENDS …): one GoogleTest program, run whole by CTest.
# The release build makes only those with the label `release`; the others belong to the sanitized ones.
function(semel_add_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  if(SEMEL_SANITIZE)
    # On the sources, because their options come last and so win. What is tested is checked for undefined behaviour, the
    # tests themselves are not: that is a third of the time that they take to compile.
    set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY COMPILE_OPTIONS -O0 $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=undefined>)
  endif()
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE semel_flags ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
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
