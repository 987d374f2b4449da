# Warnings are errors everywhere; the sanitizers come by preset.
add_library(semel_flags INTERFACE)
target_compile_options(semel_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror)

# Not -Wnull-dereference: at -O3 GCC 12 follows branches that an assertion has ended.
# GCC 12 takes "literal" + std::string for an overlap at -O3 (its bug 105651).
target_compile_options(semel_flags INTERFACE -Wno-restrict)

if(SEMEL_SANITIZE)
  # -O1 keeps the sanitized suite quick. Lines are enough to find one's way (-g1): more of them, and
  # more optimisation in the tests themselves, doubles the time that a build takes.
  target_compile_options(semel_flags INTERFACE
    -fsanitize=${SEMEL_SANITIZE} -fno-omit-frame-pointer -O1 -g1 -fno-sanitize-recover=all)
  target_link_options(semel_flags INTERFACE -fsanitize=${SEMEL_SANITIZE})
  if(SEMEL_SANITIZE MATCHES undefined)
    # These look at each use of a pointer, and are a fifth of the time that a build takes. What is
    # null, or of another size, the address sanitizer sees too.
    target_compile_options(semel_flags INTERFACE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
  # GCC 12 reports impossible null dereferences and offsets once a sanitizer has rewritten the code.
  target_compile_options(semel_flags INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized -Wno-array-bounds)
endif()

# For tests alone, linked after semel_flags. The sanitizers check the code under test for undefined behaviour. Without
# that check the tests themselves compile in two thirds of the time.
add_library(semel_test_flags INTERFACE)
if(SEMEL_SANITIZE)
  target_compile_options(semel_test_flags INTERFACE -O0 $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=undefined>)
endif()

if(SEMEL_TEST_BUILD)
  target_compile_definitions(semel_flags INTERFACE SEMEL_TEST_BUILD=1)
endif()

if(SEMEL_FUZZ)
  # GCC's warnings are the ones that count.
  target_compile_options(semel_flags INTERFACE -fsanitize=fuzzer-no-link -w)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
