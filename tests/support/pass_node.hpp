// PassNode: a TestNode on which requests of the gateway are admitted, waited for and held.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "support/fence_node.hpp"
#include "support/pass_calls.hpp"

namespace semel::test {

using ToldPass = std::shared_ptr<std::optional<Result<Item<PassAnswer>>>>;

struct PassNode : PassCalls<NodeTable> {
    // Admits without waiting for the answer. `wait` is the request's.
    ToldPass ask(const AdmitPass& command, Node* at = nullptr) {
        auto told = std::make_shared<std::optional<Result<Item<PassAnswer>>>>();
        Node& asked = at != nullptr ? *at : node;
        last_ask =
            asked.admit_pass(command, [told](auto answer) { told->emplace(std::move(answer)); });
        return told;
    }
    ToldPass ask(const Asked& asked, Node* at = nullptr) {
        const ToldPass told = ask(admission(asked), at);
        env.settle();
        return told;
    }

    std::optional<Claim> find(const ClaimId& id) {
        std::optional<Claim> found;
        store.reads().get_claim("default", id, [&](auto result) { found = std::move(*result); });
        env.settle();
        return found;
    }
    // Of a claim that is there.
    PassState state(const std::shared_ptr<const Claim>& claim) {
        const auto found = find(claim->id);
        return found ? judge(*found, store.now()) : PassState::nothing;
    }
    void fail() { store.fail_load = Error(ErrorCode::unavailable, "away"); }
    void lose_commit() { store.lose_commit = Error(ErrorCode::commit_unknown, "who knows"); }

    PassWaits::WaitId last_ask = 0;
};

// The answer to a request that was not refused.
inline PassAnswer answer_of(const ToldPass& told) {
    EXPECT_TRUE(told->has_value()) << "it still waits";
    if (!told->has_value() || !**told || std::holds_alternative<Problem>(***told)) {
        ADD_FAILURE() << "it was refused";
        return {};
    }
    return std::get<PassAnswer>(***told);
}

inline std::optional<ProblemCode> refusal_of(const ToldPass& told) {
    const auto* problem = told->has_value() && **told ? std::get_if<Problem>(&***told) : nullptr;
    return problem != nullptr ? std::optional(problem->code) : std::nullopt;
}

inline std::optional<ErrorCode> error_of(const ToldPass& told) {
    return told->has_value() && !**told ? std::optional((*told)->error().code()) : std::nullopt;
}

}  // namespace semel::test
