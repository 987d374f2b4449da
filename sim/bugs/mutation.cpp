#include "sim/bugs/mutation.hpp"

#include <algorithm>

namespace semel {

bool plant(std::string_view name) {
    const auto* const bug = std::ranges::find(kPlantedBugs, name, &PlantedBug::name);
    if (bug == std::end(kPlantedBugs)) {
        return false;
    }
    active_mutation = bug->mutation;
    return true;
}

}  // namespace semel
