// RandomChains: chains with keys and blockers, what they go on with, and those who end them without
// a worker.
#pragma once

#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"

namespace semel::test {

class RandomChains {
public:
    RandomChains(std::vector<std::string> tenants, std::vector<std::string> types,
                 std::vector<std::string> groups)
        : tenants_(std::move(tenants)), types_(std::move(types)), groups_(std::move(groups)) {}

    [[nodiscard]] AnyCommand next(Dice& dice);
    [[nodiscard]] Continuation continuation(Dice& dice, const std::string& tenant);
    // What the commands after this one may name.
    void learn(const Job& first);

private:
    [[nodiscard]] StartChains start(Dice& dice);
    [[nodiscard]] ChainRequest request(Dice& dice, const std::string& tenant, int depth);
    [[nodiscard]] StepRequest step(Dice& dice, const std::string& tenant, int depth);
    [[nodiscard]] ChainDeduplication deduplication(Dice& dice, const std::string& tenant,
                                                   const std::string& type);
    [[nodiscard]] CompleteChain complete(Dice& dice);

    std::vector<std::string> tenants_;
    std::vector<std::string> types_;
    std::vector<std::string> groups_;
    std::vector<Job> seen_;  // first jobs
    int inputs_ = 0;
};

}  // namespace semel::test
