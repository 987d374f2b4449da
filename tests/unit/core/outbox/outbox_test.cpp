// What users' own transactions left, and jobs whose result is on its way.
#include "core/outbox/outbox.hpp"

#include <random>

#include <gtest/gtest.h>

#include "core/fences/fence.hpp"
#include "support/fence_table.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

OutboxEntry request_entry(std::int64_t number, const std::string& body) {
    OutboxEntry entry;
    entry.id = number;
    entry.tenant = "default";
    entry.subject.bytes[15] = static_cast<std::uint8_t>(number);
    entry.content = body;
    return entry;
}

std::string entry_of(const std::string& key, const std::string& more = "") {
    return R"({"type":"t","payload":{"entityId":")" + key + R"("})" + more + "}";
}

ClaimId claim_of(const std::string& body) {
    LoadSpec spec;
    name_rows(request_entry(1, body), Settings{}, spec);
    return spec.claims.at(0);
}

// A drain over what was loaded.
class Drain {
public:
    explicit Drain(std::vector<OutboxEntry> found = {}) : entries(std::move(found)) {}

    std::vector<OutboxEntry> entries;
    std::vector<Claim> claims;
    std::vector<Source> sources;
    LockedElsewhere locked_elsewhere;
    Changes changes;

    DrainOutcome run(const OutboxSkips& skipped = {}) {
        Loaded loaded;
        loaded.now = from_ms(1'800'000'000'000);
        loaded.locked_elsewhere = locked_elsewhere;
        loaded.claims = claims;
        loaded.sources = sources;
        QueryResult found;
        found.outbox = entries;
        loaded.queries.push_back(std::move(found));
        Workspace workspace(std::move(loaded), settings_, ids_, random_);
        workspace.savepoint();
        const auto reply = decide(DrainOutbox{.skipped = skipped}, workspace);
        EXPECT_FALSE(workspace.met_locked()) << "the batch goes on";
        changes = workspace.take_changes();
        return std::get<DrainOutcome>(reply);
    }

private:
    Settings settings_;
    std::mt19937_64 engine_{7};
    std::function<std::uint64_t()> random_ = [this] { return engine_(); };
    UuidGenerator ids_{random_};
};

TEST(DrainOutbox, MakesTheActionThatWasAskedFor) {
    Drain drain({request_entry(1, entry_of("a"))});
    const auto outcome = drain.run();
    EXPECT_EQ(outcome.count, 1);
    EXPECT_TRUE(outcome.more);
    ASSERT_EQ(drain.changes.jobs.size(), 1U);
    EXPECT_EQ(drain.changes.jobs[0].after->id, drain.entries[0].subject);
    EXPECT_EQ(drain.changes.drained, std::vector<std::int64_t>{1});
    ASSERT_EQ(drain.changes.outbox_results.size(), 1U);
    EXPECT_EQ(drain.changes.outbox_results[0].json,
              R"({"decision":"new","id":"00000000-0000-0000-0000-000000000001","error":null})");
}

TEST(DrainOutbox, NothingFoundIsTheEnd) {
    Drain drain;
    EXPECT_FALSE(drain.run().more);
    EXPECT_TRUE(drain.changes.empty());
}

TEST(DrainOutbox, WhatCannotBeReadIsAnswered) {
    Drain drain({request_entry(1, "{"), request_entry(2, R"({"type":"t","x":1})"),
                 request_entry(3, entry_of("a"))});
    EXPECT_EQ(drain.run().count, 3);
    EXPECT_EQ(drain.changes.jobs.size(), 1U);
    ASSERT_EQ(drain.changes.outbox_results.size(), 3U);
    EXPECT_NE(drain.changes.outbox_results[1].json.find(R"("code":"unknown_member")"),
              std::string::npos);
}

TEST(DrainOutbox, AnOutputThatARequestMayNotHaveBecomesAString) {
    OutboxEntry entry = request_entry(1, "");
    entry.verb = OutboxVerb::complete;
    const auto output_of = [&](const std::string& content) {
        entry.content = content;
        const auto command = std::get<SettleJobs>(read_outbox_entry(entry, Settings{}));
        return std::get<JobCall>(command.calls.front()).output.value_or("none");
    };
    EXPECT_EQ(output_of(R"({"a": 1})"), R"({"a": 1})");
    EXPECT_EQ(output_of(R"({"a":1,"a":2})"), R"("{\"a\":1,\"a\":2}")");
    EXPECT_EQ(output_of("1e400"), R"("1e400")");
    const std::string deep = std::string(5000, '[') + std::string(5000, ']');
    EXPECT_EQ(output_of(deep), "\"" + deep + "\"");
}

TEST(DrainOutbox, WhatMeetsALockedRowIsLeftWithItsKey) {
    const std::string in_group = entry_of("a", R"(,"lockGroup":"g")");
    Drain drain({request_entry(1, in_group), request_entry(2, entry_of("a")),
                 request_entry(3, entry_of("b"))});
    drain.locked_elsewhere.groups = {{"default", "g"}};
    const auto outcome = drain.run();
    EXPECT_EQ(outcome.count, 1);
    EXPECT_EQ(outcome.skipped.entries, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(drain.changes.drained, std::vector<std::int64_t>{3});
    EXPECT_EQ(drain.changes.jobs.size(), 1U);
    EXPECT_EQ(drain.changes.outbox_results.size(), 1U);
    EXPECT_EQ(drain.changes.decisions.size(), 1U);
}

TEST(DrainOutbox, AKeyThatWasLeftStaysLeftForTheRound) {
    Drain drain({request_entry(5, entry_of("a")), request_entry(6, entry_of("b"))});
    const auto outcome = drain.run({.entries = {1}, .keys = {claim_of(entry_of("a"))}});
    EXPECT_EQ(outcome.count, 1);
    EXPECT_EQ(outcome.skipped.entries, (std::vector<std::int64_t>{1, 5}));
}

OutboxEntry chain_entry(std::int64_t number, const std::string& body) {
    OutboxEntry entry = request_entry(number, body);
    entry.verb = OutboxVerb::start_chain;
    return entry;
}

TEST(DrainOutbox, StartsTheChainThatWasAskedFor) {
    Drain drain({chain_entry(1, R"({"type":"t","input":1,"deduplication":{"key":"k"}})"),
                 chain_entry(2, R"({"type":"t","input":2,"deduplication":{"key":"k"}})")});
    EXPECT_EQ(drain.run().count, 2);
    ASSERT_EQ(drain.changes.jobs.size(), 1U);
    EXPECT_EQ(drain.changes.jobs[0].after->id, drain.entries[0].subject);
    EXPECT_TRUE(drain.changes.jobs[0].after->in_chain);
    ASSERT_EQ(drain.changes.outbox_results.size(), 2U);
    EXPECT_EQ(drain.changes.outbox_results[1].id, drain.entries[1].subject);
    EXPECT_EQ(drain.changes.outbox_results[1].json,
              R"({"decision":"duplicate","id":"00000000-0000-0000-0000-000000000001",)"
              R"("error":null})");
}

TEST(DrainOutbox, AChainThatIsLeftKeepsTheKeysOfItsBlockers) {
    const std::string keyed_chain = R"({"type":"b","deduplication":{"key":"k"}})";
    const std::string grouped_chain = R"({"type":"c","lockGroup":"g"})";
    Drain drain(
        {chain_entry(1, R"({"type":"t","blockers":[)" + keyed_chain + "," + grouped_chain + "]}"),
         chain_entry(2, keyed_chain), chain_entry(3, R"({"type":"b"})")});
    drain.locked_elsewhere.groups = {{"default", "g"}};
    const auto outcome = drain.run();
    EXPECT_EQ(outcome.skipped.entries, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(drain.changes.drained, std::vector<std::int64_t>{3});
}

// A job that is being worked on.
class Settling : public testing::Test {
protected:
    Settling() {
        table.schedule(R"({"type":"t","maxRetries":1})");
        job = table.take_one("t");
        table.edit_job(job.job.id, [](Job& row) { row.settling = true; });
    }

    Tabletop table;
    TakenJob job;
};

TEST_F(Settling, IsNotTakenOver) {
    table.advance(24h);
    EXPECT_EQ(table.rescue().count, 0);
    EXPECT_EQ(table.job(job.job.id).token, job.job.token);
}

TEST_F(Settling, AHeartbeatChangesNothing) {
    table.advance(1s);
    EXPECT_EQ(ok(table.heartbeat(job)).lease_until, job.job.lease->until);
    EXPECT_TRUE(table.job(job.job.id).settling);
}

TEST_F(Settling, WhateverElseWouldEndItIsPostponed) {
    (void)table.complete(job);
    EXPECT_TRUE(table.was_postponed);
    EXPECT_EQ(table.status(job.job.id), Status::running);
    (void)table.operate(Operation::cancel, job.job.id);
    EXPECT_TRUE(table.was_postponed);
    EXPECT_EQ(table.status(job.job.id), Status::running);
    (void)table.heartbeat(job);
    EXPECT_FALSE(table.was_postponed);
}

// They are answered by what the action will be, and that is not `running`.
TEST_F(Settling, WhatAnOperatorAsksForIsPostponed) {
    (void)table.operate(Operation::run_now, job.job.id);
    EXPECT_TRUE(table.was_postponed);
    (void)table.operate(Operation::retry, job.job.id);
    EXPECT_TRUE(table.was_postponed);
    (void)table.run(ResolveAction{.tenant = "default",
                                  .id = job.job.id,
                                  .resolution = Resolution::completed,
                                  .reason = "seen"});
    EXPECT_TRUE(table.was_postponed);
    EXPECT_TRUE(table.job(job.job.id).settling);
}

// ---- fences -----------------------------------------------------------------------------------

OutboxEntry seal_entry(const Claim& owned, const std::string& key) {
    OutboxEntry entry = request_entry(1, R"({"n": 1.0})");
    entry.verb = OutboxVerb::seal;
    entry.token = owned.token;
    entry.fence = key;
    entry.effect_id = "e1";
    return entry;
}

// As the SQL function leaves it behind.
void settle(FenceTable& table, const Claim& owned) {
    table.edit_claim(owned.id, [](Workspace& workspace, Claim& claim) {
        claim.effect->settling = true;
        if (const auto source = source_of(claim)) workspace.sources.edit(*source).settling = true;
    });
}

TEST(SettlingFence, WaitsForItsSealWhateverComesMeanwhile) {
    FenceTable t;
    const std::string request =
        R"({"parts":{"sourceType":"a","sourceId":"b","revision":1},"version":1})";
    const Claim owned = t.own(request);
    settle(t, owned);
    const Claim settling = *t.row(owned.id);
    t.advance(30 * 24h);
    const auto is_postponed = [&](const auto& command) {
        (void)t.run(command);
        return t.was_postponed;
    };
    EXPECT_TRUE(is_postponed(t.command(request)));
    EXPECT_TRUE(is_postponed(
        t.command(R"({"parts":{"sourceType":"a","sourceId":"b","revision":2},"version":2})")));
    EXPECT_TRUE(is_postponed(DeleteClaim{"default", owned.id, "wrong"}));
    (void)t.release(owned);
    EXPECT_TRUE(t.was_postponed);
    EXPECT_EQ(done(t.heartbeat(owned)), settling);
    EXPECT_FALSE(t.was_postponed);
    EXPECT_EQ(t.prune_claims().count, 0);
    EXPECT_EQ(t.row(owned.id), settling);
}

TEST(SettlingFence, IsSealedByTheDrainAlsoLongAfterItsLease) {
    FenceTable t;
    const std::string request = R"({"parts":{"sourceType":"a","sourceId":"b"},"version":1})";
    const Claim owned = t.own(request);
    settle(t, owned);
    Drain drain({seal_entry(owned, std::get<FenceRequest>(t.fence_request(request)).key)});
    drain.claims = {*t.row(owned.id)};
    drain.sources = {{.key = *source_of(owned),
                      .holder = SourceHolder{owned.id, owned.token, owned.effect->lease_until},
                      .settling = true}};
    EXPECT_EQ(drain.run().count, 1);
    const Claim& sealed = *drain.changes.claims.at(0).after;
    EXPECT_EQ(sealed.state, ClaimState::sealed);
    EXPECT_EQ(sealed.effect->id, "e1");
    EXPECT_EQ(sealed.receipt->body, R"({"n": 1.0})");
    EXPECT_FALSE(sealed.effect->settling);
    EXPECT_EQ(drain.changes.sources.at(0).after->highest, 1);
    EXPECT_FALSE(drain.changes.sources.at(0).after->settling);

    drain.locked_elsewhere.claims = {owned.id};
    EXPECT_EQ(drain.run().count, 0);
    EXPECT_TRUE(drain.changes.empty());
}

}  // namespace
}  // namespace semel::test
