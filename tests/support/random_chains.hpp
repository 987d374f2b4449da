// RandomChains: commands on chains, their continuations and their blockers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"

namespace semel::test {

class RandomChains {
public:
    // What their jobs share with other actions.
    RandomChains(std::vector<std::string> tenants, std::vector<std::string> types,
                 std::vector<std::string> groups)
        : tenants_(std::move(tenants)), types_(std::move(types)), groups_(std::move(groups)) {}

    [[nodiscard]] AnyCommand next(Dice& dice);
    // What a job of this tenant is followed by.
    [[nodiscard]] Continuation continuation(Dice& dice, const std::string& tenant);
    // A chain, or an action, which is one.
    void learn(const std::string& tenant, const JobId& chain);

    // Every key that they use.
    [[nodiscard]] static std::vector<ClaimId> claims(const std::string& tenant);

private:
    [[nodiscard]] StartChains start(Dice& dice);
    [[nodiscard]] ChainRequest chain(Dice& dice, const std::string& tenant, int depth);
    [[nodiscard]] StepRequest step(Dice& dice, const std::string& tenant, int depth);
    [[nodiscard]] ChainDeduplication deduplication(Dice& dice, const std::string& tenant);
    [[nodiscard]] std::optional<JobId> chosen_id(Dice& dice);
    [[nodiscard]] JobId known(Dice& dice, const std::string& tenant);

    std::vector<std::string> tenants_;
    std::vector<std::string> types_;
    std::vector<std::string> groups_;
    std::map<std::string, std::vector<JobId>> known_;
    int inputs_ = 0;
    int chosen_ = 0;
};

}  // namespace semel::test
