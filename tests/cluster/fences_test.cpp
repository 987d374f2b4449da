// Fences on several nodes: who waits at one hears of the other, and nobody is `new` twice.
#include <future>
#include <map>

#include "cluster/hosts.hpp"
#include "core/fences/fence_request.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

using Told = std::future<Result<Item<FenceAnswer>>>;

constexpr const char* kPlain = R"({"key":"k"})";
// Its lease does not end while a test runs.
constexpr const char* kLong = R"({"key":"k","leaseMs":3600000})";
constexpr const char* kPatient = R"({"key":"k","leaseMs":3600000,"waitMs":60000})";

class ClusterFences : public testing::Test {
protected:
    ClusterFences() { nodes_.start(); }

    static ClaimFence command(const std::string& json) {
        auto request = read_fence_request(json::Document::parse(json)->root(), "default", {});
        return {"default", std::get<FenceRequest>(std::move(request))};
    }
    // Claims at a node without waiting for the answer.
    Told ask(std::size_t at, const std::string& json) {
        auto promise = std::make_shared<std::promise<Result<Item<FenceAnswer>>>>();
        Told told = promise->get_future();
        Node& node = nodes_[at].node();
        const bool is_posted = node.post([&node, promise, claim = command(json)]() mutable {
            node.claim_fence(std::move(claim),
                             [promise](auto answer) { promise->set_value(std::move(answer)); });
        });
        EXPECT_TRUE(is_posted);
        return told;
    }
    static FenceAnswer answer_of(Told told) {
        const auto answer = told.get();
        EXPECT_TRUE(answer.has_value()) << answer.error().message();
        return std::get<FenceAnswer>(answer.value());
    }
    FenceAnswer claim(std::size_t at, const std::string& json) { return answer_of(ask(at, json)); }
    // An owner's call at a node; nothing: it was accepted.
    std::optional<ProblemCode> call(std::size_t at, const Claim& owned, FenceVerb verb,
                                    const std::string& effect_id = {}) {
        FenceCall call{.claim = owned.id, .token = owned.token, .verb = verb};
        call.effect_id = effect_id;
        const auto reply = nodes_[at].execute(CallFence{"default", std::move(call)});
        EXPECT_TRUE(reply.has_value()) << reply.error().message();
        const auto* problem = std::get_if<Problem>(&reply.value());
        return problem != nullptr ? std::optional(problem->code) : std::nullopt;
    }

    Hosts nodes_{PostgresServer::shared().make_database(), 2};
};

TEST_F(ClusterFences, AWaiterHearsOfTheSealAtAnotherNode) {
    const Claim owned = *claim(0, kLong).claim;
    Told waiting = ask(1, kPatient);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(call(0, owned, FenceVerb::seal, "e-1"), std::nullopt);
    const FenceAnswer told = answer_of(std::move(waiting));
    EXPECT_EQ(told.decision, Decision::duplicate);
    EXPECT_EQ(told.claim->effect->id, "e-1");
    EXPECT_LT(std::chrono::steady_clock::now() - began, 30s) << "it was not the patience's end";
}

TEST_F(ClusterFences, AReleaseAtOneNodeLetsOneInOverBoth) {
    const Claim owned = *claim(0, kLong).claim;
    std::vector<Told> waiting;
    for (std::size_t i = 0; i < 8; ++i) waiting.push_back(ask(i, kPatient));
    EXPECT_EQ(call(0, owned, FenceVerb::release), std::nullopt);
    int owners = 0;
    // The others wait for the one that was let in; whoever that is seals when its turn comes.
    while (owners == 0) {
        for (Told& told : waiting) {
            if (!told.valid() || told.wait_for(10ms) != std::future_status::ready) continue;
            const FenceAnswer answer = answer_of(std::move(told));
            ASSERT_EQ(answer.decision, Decision::new_);
            EXPECT_FALSE(answer.takeover);
            ++owners;
            EXPECT_EQ(call(1, *answer.claim, FenceVerb::seal, "e-2"), std::nullopt);
            break;
        }
    }
    for (Told& told : waiting) {
        if (!told.valid()) continue;
        const FenceAnswer answer = answer_of(std::move(told));
        EXPECT_EQ(answer.decision, Decision::duplicate);
        EXPECT_EQ(answer.claim->effect->id, "e-2");
    }
}

TEST_F(ClusterFences, OneOfManyIsNewOverBothNodes) {
    constexpr std::size_t kKeys = 20;
    constexpr std::size_t kClaims = 16;
    for (std::size_t key = 0; key < kKeys; ++key) {
        const std::string json = R"({"key":"k-)" + std::to_string(key) + R"("})";
        std::vector<Told> told;
        for (std::size_t i = 0; i < kClaims; ++i) told.push_back(ask(i, json));
        std::map<Decision, std::size_t> decisions;
        for (Told& one : told) ++decisions[answer_of(std::move(one)).decision];
        EXPECT_EQ(decisions[Decision::new_], 1U);
        EXPECT_EQ(decisions[Decision::in_flight], kClaims - 1);
    }
}

// The node keeps the lease of an effect, and dies with it.
TEST_F(ClusterFences, AnotherNodeTakesOverWhenTheOwnersIsGone) {
    const auto held = nodes_[0].claim_and_hold(command(R"({"key":"k","leaseMs":1000})"), [] {});
    ASSERT_TRUE(held.has_value());
    const Claim owned = *std::get<FenceAnswer>(held->answer).claim;
    Told patient = ask(1, kPatient);
    nodes_[0].stop(Millis(0));
    const FenceAnswer taken = answer_of(std::move(patient));
    EXPECT_EQ(taken.decision, Decision::new_);
    EXPECT_TRUE(taken.takeover);
    EXPECT_GT(taken.claim->token, owned.token);
    EXPECT_EQ(call(1, owned, FenceVerb::seal, "late"), ProblemCode::stale_token);
    EXPECT_EQ(call(1, *taken.claim, FenceVerb::seal, "e"), std::nullopt);
}

TEST_F(ClusterFences, ALateSealIsRefusedAtEveryNode) {
    const Claim late = *claim(0, R"({"key":"k","leaseMs":100})").claim;
    const FenceAnswer taken = claim(1, kPatient);
    ASSERT_TRUE(taken.takeover);
    for (const std::size_t at : {0U, 1U}) {
        EXPECT_EQ(call(at, late, FenceVerb::seal, "late"), ProblemCode::stale_token);
        EXPECT_EQ(call(at, late, FenceVerb::heartbeat), ProblemCode::stale_token);
        EXPECT_EQ(call(at, late, FenceVerb::release), ProblemCode::stale_token);
    }
    EXPECT_EQ(call(0, *taken.claim, FenceVerb::seal, "e"), std::nullopt) << "at any node";
    const FenceAnswer told = claim(0, kPlain);
    EXPECT_EQ(told.decision, Decision::duplicate);
    EXPECT_EQ(told.claim->effect->id, "e");
}

}  // namespace
}  // namespace semel::test
