// RandomFences: commands on fences, with and without versions of a few sources.
#pragma once

#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"

namespace semel::test {

class RandomFences {
public:
    explicit RandomFences(std::vector<std::string> tenants) : tenants_(std::move(tenants)) {}

    [[nodiscard]] AnyCommand next(Dice& dice);
    // Whose calls come later.
    void learn(const AnyReply& reply);

    // Everything that a command could have named.
    [[nodiscard]] static std::vector<ClaimId> claims(const std::string& tenant);
    [[nodiscard]] static std::vector<SourceKey> sources(const std::string& tenant);

private:
    [[nodiscard]] ClaimFence claim(Dice& dice);
    [[nodiscard]] CallFence call(Dice& dice, const Claim& owned);
    [[nodiscard]] AnyCommand operate(Dice& dice, const Claim& known);

    std::vector<std::string> tenants_;
    std::vector<Claim> owned_;  // as they were when they were answered
};

}  // namespace semel::test
