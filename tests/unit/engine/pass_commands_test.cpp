// Requests of the gateway on a node: what follows from their commits without another request.
#include "support/fence_node.hpp"
#include "support/pass_calls.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

struct CommandNode : test::PassCalls<test::NodeTable> {
    std::optional<Claim> row(const std::shared_ptr<const Claim>& claim) {
        std::optional<Claim> found;
        memory->reads().get_claim("default", claim->id,
                                  [&](auto result) { found = std::move(*result); });
        return found;
    }
    std::optional<std::string> response(const Uuid& id) {
        std::optional<std::string> found;
        memory->reads().get_response(id, [&](auto result) { found = std::move(*result); });
        return found;
    }
};

TEST(PassesOnANode, RepeatsAreCountedOnTheClaimThatAnswered) {
    CommandNode t;
    const PassAnswer pass = t.send({.key = "k1", .guard = "hello"});
    t.settle(pass, PassEnd::seal);
    t.admit({.key = "k1", .guard = "hello"});
    t.admit({.key = "k1", .guard = "hello"});
    t.admit({.guard = "hello"});
    t.env.advance(2s);
    EXPECT_EQ(t.row(pass.key)->repeats, 2);
    EXPECT_EQ(t.row(pass.guard)->repeats, 1);
}

TEST(PassesOnANode, ASilentOwnersRequestBecomesUncertain) {
    CommandNode t;
    t.node.start();
    const PassAnswer pass = t.send({.key = "k1"});
    t.env.advance(2min);
    EXPECT_EQ(t.row(pass.key)->state, ClaimState::uncertain);
}

TEST(PassesOnANode, BodiesArePruned) {
    CommandNode t;
    t.node.start();
    const PassAnswer pass = t.send({.guard = "hello"});
    t.settle(pass, PassEnd::seal);
    const Uuid response = pass.guard->effect->pass->effect;
    t.env.advance(10min);
    EXPECT_EQ(t.response(response), "sent");
    t.env.advance(10min);
    EXPECT_EQ(t.response(response), std::nullopt);
}

}  // namespace
}  // namespace semel
