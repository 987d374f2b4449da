// RandomSchedules: commands on a few schedules of each tenant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"

namespace semel::test {

class RandomSchedules {
public:
    // What their occurrences share with other actions.
    RandomSchedules(std::vector<std::string> tenants, std::vector<std::string> types,
                    std::vector<std::string> groups)
        : tenants_(std::move(tenants)), types_(std::move(types)), groups_(std::move(groups)) {}

    [[nodiscard]] AnyCommand next(Dice& dice);

private:
    [[nodiscard]] PutSchedule put(Dice& dice, const ScheduleKey& key);
    [[nodiscard]] ScheduleSpec spec(Dice& dice);

    std::vector<std::string> tenants_;
    std::vector<std::string> types_;
    std::vector<std::string> groups_;
    std::map<ScheduleKey, ScheduleSpec> sent_;  // the latest
};

}  // namespace semel::test
