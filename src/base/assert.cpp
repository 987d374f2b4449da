#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace semel {

void assertion_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "semel: assertion failed: %s (%s:%d)\n", expression, file, line);
    std::abort();
}

}  // namespace semel
