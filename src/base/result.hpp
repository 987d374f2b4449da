// SEMEL_TRY and SEMEL_CHECK: return the error of a Result<T> from the enclosing function.
//
//   SEMEL_TRY(name, expression)  declares `name` and moves the value into it, or returns the error
//   SEMEL_CHECK(expression)      returns the error, if there is one; drops a value
//
// REQUIRES: the enclosing function returns a Result. Both macros evaluate the expression once.
// Result<T> and Error themselves are in <semel/result.hpp>.
#pragma once

#include <utility>

#include <semel/result.hpp>

#include "base/assert.hpp"

#define SEMEL_CONCAT_INNER(a, b) a##b
#define SEMEL_CONCAT(a, b) SEMEL_CONCAT_INNER(a, b)
// NOLINTBEGIN(bugprone-macro-parentheses): `name` is being declared
#define SEMEL_TRY(name, expression)                      \
    auto SEMEL_CONCAT(result_, __LINE__) = (expression); \
    if (!SEMEL_CONCAT(result_, __LINE__)) {              \
        return SEMEL_CONCAT(result_, __LINE__).error();  \
    }                                                    \
    auto name = std::move(SEMEL_CONCAT(result_, __LINE__)).value()
// NOLINTEND(bugprone-macro-parentheses)
#define SEMEL_CHECK(expression)                                                                  \
    if (auto SEMEL_CONCAT(result_, __LINE__) = (expression); !SEMEL_CONCAT(result_, __LINE__)) { \
        return SEMEL_CONCAT(result_, __LINE__).error();                                          \
    }                                                                                            \
    static_assert(true)
