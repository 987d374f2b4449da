// FenceNode: a TestNode on which fences are claimed, waited for and held.
#pragma once

#include "support/fence_calls.hpp"
#include "support/test_node.hpp"

namespace semel::test {

// TestNode in the words of FenceCalls: each command is run to its end.
struct NodeTable : TestNode {
    template <typename Command>
    Reply<Command> run(Command command) {
        std::optional<Reply<Command>> answer;
        node.submit(std::move(command), [&](Result<Reply<Command>> reply) {
            if (reply) {
                answer = std::move(*reply);
            }
        });
        env.settle();
        EXPECT_TRUE(answer.has_value());
        return answer ? std::move(*answer) : Reply<Command>(Problem{});
    }
    const Settings& command_settings() { return node.settings(); }
};

using ToldFence = std::shared_ptr<std::optional<Result<Item<FenceAnswer>>>>;

struct FenceNode : FenceCalls<NodeTable> {
    // Claims without waiting for the answer; waitMs is the request's.
    ToldFence ask(const std::string& json, Node* at = nullptr) {
        auto told = std::make_shared<std::optional<Result<Item<FenceAnswer>>>>();
        Node& asked = at != nullptr ? *at : node;
        last_ask = asked.claim_fence(command(json),
                                     [told](auto answer) { told->emplace(std::move(answer)); });
        env.settle();
        return told;
    }

    FenceWaits::WaitId last_ask = 0;
};

// What somebody was told who was not refused.
inline FenceAnswer answer_of(const ToldFence& told) {
    EXPECT_TRUE(told->has_value()) << "it still waits";
    if (!told->has_value() || !**told || std::holds_alternative<Problem>(***told)) {
        ADD_FAILURE() << "it was refused";
        return {};
    }
    return std::get<FenceAnswer>(***told);
}

}  // namespace semel::test
