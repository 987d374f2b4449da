// Result<T>, and two macros that pass its error on.
#pragma once

#include <utility>

#include <semel/result.hpp>

#include "base/assert.hpp"

// SEMEL_TRY(name, expression): binds the value, or returns the error from the enclosing function.
// SEMEL_CHECK(expression): the same where there is no value.
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
