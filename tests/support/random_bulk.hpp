// RandomBulk: runs over many actions, and their steps as the engine makes them.
#pragma once

#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"

namespace semel::test {

// What is read before a run begins, and before each of its steps.
class BulkSource {
public:
    virtual ~BulkSource() = default;

    [[nodiscard]] virtual MatchedActions count(const std::string& tenant,
                                               const ActionFilter& filter) = 0;
    // The next ones that the run has not polled at.
    [[nodiscard]] virtual std::vector<JobId> walk(const BulkRun& run, int limit) = 0;
};

class RandomBulk {
public:
    RandomBulk(std::vector<std::string> tenants, std::vector<std::string> types,
               std::vector<std::string> groups)
        : tenants_(std::move(tenants)), types_(std::move(types)), groups_(std::move(groups)) {}

    [[nodiscard]] AnyCommand next(Dice& dice, BulkSource& source);
    void learn(const BulkRun& run);

private:
    [[nodiscard]] StartBulk start(Dice& dice, BulkSource& source);
    [[nodiscard]] ActionFilter filter(Dice& dice);

    std::vector<std::string> tenants_;
    std::vector<std::string> types_;
    std::vector<std::string> groups_;
    std::vector<BulkRun> open_;
    std::optional<StepBulk> last_step_;
};

}  // namespace semel::test
