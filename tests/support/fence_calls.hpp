// FenceCalls: fences are claimed, sealed and let go, in the words of the HTTP API, on a table that
// can `run` a command and has `command_settings`.
#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/decide.hpp"
#include "core/fences/fence_request.hpp"

namespace semel::test {

template <typename Table>
class FenceCalls : public Table {
public:
    Item<FenceRequest> fence_request(const std::string& json,
                                     const std::string& tenant = "default") {
        const auto document = json::Document::parse(json, json::kAnyNumbers);
        EXPECT_TRUE(document.has_value()) << json;
        return read_fence_request(document->root(), tenant, this->command_settings());
    }
    ClaimFence command(const std::string& json, const std::string& tenant = "default") {
        auto request = fence_request(json, tenant);
        const auto* problem = std::get_if<Problem>(&request);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return {tenant, problem == nullptr ? std::get<FenceRequest>(request) : FenceRequest{}};
    }

    Item<FenceAnswer> try_claim(const std::string& json, const std::string& tenant = "default") {
        return std::get<ClaimFence::Outcome>(this->run(command(json, tenant)));
    }
    FenceAnswer claim(const std::string& json, const std::string& tenant = "default") {
        auto item = try_claim(json, tenant);
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<FenceAnswer>(item) : FenceAnswer{};
    }
    Decision decision(const std::string& json) { return claim(json).decision; }
    // The row of a claim that must be new.
    Claim own(const std::string& json, const std::string& tenant = "default") {
        FenceAnswer answer = claim(json, tenant);
        EXPECT_EQ(answer.decision, Decision::new_);
        EXPECT_NE(answer.claim, nullptr);
        return answer.claim ? *answer.claim : Claim{};
    }

    Reply<CallFence> call(FenceVerb verb, const Claim& owned, const std::string& effect_id = {},
                          std::optional<std::string> receipt = {}) {
        return this->run(CallFence{.tenant = owned.tenant,
                                   .call = {.claim = owned.id,
                                            .token = owned.token,
                                            .verb = verb,
                                            .effect_id = effect_id,
                                            .receipt = std::move(receipt)}});
    }
    Reply<CallFence> seal(const Claim& owned, const std::string& effect_id = "e",
                          std::optional<std::string> receipt = {}) {
        return call(FenceVerb::seal, owned, effect_id, std::move(receipt));
    }
    Reply<CallFence> release(const Claim& owned) { return call(FenceVerb::release, owned); }
    Reply<CallFence> heartbeat(const Claim& owned, std::optional<Millis> lease = {}) {
        return this->run(CallFence{.tenant = owned.tenant,
                                   .call = {.claim = owned.id,
                                            .token = owned.token,
                                            .verb = FenceVerb::heartbeat,
                                            .lease = lease}});
    }
    Reply<CallFence> mark_uncertain(const Claim& owned) {
        return call(FenceVerb::uncertain, owned);
    }
    Reply<ResolveClaim> resolve(const Claim& claim, ClaimOutcome outcome,
                                const std::string& effect_id = {},
                                std::optional<std::string> receipt = {}) {
        return this->run(ResolveClaim{.tenant = claim.tenant,
                                      .claim = claim.id,
                                      .outcome = outcome,
                                      .effect_id = effect_id,
                                      .receipt = std::move(receipt),
                                      .reason = "looked"});
    }
    Reply<DeleteClaim> delete_claim(const ClaimId& id, const std::string& tenant = "default") {
        return this->run(DeleteClaim{.tenant = tenant, .claim = id, .reason = "wrong"});
    }
    UpkeepOutcome prune_claims() { return std::get<UpkeepOutcome>(this->run(PruneClaims{})); }
    UpkeepOutcome prune_sources() { return std::get<UpkeepOutcome>(this->run(PruneSources{})); }
};

// The claim that a call left behind; fails where it was refused.
template <typename Reply>
Claim done(const Reply& reply) {
    const auto* problem = std::get_if<Problem>(&reply);
    EXPECT_EQ(problem, nullptr) << problem->detail;
    return problem == nullptr ? std::get<Claim>(reply) : Claim{};
}

}  // namespace semel::test
