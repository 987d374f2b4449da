// SEMEL_ASSERT: for programmer errors and lost invariants. On in release builds too: a process
// that no longer knows its state must stop before it acknowledges anything.
#pragma once

namespace semel {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace semel

#define SEMEL_ASSERT(expression)                                        \
    do {                                                                \
        if (!(expression)) {                                            \
            ::semel::assertion_failed(#expression, __FILE__, __LINE__); \
        }                                                               \
    } while (false)
