// Planted: switches one planted bug on while it lives, in a program of semel_plant_bugs(). Nothing
// else may run when it begins or ends.
#pragma once

#include <cstdlib>
#include <string>

#ifdef SEMEL_BUGGED
#include "sim/bugs/mutation.hpp"
#endif

namespace semel::test {

#ifdef SEMEL_BUGGED
class Planted {
public:
    explicit Planted(Mutation mutation) { active_mutation = mutation; }
    ~Planted() { active_mutation = Mutation::none; }
    Planted(const Planted&) = delete;
    Planted& operator=(const Planted&) = delete;
};
#endif

// How often something is tried: few times in CI, many where `./dev prove` names the number.
[[nodiscard]] inline int times_of(const char* variable, int otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? std::stoi(value) : otherwise;
}

}  // namespace semel::test
