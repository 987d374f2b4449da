#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace semel {

void assertion_failed(const char* expression, const char* file, int line) {
#ifdef SEMEL_TEST_BUILD
    if (assertions_throw) {
        throw AssertionFailed(std::string(expression) + " (" + file + ":" + std::to_string(line) +
                              ")");
    }
#endif
    std::fprintf(stderr, "semel: assertion failed: %s (%s:%d)\n", expression, file, line);
    std::abort();
}

}  // namespace semel
