// Mutations: the bugs of list.txt, one of which a program of semel_plant_bugs() can switch on, so
// that the simulator and other tests can show that they find it. SEMEL_MUTATION(name) is true while
// the bug is on.
#pragma once

#include <string_view>

namespace semel {

enum class Mutation {
    none,
#define SEMEL_PLANTED_BUG(name, what) name,
#include "planted_bugs.inc"
#undef SEMEL_PLANTED_BUG
};

struct PlantedBug {
    Mutation mutation;
    std::string_view name;
    std::string_view what;
};

inline constexpr PlantedBug kPlantedBugs[] = {
#define SEMEL_PLANTED_BUG(name, what) {Mutation::name, #name, what},
#include "planted_bugs.inc"
#undef SEMEL_PLANTED_BUG
};

// The bug that is on. Written only while no other thread runs.
inline Mutation active_mutation = Mutation::none;

// Switches a bug on by its name. Returns false if there is no bug of that name.
[[nodiscard]] bool plant(std::string_view name);

[[nodiscard]] inline bool is_mutated(Mutation mutation) {
    return active_mutation == mutation;
}

#define SEMEL_MUTATION(name) ::semel::is_mutated(::semel::Mutation::name)

}  // namespace semel
