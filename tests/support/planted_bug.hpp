// Switches a planted bug on by its name; false: there is none of this name.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/mutation.hpp"

namespace semel::test {

#ifdef SEMEL_BUGGED

[[nodiscard]] inline bool switch_on(std::string_view name) {
    const auto* const bug = std::find_if(std::begin(kPlantedBugs), std::end(kPlantedBugs),
                                         [&](const PlantedBug& one) { return one.name == name; });
    if (bug == std::end(kPlantedBugs)) {
        return false;
    }
    active_mutation = bug->mutation;
    return true;
}

#endif

}  // namespace semel::test
