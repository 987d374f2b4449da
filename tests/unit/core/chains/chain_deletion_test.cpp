// Deleting chains: whole, not under those who wait for them, and with what they waited for.
#include "core/limits.hpp"
#include "support/chain_table.hpp"

namespace semel {
namespace {

using test::ChainTable;
using test::code_of;
using test::ok;

Reply<DeleteChain> remove(ChainTable& t, const JobId& chain, bool cascade = false) {
    return t.run(DeleteChain{.tenant = "default", .chain = chain, .cascade = cascade});
}

std::string waiting_for(const std::string& type, const std::vector<JobId>& chains) {
    std::string ids;
    for (const JobId& id : chains) ids += (ids.empty() ? "\"" : ",\"") + id.to_string() + "\"";
    return R"({"type":")" + type + R"(","blockers":[)" + ids + "]}";
}

TEST(ChainDeletion, DeletesAChainWithAllItsJobs) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    const auto gone = remove(t, id);
    EXPECT_EQ(std::get<DeleteChain::Outcome>(gone), std::vector<JobId>{id});
    EXPECT_TRUE(t.list().empty());
    EXPECT_TRUE(t.take({"b"}).empty());
    EXPECT_EQ(code_of(remove(t, id)), ProblemCode::not_found);
}

TEST(ChainDeletion, ARunningOwnerIsFencedAndItsLockGroupFreed) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a","lockGroup":"g"})");
    const JobId next = t.start_id(R"({"type":"b","lockGroup":"g"})");
    const TakenJob running = t.take_one("a");
    ASSERT_EQ(code_of(remove(t, id)), std::nullopt);
    EXPECT_EQ(code_of(t.complete(running)), ProblemCode::not_found);
    EXPECT_EQ(t.take_one("b").job.id, next);
}

// In one commit: whatever is left of the old one, the next load tells.
TEST(ChainDeletion, AStartWithTheSameIdComesAfterIt) {
    ChainTable t;
    const std::string request =
        R"({"type":"a","id":"0192f0c1-2b7e-7000-8000-000000000001","input":1})";
    const JobId id = t.start_id(request);
    const StartChains again{.tenant = "default", .items = {t.chain_request(request)}};
    const auto [gone, refused] =
        t.run_together(DeleteChain{.tenant = "default", .chain = id}, again);
    EXPECT_EQ(code_of(gone), std::nullopt);
    EXPECT_TRUE(t.was_postponed);
    EXPECT_FALSE(t.find_chain(id).has_value());
    EXPECT_FALSE(t.start(request).deduplicated);
}

// In one commit: what goes with the chain was looked up before the chain was there.
TEST(ChainDeletion, OfAChainThatJustBeganWaitsForTheNextCommit) {
    ChainTable t;
    const std::string request =
        R"({"type":"a","id":"0192f0c1-2b7e-7000-8000-000000000001","input":1})";
    const StartChains start{.tenant = "default", .items = {t.chain_request(request)}};
    const JobId id = *Uuid::parse("0192f0c1-2b7e-7000-8000-000000000001");
    (void)t.run_together(start, DeleteChain{.tenant = "default", .chain = id});
    EXPECT_TRUE(t.was_postponed);
    EXPECT_TRUE(t.find_chain(id).has_value());
    EXPECT_EQ(std::get<DeleteChain::Outcome>(remove(t, id)), std::vector<JobId>{id});
    EXPECT_FALSE(t.find_chain(id).has_value());
}

TEST(ChainDeletion, AContinuationWithTheSameIdComesAfterIt) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a","id":"0192f0c1-2b7e-7000-8000-000000000001"})");
    const JobId other = t.start_id(R"({"type":"b"})");
    const CompleteChain go_on{.tenant = "default",
                              .chain = other,
                              .continue_with = t.continuation(
                                  R"({"type":"c","id":"0192f0c1-2b7e-7000-8000-000000000001"})")};
    (void)t.run_together(DeleteChain{.tenant = "default", .chain = id}, go_on);
    EXPECT_TRUE(t.was_postponed);
    EXPECT_EQ(t.chain_status(other), Status::pending);
    EXPECT_EQ(code_of(t.run(go_on)), std::nullopt);
}

TEST(ChainDeletion, IsRefusedWithTheListWhileOthersWait) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for("join", {x}));
    for (const bool cascade : {false, true}) {
        const auto refused = remove(t, x, cascade);
        ASSERT_EQ(code_of(refused), ProblemCode::dependants);
        EXPECT_EQ(std::get<Problem>(refused).dependants, std::vector<Uuid>{join});
    }
    EXPECT_EQ(t.chain_status(x), Status::pending);
    ASSERT_EQ(code_of(t.cancel_chain(join)), std::nullopt);
    EXPECT_EQ(code_of(remove(t, x)), std::nullopt);
    EXPECT_FALSE(t.find_chain(x).has_value());
    EXPECT_EQ(t.get(join).blockers.at(0).status, std::nullopt);  // it is gone
}

TEST(ChainDeletion, WithoutCascadeWhatItWaitedForStays) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for("join", {x}));
    ASSERT_EQ(code_of(remove(t, join)), std::nullopt);
    EXPECT_EQ(t.chain_status(x), Status::pending);
    EXPECT_EQ(t.job(x).blocks, 0);
    t.work("x");
    t.advance(t.settings.job_retention);
    EXPECT_EQ(t.prune().count, 1);
}

TEST(ChainDeletion, CascadeTakesADiamondOnce) {
    ChainTable t;
    const JobId base = t.start_id(R"({"type":"x"})");
    const JobId left = t.start_id(waiting_for("l", {base}));
    const JobId right = t.start_id(waiting_for("r", {base}));
    const JobId top = t.start_id(waiting_for("top", {left, right}));
    const JobId other = t.start_id(R"({"type":"other"})");
    const auto gone = std::get<DeleteChain::Outcome>(remove(t, top, true));
    EXPECT_EQ(gone.size(), 4U);
    ASSERT_EQ(t.list().size(), 1U);
    EXPECT_EQ(t.list().front().job.id, other);
}

TEST(ChainDeletion, CascadeGoesDeepButNotWithoutEnd) {
    ChainTable t;
    JobId top = t.start_id(R"({"type":"t"})");
    for (int depth = 1; depth < kDeletedLevelsMax; ++depth) {
        top = t.start_id(waiting_for("t", {top}));
    }
    const JobId over = t.start_id(waiting_for("t", {top}));
    EXPECT_EQ(code_of(remove(t, over, true)), ProblemCode::too_large);
    EXPECT_EQ(t.chain_status(over), Status::blocked);
    ASSERT_EQ(code_of(remove(t, over)), std::nullopt);
    EXPECT_EQ(std::get<DeleteChain::Outcome>(remove(t, top, true)).size(),
              static_cast<std::size_t>(kDeletedLevelsMax));
    EXPECT_TRUE(t.list().empty());
}

TEST(ChainDeletion, CascadeIsRefusedWhenSomebodyOutsideWaitsForABlocker) {
    ChainTable t;
    const JobId base = t.start_id(R"({"type":"x"})");
    const JobId top = t.start_id(waiting_for("top", {base}));
    const JobId outside = t.start_id(waiting_for("outside", {base}));
    const auto refused = remove(t, top, true);
    ASSERT_EQ(code_of(refused), ProblemCode::dependants);
    EXPECT_EQ(std::get<Problem>(refused).dependants, std::vector<Uuid>{outside});
    EXPECT_EQ(t.list().size(), 3U);
}

TEST(ChainDeletion, ItsKeyIsRemembered) {
    ChainTable t;
    const std::string request = R"({"type":"a","deduplication":{"key":"k","scope":"any"}})";
    const JobId id = t.start_id(request);
    ASSERT_EQ(code_of(remove(t, id)), std::nullopt);
    const StartedChain again = t.start(request);
    EXPECT_TRUE(again.purged);
    EXPECT_EQ(again.chain.first.id, id);
    EXPECT_EQ(again.chain.last.status, Status::cancelled);
    EXPECT_FALSE(t.start(R"({"type":"a","deduplication":{"key":"k"}})").deduplicated);
}

TEST(ChainDeletion, AStepThatTheSameCommitMadeGoesToo) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    CompleteChain complete{.tenant = "default", .chain = id};
    complete.continue_with = t.continuation(R"({"type":"b","blockers":[{"type":"x"}]})");
    const auto [went_on, gone] =
        t.run_together(complete, DeleteChain{.tenant = "default", .chain = id});
    ASSERT_EQ(code_of(went_on), std::nullopt);
    ASSERT_EQ(code_of(gone), std::nullopt);
    ASSERT_EQ(t.list().size(), 1U);
    EXPECT_EQ(t.list().front().job.type, "x");
    EXPECT_EQ(t.list().front().job.blocks, 0);
}

TEST(ChainDeletion, OneWithMoreEdgesThanOneLoadShouldIsLeftToRetention) {
    ChainTable t;
    std::vector<JobId> parts;
    while (parts.size() < kBlockersMax) parts.push_back(t.start_id(R"({"type":"x"})"));
    for (const JobId& part : parts) {
        ASSERT_EQ(code_of(t.complete_chain(part, 0, "1")), std::nullopt);
    }
    const JobId id = t.start_id(waiting_for("join", parts));
    for (int index = 0; static_cast<std::size_t>(index) * kBlockersMax < kDeletedEdgesMax;
         ++index) {
        CompleteChain next{.tenant = "default", .chain = id, .chain_index = index};
        next.continue_with = t.continuation(waiting_for("join", parts));
        ASSERT_EQ(code_of(t.run(next)), std::nullopt);
    }
    const auto refused = remove(t, id);
    ASSERT_EQ(code_of(refused), ProblemCode::too_large);
    EXPECT_NE(std::get<Problem>(refused).detail.find("20000 times"), std::string::npos);
    ASSERT_EQ(code_of(t.cancel_chain(id)), std::nullopt);
    t.advance(t.settings.job_retention);
    int rounds = 0;
    while (t.prune().count > 0) ++rounds;
    EXPECT_GT(rounds, static_cast<int>(kDeletedEdgesMax / kBlockersMax)) << "a step at a time";
    EXPECT_TRUE(t.list().empty());
}

// Whoever has waited for the first would take the second for it.
TEST(ChainDeletion, WhoHasItsIdLaterDoesNotHaveItsKey) {
    ChainTable t;
    const std::string id = "018f0000-0000-7000-8000-000000000001";
    const std::string key = R"("deduplication":{"key":"k","scope":"any"})";
    t.start(R"({"type":"a","id":")" + id + R"(",)" + key + "}");
    t.work("a");
    ASSERT_EQ(code_of(remove(t, *Uuid::parse(id))), std::nullopt);
    ASSERT_FALSE(t.start(R"({"type":"b","id":")" + id + R"("})").deduplicated);

    const StartedChain met = t.start(R"({"type":"a",)" + key + "}");
    EXPECT_TRUE(met.deduplicated);
    EXPECT_TRUE(met.purged);
    EXPECT_FALSE(t.start(R"({"type":"a","deduplication":{"key":"k"}})").deduplicated);
}

TEST(ChainDeletion, ItsIdIsNotHadAgainWhileAJobNamesIt) {
    ChainTable t;
    const std::string id = "0192f0c1-2b7e-7000-8000-000000000001";
    const std::string request = R"({"type":"x","id":")" + id + R"("})";
    const JobId x = t.start_id(request);
    const JobId join = t.start_id(waiting_for("join", {x}));
    ASSERT_EQ(code_of(t.cancel_chain(join)), std::nullopt);
    ASSERT_EQ(code_of(remove(t, x)), std::nullopt);
    EXPECT_EQ(code_of(t.try_start(request)), ProblemCode::conflict);
    ASSERT_EQ(code_of(remove(t, join)), std::nullopt);
    EXPECT_EQ(t.start_id(request), x);
    EXPECT_EQ(t.job(x).blocks, 0);
}

TEST(ChainDeletion, AnotherTenantsChainIsNotFound) {
    ChainTable t;
    const JobId id = t.start(R"({"type":"a"})", "other").chain.first.id;
    EXPECT_EQ(code_of(remove(t, id)), ProblemCode::not_found);
    EXPECT_TRUE(t.find_chain(id, "other").has_value());
}

}  // namespace
}  // namespace semel
