// Fences in a store of their own: what goes there, and what stays with everything else.
#include <gtest/gtest.h>

#include "core/actions/action_request.hpp"
#include "engine/node.hpp"
#include "store/memory/memory_store.hpp"
#include "support/fence_calls.hpp"
#include "support/store_spy.hpp"
#include "support/virtual_env.hpp"

namespace semel::test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

struct SplitTable {
    VirtualEnv env;
    std::unique_ptr<Store> main = make_memory_store([this] { return env.now(); });
    std::unique_ptr<Store> fences = make_memory_store([this] { return env.now(); });
    StoreSpy spy{*main};
    StoreSpy fence_spy{*fences};
    Node node{env, spy, {}, &fence_spy};

    template <typename Command>
    Reply<Command> run(Command command) {
        std::optional<Reply<Command>> answer;
        node.submit(std::move(command), [&](Result<Reply<Command>> reply) {
            if (reply) answer = std::move(*reply);
        });
        env.settle();
        EXPECT_TRUE(answer.has_value());
        return answer ? std::move(*answer) : Reply<Command>(Problem{});
    }
    const Settings& command_settings() { return node.settings(); }
};

struct SplitNode : FenceCalls<SplitTable> {
    std::optional<Claim> row(Store& store, const ClaimId& id) {
        std::optional<Claim> found;
        store.reads().get_claim("default", id, [&](auto claim) { found = std::move(*claim); });
        return found;
    }
    std::vector<LoggedDecision> log(Store& store) {
        std::vector<LoggedDecision> lines;
        store.reads().list_decisions("default", std::nullopt, 100,
                                     [&](auto read) { lines = std::move(*read); });
        return lines;
    }
    // The HTTP status of a call by a claim's id; 404: neither store has it.
    template <typename Command>
    int status_of(Command command, std::optional<IdempotencyGuard> guard = {}) {
        int status = 0;
        node.submit_rendered(
            std::move(command), std::move(guard),
            [](const Reply<Command>& reply) {
                return Receipt{std::holds_alternative<Problem>(reply) ? 404 : 200, ""};
            },
            [&](const Result<Rendered>& rendered) { status = rendered->receipt.status; });
        env.settle();
        return status;
    }
};

constexpr const char* kPay = R"({"key":"pay","content":{"total":1}})";

TEST(FenceStore, AClaimIsThereAndItsEntriesAreInTheMainStoresLog) {
    SplitNode t;
    EXPECT_FALSE(t.node.has_one_store());
    const Claim owned = t.own(kPay);
    EXPECT_TRUE(t.row(*t.fences, owned.id).has_value());
    EXPECT_FALSE(t.row(*t.main, owned.id).has_value());
    ASSERT_EQ(t.log(*t.main).size(), 1U);
    EXPECT_EQ(t.log(*t.main)[0].entry.decision, Decision::new_);
}

TEST(FenceStore, EntriesWaitForAMainStoreThatTurnsCallersAway) {
    SplitNode t;
    // One that is under way, some that are next, and one behind which nobody is let in.
    for (const std::size_t size : {1U, 1'000U, 1'000U, 1'000U, 1'000U, 20'000U}) {
        CountRepeats command{.counts = std::vector(size, RepeatCount{{}, Token::none, 1})};
        t.node.submit(std::move(command), [](const Result<Reply<CountRepeats>>&) {});
    }
    (void)t.own(kPay);
    EXPECT_TRUE(t.log(*t.main).empty());
    t.env.advance(seconds(2));
    EXPECT_EQ(t.log(*t.main).size(), 1U);
}

TEST(FenceStore, RepeatsAreSummedInTheLogAndCountedOnTheClaim) {
    SplitNode t;
    t.node.start();
    const Claim owned = t.own(kPay);
    (void)t.seal(owned);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(t.decision(kPay), Decision::duplicate);
    t.env.advance(seconds(2));
    ASSERT_EQ(t.log(*t.main).size(), 2U);
    EXPECT_EQ(t.log(*t.main)[0].entry.count, 3);
    EXPECT_EQ(t.row(*t.fences, owned.id)->repeats, 3);
}

TEST(FenceStore, AMainStoreThatIsAwayIsNotAskedWithEachRepeat) {
    SplitNode t;
    t.spy.fail_load = Error(ErrorCode::unavailable, "away");
    constexpr int kKeys = DecisionLog::kSumsMax + 100;
    constexpr int kMore = 20;
    const auto claim = [&](int i) {
        return t.decision(R"({"key":"k)" + std::to_string(i) + "\"}");
    };
    for (int i = 0; i < kKeys + kMore; ++i) EXPECT_EQ(claim(i), Decision::new_);
    for (int i = 0; i < kKeys; ++i) EXPECT_EQ(claim(i), Decision::in_flight);
    const int loads = t.spy.loads;
    for (int i = kKeys; i < kKeys + kMore; ++i) EXPECT_EQ(claim(i), Decision::in_flight);
    EXPECT_EQ(t.spy.loads, loads);
    t.spy.fail_load.reset();
    t.env.advance(seconds(2));
    EXPECT_EQ(t.log(*t.main).size(), 100U) << "as many as were asked for";
}

TEST(FenceStore, ADamagedRowIsRefusedAloneAndDeleted) {
    SplitNode t;
    const ClaimFence damaged = t.command(kPay);
    const ClaimFence other = t.command(R"({"key":"other"})");
    t.fence_spy.change_load = [&](const LoadSpec& spec, Loaded& loaded) {
        for (const ClaimId& id : spec.claims) {
            if (id == damaged.request.claim) loaded.damaged.claims.emplace_back(id, "damaged");
        }
    };
    std::vector<std::string> served;
    // The first is under way when the others come, which share a batch.
    for (const ClaimFence& command : {other, damaged, other}) {
        t.node.submit(command, [&](const Result<Reply<ClaimFence>>& reply) {
            served.push_back(reply ? "well" : reply.error().message());
        });
    }
    t.env.settle();
    EXPECT_EQ(served, (std::vector<std::string>{"well", "damaged", "well"}));
    EXPECT_EQ(t.fence_spy.loads, 2);
    Changes saved;
    t.fence_spy.before_save = [&](const Changes& changes) -> Result<void> {
        saved = changes;
        return Error(ErrorCode::unavailable, "seen");
    };
    const std::string& id_only = "";
    const std::string& key = damaged.request.key;
    for (const auto& [tenant, named] :
         {std::pair("default", id_only), std::pair("other", key), std::pair("default", key)}) {
        EXPECT_TRUE(saved.claims.empty()) << "nobody frees what is not known to be theirs";
        t.node.submit(
            DeleteClaim{
                .tenant = tenant, .claim = damaged.request.claim, .reason = "seen", .key = named},
            [](const Result<Reply<DeleteClaim>>&) {});
        t.env.settle();
    }
    ASSERT_EQ(saved.claims.size(), 1U);
    EXPECT_EQ(saved.claims[0].before->id, damaged.request.claim);
    EXPECT_FALSE(saved.claims[0].after.has_value());
    ASSERT_EQ(saved.decisions.size(), 1U);
    EXPECT_EQ(saved.decisions[0].rule, "damaged");
}

TEST(FenceStore, ASealWakesWhoWaits) {
    SplitNode t;
    const Claim owned = t.own(kPay);
    std::optional<Decision> served;
    t.node.claim_fence(t.command(R"({"key":"pay","waitMs":60000})"),
                       [&](auto answer) { served = std::get<FenceAnswer>(*answer).decision; });
    t.env.settle();
    EXPECT_FALSE(served.has_value());
    (void)t.seal(owned);
    t.env.settle();
    EXPECT_EQ(served, Decision::duplicate);
}

TEST(FenceStore, UpkeepForgetsWhatIsPastItsTimeInBoth) {
    SplitNode t;
    t.node.start();
    const Claim owned = t.own(kPay);
    t.env.skip(hours(24 * 6));
    t.env.advance(minutes(2));
    EXPECT_TRUE(t.row(*t.fences, owned.id).has_value()) << "so that its token is known";
    t.env.skip(hours(24 * 3));
    t.env.advance(minutes(2));
    EXPECT_FALSE(t.row(*t.fences, owned.id).has_value());
}

TEST(FenceStore, AClaimOfAnySpaceIsFoundByItsIdAndFreed) {
    SplitNode t;
    const Claim fence = t.own(kPay);
    const auto parsed =
        json::Document::parse(R"({"type":"mail","payload":{"entityId":"order-7"}})");
    auto request = std::get<ActionRequest>(
        read_action_request(parsed->root(), "default", t.node.settings(), ""));
    const auto scheduled =
        t.run(ScheduleActions{.tenant = "default", .items = {std::move(request)}});
    const auto& item = std::get<ScheduleActions::Outcome>(scheduled).front();
    const ClaimId action = *std::get<ScheduledAction>(item).action.job.claim;
    ASSERT_TRUE(t.row(*t.main, action).has_value());
    EXPECT_EQ(t.status_of(DeleteClaim{"default", fence.id, "seen"}), 200);
    EXPECT_EQ(t.status_of(DeleteClaim{"default", action, "seen"}), 200);
    EXPECT_EQ(t.status_of(DeleteClaim{"default", ClaimId(), "seen"}), 404);
    EXPECT_EQ(t.row(*t.fences, fence.id)->state, ClaimState::free);
    EXPECT_EQ(t.row(*t.main, action)->state, ClaimState::free);
}

TEST(FenceStore, AnIdempotencyKeyOnACallIsNotKeptInEither) {
    SplitNode t;
    const Claim owned = t.own(kPay);
    IdempotencyGuard guard;
    guard.claim = sha256("guard");
    guard.tenant = "default";
    const CallFence seal{"default", {.claim = owned.id, .token = owned.token, .effect_id = "e"}};
    EXPECT_EQ(t.status_of(seal, guard), 200);
    EXPECT_EQ(t.status_of(seal, guard), 200) << "its own rule answers the repeat";
    EXPECT_FALSE(t.row(*t.fences, guard.claim).has_value());
    EXPECT_FALSE(t.row(*t.main, guard.claim).has_value());
}

TEST(FenceStore, AStopWritesTheLastEntries) {
    SplitNode t;
    t.node.start();
    const Claim owned = t.own(kPay);
    (void)t.seal(owned);
    EXPECT_EQ(t.decision(kPay), Decision::duplicate);
    bool stopped = false;
    t.node.stop(Millis(0), [&] { stopped = true; });
    t.env.settle();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(t.log(*t.main).size(), 2U);
}

}  // namespace
}  // namespace semel::test
