// SEMEL_ASSERT: for programmer errors and lost invariants. On in release builds too: a process
// that no longer knows its state must stop before it acknowledges anything.
#pragma once

#ifdef SEMEL_TEST_BUILD
#include <stdexcept>
#endif

namespace semel {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

#ifdef SEMEL_TEST_BUILD
// The simulator turns a failed assertion into a finding, and goes on with its next seed.
struct AssertionFailed : std::logic_error {
    using std::logic_error::logic_error;
};
inline bool assertions_throw = false;
#endif

}  // namespace semel

#define SEMEL_ASSERT(expression)                                        \
    do {                                                                \
        if (!(expression)) {                                            \
            ::semel::assertion_failed(#expression, __FILE__, __LINE__); \
        }                                                               \
    } while (false)
