// Sealed receipts that are told from memory: as the store would tell them, and counted as if it
// had.
#include "engine/receipt_cache.hpp"

#include <atomic>
#include <map>
#include <thread>

#include "core/keys/replay.hpp"
#include "support/fence_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::answer_of;
using test::FenceNode;

constexpr const char* kOneKey = R"({"key":"k"})";
constexpr const char* kOne = R"({"key":"k","content":{"n":1}})";
constexpr const char* kTwo = R"({"key":"k","content":{"n":2}})";

struct Counting final : Observer {
    void on_decision(const DecisionEntry& entry) override {
        decided += entry.decision == Decision::duplicate ? 1 : 0;
    }
    void on_replay() override { ++replayed; }
    int decided = 0;
    int replayed = 0;
};

// A key that is sealed, and that somebody was told of.
struct SealedNode : FenceNode {
    SealedNode() {
        env.observe(observer);
        sealed = test::done(seal(own(kOne), "e-1", R"({"n":1})"));
        EXPECT_EQ(answer_of(ask(kOne)).decision, Decision::duplicate);
        loads_before = store.loads;
    }
    SealedNode(const SealedNode&) = delete;
    SealedNode& operator=(const SealedNode&) = delete;
    ~SealedNode() = default;

    // Whether the store was asked since the last time.
    bool was_asked() { return std::exchange(loads_before, store.loads) != store.loads; }
    Decision served(const char* request) { return answer_of(ask(request)).decision; }
    std::int64_t repeats() {
        std::int64_t count = -1;
        store.reads().get_claim("default", sealed.id, [&](auto found) {
            if (found && *found) count = (*found)->repeats;
        });
        return count;
    }

    Counting observer;
    Claim sealed;
    int loads_before = 0;
};

TEST(ReceiptsFromMemory, AreTheSameAndAskTheStoreOnce) {
    SealedNode t;
    for (const char* request : {kOne, kOneKey, kOne}) {
        const FenceAnswer answer = answer_of(t.ask(request));
        EXPECT_EQ(answer.decision, Decision::duplicate);
        EXPECT_EQ(answer.claim->receipt, t.sealed.receipt);
        EXPECT_EQ(answer.claim->effect, t.sealed.effect);
        EXPECT_EQ(answer.claim->expires_at, t.sealed.expires_at);
    }
    EXPECT_FALSE(t.was_asked());
}

TEST(ReceiptsFromMemory, AreCountedLikeAnyDuplicate) {
    SealedNode t;
    for (int i = 0; i < 3; ++i) t.served(kOne);
    EXPECT_EQ(t.observer.decided, 1);
    EXPECT_EQ(t.observer.replayed, 3);
    t.env.advance(2s);
    EXPECT_EQ(t.repeats(), 4);
    std::int64_t logged = 0;
    int lines = 0;
    for (const LoggedDecision& line : t.decisions()) {
        if (line.entry.decision != Decision::duplicate) continue;
        logged += line.entry.count;
        ++lines;
        EXPECT_EQ(line.entry.effect, "e-1");
    }
    EXPECT_EQ(logged, 4);
    EXPECT_EQ(lines, 1) << "one sum, wherever they were told from";

    // What was counted is written to the claim, and the next round begins anew.
    EXPECT_TRUE(t.was_asked());
    t.served(kOne);
    EXPECT_FALSE(t.was_asked());
    t.env.advance(2s);
    EXPECT_EQ(t.repeats(), 5);
}

TEST(ReceiptsFromMemory, OtherContentIsJudgedByItsRow) {
    SealedNode t;
    const auto served = t.ask(kTwo);
    ASSERT_TRUE(served->has_value());
    EXPECT_EQ(std::get<Problem>(***served).code, ProblemCode::conflict);
    EXPECT_TRUE(t.was_asked());
    EXPECT_EQ(t.served(kOne), Decision::duplicate);
    EXPECT_FALSE(t.was_asked());
}

TEST(ReceiptsFromMemory, EndWithTheirTime) {
    SealedNode t;
    t.env.advance(*t.sealed.expires_at - t.env.now() - 1ms);
    EXPECT_EQ(t.served(kOne), Decision::duplicate);
    t.env.advance(1ms);
    EXPECT_EQ(t.served(kOne), Decision::new_);
}

TEST(ReceiptsFromMemory, EndWithADeletion) {
    SealedNode t;
    test::done(t.delete_claim(t.sealed.id));
    EXPECT_EQ(t.served(kTwo), Decision::new_);
}

TEST(ReceiptsFromMemory, OfTheNextOwnerAreItsOwn) {
    SealedNode t;
    test::done(t.delete_claim(t.sealed.id));
    test::done(t.seal(t.own(kTwo), "e-2"));
    for (int i = 0; i < 2; ++i) {
        const FenceAnswer answer = answer_of(t.ask(kTwo));
        EXPECT_EQ(answer.decision, Decision::duplicate);
        EXPECT_EQ(answer.claim->effect->id, "e-2");
    }
}

// What was told of an answer that somebody has deleted meanwhile is not the next owner's.
TEST(ReceiptsFromMemory, AreCountedOnTheOwnerWhoseAnswerTheyWere) {
    SealedNode t;
    for (int i = 0; i < 3; ++i) t.served(kOne);
    test::done(t.delete_claim(t.sealed.id));
    test::done(t.seal(t.own(kOne), "e-2"));
    EXPECT_EQ(t.served(kOne), Decision::duplicate);
    EXPECT_EQ(t.served(kOne), Decision::duplicate);
    t.env.advance(2s);
    EXPECT_EQ(t.repeats(), 2);
    std::map<std::string, std::int64_t> logged;
    for (const LoggedDecision& line : t.decisions()) {
        if (line.entry.decision == Decision::duplicate) {
            logged[line.entry.effect] += line.entry.count;
        }
    }
    EXPECT_EQ(logged, (std::map<std::string, std::int64_t>{{"e-1", 4}, {"e-2", 2}}));
}

// Its change says nothing of a seal: before it was owned, after it is free.
TEST(ReceiptsFromMemory, SealedServedAndDeletedInOneCommitIsGone) {
    FenceNode t;
    const Claim owned = t.own(kOneKey);
    t.node.submit(t.command(R"({"key":"busy"})"), [](const auto&) {});  // the others share a batch
    const int commits = t.store.commits;
    t.node.submit(CallFence{.tenant = "default",
                            .call = {.claim = owned.id,
                                     .token = owned.token,
                                     .verb = FenceVerb::seal,
                                     .effect_id = "e"}},
                  [](const auto&) {});
    std::optional<Result<Item<FenceAnswer>>> served;
    t.node.claim_fence(t.command(kOneKey), [&](auto answer) { served = std::move(answer); });
    t.node.submit(DeleteClaim{.tenant = "default", .claim = owned.id, .reason = "r"},
                  [](const auto&) {});
    t.env.settle();
    ASSERT_TRUE(served && *served);
    EXPECT_EQ(std::get<FenceAnswer>(**served).decision, Decision::duplicate);
    EXPECT_LE(t.store.commits, commits + 2) << "or this tests nothing";
    EXPECT_EQ(answer_of(t.ask(kOneKey)).decision, Decision::new_);
}

TEST(ReceiptsFromMemory, AreForgottenWhereACommitMayHaveEndedThem) {
    SealedNode t;
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "lost");
    t.node.submit(DeleteClaim{.tenant = "default", .claim = t.sealed.id, .reason = "r"},
                  [](const auto&) {});
    t.env.settle();
    EXPECT_EQ(t.served(kOne), Decision::new_);
}

TEST(ReceiptsFromMemory, AreNotServedByANodeThatStops) {
    SealedNode t;
    t.node.start();
    t.node.stop(0s, [] {});
    const auto late = t.ask(kOne);
    ASSERT_TRUE(late->has_value());
    EXPECT_EQ((*late)->error().code(), ErrorCode::stopped);
    t.env.settle();
}

TEST(ReceiptsFromMemory, AreCountedBeforeANodeStops) {
    SealedNode t;
    for (int i = 0; i < 3; ++i) t.served(kOne);
    t.node.start();
    t.node.stop(0s, [] {});
    t.env.settle();
    EXPECT_EQ(t.repeats(), 4);
}

// Nodes that share a store hear of one another's deletions within a second.
TEST(ReceiptsFromMemory, OfASharedStoreAreASecondOldAtMost) {
    FenceNode t;
    t.store.shared = true;
    const Claim sealed = test::done(t.seal(t.own(kOne)));
    t.ask(kOne);
    const int loads = t.store.loads;
    t.env.advance(500ms);
    EXPECT_EQ(answer_of(t.ask(kOne)).decision, Decision::duplicate);
    EXPECT_EQ(t.store.loads, loads);

    Node other{t.env, t.store, {}};
    other.submit(DeleteClaim{.tenant = "default", .claim = sealed.id, .reason = "r"},
                 [](const auto&) {});
    t.env.settle();
    t.env.advance(500ms);
    EXPECT_EQ(answer_of(t.ask(kOne)).decision, Decision::new_);
}

TEST(ReceiptsFromMemory, OfASharedStoreAreNotServedCloseToTheirEnd) {
    FenceNode t;
    t.store.shared = true;
    const Claim sealed = test::done(t.seal(t.own(kOne)));
    t.env.advance(*sealed.expires_at - t.env.now() - 900ms);
    t.ask(kOne);
    const int loads = t.store.loads;
    EXPECT_EQ(answer_of(t.ask(kOne)).decision, Decision::duplicate);
    EXPECT_GT(t.store.loads, loads) << "another node's clock may be ahead of this one";
}

// ---- the cache by itself ----------------------------------------------------------------------

struct Cache {
    explicit Cache(std::size_t bytes_max = 1'000'000)
        : receipts(t.env, t.store, bytes_max, [this] { ++called; }) {}

    ClaimFence command(int key) { return t.command(R"({"key":")" + std::to_string(key) + "\"}"); }
    Claim sealed(int key, std::size_t receipt_bytes = 10) {
        const ClaimFence request = command(key);
        Claim claim;
        claim.id = request.request.claim;
        claim.tenant = "default";
        claim.full_key = request.request.full_key;
        claim.state = ClaimState::sealed;
        claim.expires_at = t.env.now() + 1h;
        claim.receipt = Receipt{.status = 200, .body = std::string(receipt_bytes, '1')};
        claim.effect.emplace().id = "e";
        return claim;
    }
    static Result<Item<FenceAnswer>> served(const Claim& claim) {
        return Item<FenceAnswer>(replayed(std::make_shared<const Claim>(claim)));
    }
    void keep(const Claim& claim) { receipts.answered(receipts.ask(claim.id), served(claim)); }
    [[nodiscard]] bool has(int key) { return receipts.find(command(key)) != nullptr; }
    void record(std::optional<Claim> before, std::optional<Claim> after) {
        Changes changes;
        changes.claims.push_back({std::move(before), std::move(after)});
        receipts.recorded(changes);
    }

    FenceNode t;
    std::atomic<int> called = 0;
    ReceiptCache receipts;
};

// It was read before the claim was changed, and is told after that.
TEST(ReceiptCache, AnAnswerThatIsOutOfDateIsNotKept) {
    Cache c;
    const Claim sealed = c.sealed(1);
    Claim freed = sealed;
    freed.state = ClaimState::free;
    Claim owned = sealed;
    owned.state = ClaimState::owned;
    Claim resealed = sealed;
    resealed.effect->id = "other";
    const std::vector<std::pair<std::optional<Claim>, std::optional<Claim>>> changes = {
        {sealed, freed}, {sealed, std::nullopt}, {owned, std::nullopt}, {sealed, resealed}};
    for (const auto& [before, after] : changes) {
        const auto ticket = c.receipts.ask(sealed.id);
        c.record(before, after);
        c.receipts.answered(ticket, Cache::served(sealed));
        EXPECT_FALSE(c.has(1));
    }
    const auto ticket = c.receipts.ask(sealed.id);
    c.receipts.forget_all();
    c.receipts.answered(ticket, Cache::served(sealed));
    EXPECT_FALSE(c.has(1)) << "anything may have changed meanwhile";
    c.keep(sealed);
    EXPECT_TRUE(c.has(1));
}

TEST(ReceiptCache, AChangeOfAnotherClaimIsNone) {
    Cache c;
    const Claim sealed = c.sealed(1);
    const auto ticket = c.receipts.ask(sealed.id);
    c.record(c.sealed(2), std::nullopt);
    c.receipts.answered(ticket, Cache::served(sealed));
    EXPECT_TRUE(c.has(1));
}

TEST(ReceiptCache, OnlyDuplicatesAreKept) {
    Cache c;
    const Claim claim = c.sealed(1);
    FenceAnswer answer = replayed(std::make_shared<const Claim>(claim));
    answer.decision = Decision::in_flight;
    c.receipts.answered(c.receipts.ask(claim.id), Item<FenceAnswer>(answer));
    c.receipts.answered(c.receipts.ask(claim.id), Item<FenceAnswer>(Problem{}));
    c.receipts.answered(c.receipts.ask(claim.id), Error(ErrorCode::stopped, "s"));
    EXPECT_EQ(c.receipts.size(), 0U);
    EXPECT_EQ(c.receipts.bytes(), 0U);
}

TEST(ReceiptCache, IsBoundedAndForgetsWhatWasAskedForLongestAgo) {
    constexpr std::size_t kBytes = 320'000;
    Cache c(kBytes);
    for (int key = 0; key < 1000; ++key) {
        c.keep(c.sealed(key, 1'000));
        EXPECT_LE(c.receipts.bytes(), kBytes);
        EXPECT_TRUE(c.has(key));
        EXPECT_TRUE(c.has(0)) << "asked for all the time, after " << key;
    }
    EXPECT_GE(c.receipts.size(), 80U);
    EXPECT_LT(c.receipts.size(), 320U);
    EXPECT_FALSE(c.has(1));
    c.keep(c.sealed(200, kBytes));
    EXPECT_FALSE(c.has(200)) << "larger than all of it";
    EXPECT_TRUE(c.has(0)) << "and nothing goes for its sake";
    for (int key = 0; key < 1000; ++key) {
        c.record(c.sealed(key), std::nullopt);
    }
    EXPECT_EQ(c.receipts.size(), 0U);
    EXPECT_EQ(c.receipts.bytes(), 0U);
}

TEST(ReceiptCache, SaysOnceThatItHasServedSomethingAndSumsItUp) {
    Cache c;
    c.keep(c.sealed(1));
    c.keep(c.sealed(2));
    EXPECT_TRUE(c.has(1) && c.has(1) && c.has(2));
    EXPECT_GE(c.called, 1);
    const int called = c.called;
    EXPECT_TRUE(c.has(1) && c.has(2));
    EXPECT_EQ(c.called, called);
    c.record(c.sealed(1), std::nullopt);
    const auto served = c.receipts.take_served();
    ASSERT_EQ(served.size(), 2U) << "a claim that has gone was told all the same";
    EXPECT_EQ(served[0].count + served[1].count, 5);
    EXPECT_TRUE(c.receipts.take_served().empty());
    EXPECT_TRUE(c.has(2));
    EXPECT_EQ(c.called, called + 1);
    EXPECT_EQ(c.receipts.take_served().front().count, 1);
}

// What is told and cannot be written down in time would not be counted.
TEST(ReceiptCache, TellsNoMoreClaimsThanCanBeWrittenDown) {
    Cache c(std::size_t{64} << 20);
    std::size_t served = 0;
    for (int key = 0; key < 5000; ++key) {
        c.keep(c.sealed(key));
        served += c.has(key) ? 1 : 0;
    }
    EXPECT_LT(served, 5000U);
    EXPECT_TRUE(c.has(0)) << "it has its line";
    EXPECT_FALSE(c.has(4999));
    EXPECT_TRUE(c.receipts.has_served_many());
    EXPECT_EQ(c.receipts.take_served().size(), served);
    EXPECT_TRUE(c.has(4999));
}

TEST(ReceiptCache, IsAskedOnAnyThread) {
    Cache c;
    c.keep(c.sealed(1));
    const ClaimFence asked = c.command(1);
    std::vector<std::thread> threads;
    std::atomic<int> found = 0;
    std::atomic<int> asking = 4;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 1000; ++n) found += c.receipts.find(asked) != nullptr ? 1 : 0;
            --asking;
        });
    }
    std::int64_t counted = 0;
    const auto count = [&] {
        for (const DecisionEntry& line : c.receipts.take_served()) counted += line.count;
    };
    while (asking > 0) {
        c.keep(c.sealed(1));
        c.record(c.sealed(1), c.sealed(1));
        count();
        c.receipts.forget_all();
    }
    c.receipts.stop();
    for (std::thread& thread : threads) thread.join();
    count();
    EXPECT_EQ(counted, found);
}

// By a node that is asked for many keys: each has a line of its own, and what does not fit is asked
// of the store.
TEST(ReceiptsFromMemory, OfManyKeysAreAllCounted) {
    constexpr int kKeys = DecisionLog::kSumsMax + 200;
    FenceNode t;
    const auto request = [](int key) { return R"({"key":"k-)" + std::to_string(key) + "\"}"; };
    std::vector<ClaimId> sealed;
    for (int key = 0; key < kKeys; ++key) {
        sealed.push_back(test::done(t.seal(t.own(request(key).c_str()))).id);
    }
    for (int round = 0; round < 3; ++round) {
        for (int key = 0; key < kKeys; ++key) t.ask(request(key));
        t.store.fail_load =
            round == 1 ? std::optional(Error(ErrorCode::unavailable, "away")) : std::nullopt;
        t.env.advance(2s);
        t.store.fail_load.reset();
        t.env.advance(2s);
    }
    std::int64_t counted = 0;
    for (const ClaimId& id : sealed) {
        t.store.reads().get_claim("default", id, [&](auto found) { counted += (*found)->repeats; });
    }
    EXPECT_EQ(counted, 3 * kKeys);
}

TEST(ReceiptCache, OfNoSizeKeepsNothing) {
    Cache c(0);
    c.keep(c.sealed(1));
    EXPECT_FALSE(c.has(1));
}

}  // namespace
}  // namespace semel
