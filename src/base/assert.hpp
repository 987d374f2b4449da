// SEMEL_ASSERT(expression): ends the process if the expression is false.
//
// Use it for programmer errors and broken invariants, never for input. It is active in release
// builds too: a process that no longer knows its state must stop before it acknowledges anything.
//
// Effect: prints the expression, file and line to stderr, then calls std::abort(). A test build
// throws AssertionFailed instead while `assertions_throw` is true.
// Threads: any.
#pragma once

#ifdef SEMEL_TEST_BUILD
#include <stdexcept>
#endif

namespace semel {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

#ifdef SEMEL_TEST_BUILD
// The simulator records a failed assertion as a finding and continues with its next seed.
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
