// What a seed's users do in transactions of their own, as plain data.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace semel::sim {

struct ChainPlan;
struct ItemPlan;
struct Plan;

// A transaction that asks for actions, in this order, then for chains.
struct UserPlan {
    Millis at{0};
    std::string tenant;
    std::vector<ItemPlan> items;
    std::vector<ChainPlan> chains;
    bool is_unreadable = false;  // what it leaves cannot be read
    bool rolls_back = false;
};

// Adds them to a plan whose store is shared. Their dice are their own: the rest of the plan is what
// it would be without them.
void plan_users(Plan& plan);

}  // namespace semel::sim
