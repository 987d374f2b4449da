// Part of each program with planted bugs: before main() it switches on the bug that SEMEL_MUTATION
// names. An unknown name ends the process.
#include <cstdlib>

#include <fmt/format.h>

#include "sim/bugs/mutation.hpp"

namespace semel {
namespace {

bool plant_named_bug() {
    const char* const name = std::getenv("SEMEL_MUTATION");
    if (name != nullptr && !plant(name)) {
        fmt::print(stderr, "SEMEL_MUTATION: there is no planted bug `{}`\n", name);
        std::_Exit(2);
    }
    return name != nullptr;
}

[[maybe_unused]] const bool kIsPlanted = plant_named_bug();

}  // namespace
}  // namespace semel
