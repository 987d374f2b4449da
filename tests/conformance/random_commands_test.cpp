// Random commands through both stores: every answer and every row must be the same, and what holds
// between rows must hold after every commit.
#include "support/random_commands.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "conformance/store_conformance.hpp"
#include "support/store_world.hpp"

namespace semel::test {
namespace {

using testing::IsEmpty;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSeeds = 60;  // several times slower
#else
constexpr int kSeeds = 200;
#endif
constexpr int kCommands = 300;
constexpr int kCommitsBetweenComparisons = 40;

int seeds() {
    const char* wanted = std::getenv("SEMEL_SEEDS");
    return wanted != nullptr ? std::atoi(wanted) : kSeeds;
}

// How often each thing happened, over all seeds: a mix that never meets a rule tests nothing.
std::map<std::string, int> sometimes;
constexpr std::array kRules = {"new",
                               "duplicate",
                               "replaced",
                               "purged",
                               "successor",
                               "conflict",
                               "taken",
                               "settled",
                               "call refused",
                               "upkeep",
                               "schedule made",
                               "schedule edited",
                               "schedule paused",
                               "schedule resumed",
                               "schedule deleted",
                               "no schedule",
                               "triggered",
                               "occurrence taken",
                               "next occurrence",
                               "occurrence held",
                               "occurrence waits for its group",
                               "slot edited",
                               "slot missed",
                               "bulk tried",
                               "bulk done",
                               "bulk skipped",
                               "bulk finished",
                               "chain started",
                               "chain known",
                               "chain purged",
                               "chain completed",
                               "chain continued",
                               "chain cancelled",
                               "chain deleted",
                               "dependants",
                               "cycle",
                               "blocked",
                               "blocker failed",
                               "taken with blockers",
                               "not uncertain",
                               "fence new",
                               "fence taken over",
                               "fence duplicate",
                               "fence in flight",
                               "fence conflict",
                               "fence uncertain",
                               "fence stale",
                               "fence sealed",
                               "fence freed",
                               "fence lost"};

void count_actions(const ScheduleActions::Outcome& items) {
    for (const auto& item : items) {
        const auto* answer = std::get_if<ScheduledAction>(&item);
        if (answer == nullptr) {
            ++sometimes["conflict"];
            continue;
        }
        ++sometimes[answer->decision == Decision::new_ ? "new" : "duplicate"];
        if (answer->replaced) ++sometimes["replaced"];
        if (answer->purged) ++sometimes["purged"];
        if (answer->successor_of) ++sometimes["successor"];
    }
}

void count_bulk(const BulkRun& run) {
    if (run.done > 0) ++sometimes[run.dry_run ? "bulk tried" : "bulk done"];
    if (!run.skipped.empty()) ++sometimes["bulk skipped"];
    if (run.finished_at) ++sometimes["bulk finished"];
}

void count_job(const Job& job, const JobResult& result) {
    if (job.status == Status::blocked) ++sometimes["blocked"];
    if (result.error_code == "blocker_failed") ++sometimes["blocker failed"];
}

void count_chains(const AnyReply& reply) {
    if (const auto* items = outcome_of<StartChains::Outcome>(reply)) {
        for (const auto& item : *items) {
            if (const auto* answer = std::get_if<StartedChain>(&item)) {
                ++sometimes[answer->deduplicated ? "chain known" : "chain started"];
                if (answer->purged) ++sometimes["chain purged"];
                count_job(answer->chain.last, answer->chain.result);
            }
        }
    }
    if (const auto* answer = outcome_of<JobAnswer>(reply)) {
        ++sometimes[answer->next ? "chain continued" : "chain completed"];
    }
    if (outcome_of<ChainView>(reply) != nullptr) ++sometimes["chain cancelled"];
    if (outcome_of<DeleteChain::Outcome>(reply) != nullptr) ++sometimes["chain deleted"];
    std::visit(
        [](const auto& one) {
            const auto* problem = std::get_if<Problem>(&one);
            if (problem == nullptr) return;
            if (problem->code == ProblemCode::dependants) ++sometimes["dependants"];
            if (problem->code == ProblemCode::cycle) ++sometimes["cycle"];
        },
        reply);
}

void count_fences(const AnyReply& reply) {
    if (const auto* item = outcome_of<ClaimFence::Outcome>(reply)) {
        const auto* answer = std::get_if<FenceAnswer>(item);
        if (answer == nullptr) {
            const bool is_uncertain = std::get<Problem>(*item).code == ProblemCode::uncertain;
            ++sometimes[is_uncertain ? "fence uncertain" : "fence conflict"];
            return;
        }
        switch (answer->decision) {
            case Decision::duplicate: ++sometimes["fence duplicate"]; break;
            case Decision::in_flight: ++sometimes["fence in flight"]; break;
            case Decision::stale: ++sometimes["fence stale"]; break;
            default: ++sometimes[answer->takeover ? "fence taken over" : "fence new"]; break;
        }
    }
    if (const auto* claim = outcome_of<Claim>(reply)) {
        if (claim->state == ClaimState::sealed) ++sometimes["fence sealed"];
        if (claim->state == ClaimState::free) ++sometimes["fence freed"];
    }
    const auto* called = std::get_if<Reply<CallFence>>(&reply);
    const auto* problem = called != nullptr ? std::get_if<Problem>(called) : nullptr;
    if (problem != nullptr && problem->code == ProblemCode::stale_token) {
        ++sometimes["fence lost"];
    }
}

void count_what_happened(const AnyCommand& command, const AnyReply& reply) {
    count_chains(reply);
    count_fences(reply);
    if (const auto* items = outcome_of<ScheduleActions::Outcome>(reply)) count_actions(*items);
    if (const auto* taken = outcome_of<TakeJobs::Outcome>(reply)) {
        sometimes["taken"] += static_cast<int>(taken->size());
        for (const TakenJob& one : *taken) {
            if (one.job.occurrence) ++sometimes["occurrence taken"];
            if (!one.blockers.empty()) ++sometimes["taken with blockers"];
        }
    }
    if (const auto* settled = outcome_of<SettleJobs::Outcome>(reply)) {
        for (const auto& item : *settled) {
            ++sometimes[std::holds_alternative<JobAnswer>(item) ? "settled" : "call refused"];
            const auto* problem = std::get_if<Problem>(&item);
            if (problem != nullptr && problem->code == ProblemCode::cycle) ++sometimes["cycle"];
        }
    }
    if (const auto* upkeep = outcome_of<UpkeepOutcome>(reply)) {
        if (upkeep->count > 0) ++sometimes["upkeep"];
    }
    if (const auto* view = outcome_of<ScheduleView>(reply)) {
        if (view->is_new) ++sometimes["schedule made"];
    }
    if (const auto* run = outcome_of<BulkRun>(reply)) count_bulk(*run);
    if (std::holds_alternative<TriggerSchedule>(command)) {
        ++sometimes[is_refused(reply) ? "no schedule" : "triggered"];
    }
    if (std::holds_alternative<ResolveAction>(command) && is_refused(reply)) {
        ++sometimes["not uncertain"];
    }
    if (outcome_of<Schedule>(reply) != nullptr) ++sometimes["schedule deleted"];
}

bool edits_a_schedule(const AnyCommand& command) {
    return std::holds_alternative<PutSchedule>(command);
}

// What became of a schedule that was there before a batch and is still there.
void count_schedule(const ScheduleView& was, const ScheduleView& is, bool may_be_edited) {
    if (is.schedule.spec != was.schedule.spec) ++sometimes["schedule edited"];
    if (is.schedule.is_paused && !was.schedule.is_paused) ++sometimes["schedule paused"];
    if (!is.schedule.is_paused && was.schedule.is_paused) ++sometimes["schedule resumed"];
    if (!is.current || !was.current) {
        return;
    }
    if (is.current->id != was.current->id) {
        ++sometimes["next occurrence"];
    } else if (is.current->occurrence->slot != was.current->occurrence->slot) {
        ++sometimes[may_be_edited ? "slot edited" : "slot missed"];
    }
    if (is.current->place == Place::paused) ++sometimes["occurrence held"];
    if (is.current->place == Place::waiting) ++sometimes["occurrence waits for its group"];
}

void count_schedules(const StoredRows& before, const StoredRows& after,
                     const std::vector<AnyCommand>& batch) {
    const bool may_be_edited = std::any_of(batch.begin(), batch.end(), edits_a_schedule);
    for (const ScheduleView& was : before.schedules) {
        for (const ScheduleView& is : after.schedules) {
            if (is.schedule.id == was.schedule.id) count_schedule(was, is, may_be_edited);
        }
    }
}

// Reads that must be the same in both.
class BothWorlds final : public BulkSource {
public:
    BothWorlds(StoreWorld& one, StoreWorld& other) : one_(one), other_(other) {}

    MatchedActions count(const std::string& tenant, const ActionFilter& filter) override {
        const auto counted = one_.count(tenant, filter);
        EXPECT_EQ(other_.count(tenant, filter), counted);
        return counted;
    }
    std::vector<JobId> walk(const BulkRun& run, int limit) override {
        auto found = one_.walk(run, limit);
        EXPECT_EQ(other_.walk(run, limit), found);
        return found;
    }

private:
    StoreWorld& one_;
    StoreWorld& other_;
};

using MakeStore = std::unique_ptr<Store> (*)(const TempFolder&, TestClock&);

// A first job for each tenant, one at a time. Stores take tenants in the order in which they came,
// or in that of their names: let that be the same in both.
void introduce_tenants(StoreWorld& one, StoreWorld& other) {
    for (const std::string& tenant : RandomCommands::tenants()) {
        const ActionRequest request{.type = "nobody's", .delay = std::chrono::hours(1)};
        const std::vector<AnyCommand> first{ScheduleActions{tenant, {request}}};
        ASSERT_EQ(to_text(one.run(first).at(0)), to_text(other.run(first).at(0)));
    }
}

void run_seed(MakeStore make, std::uint64_t seed) {
    const TempFolder folder;
    TestClock clock;
    StoreWorld real(make(folder, clock), seed);
    StoreWorld memory(make_memory(folder, clock), seed);
    BothWorlds both(memory, real);
    RandomCommands commands(seed);
    introduce_tenants(memory, real);
    int sent = 0;
    StoredRows before = memory.rows();
    for (int commit = 1; sent < kCommands; ++commit) {
        clock.now += commands.pause();
        const auto batch = commands.next_batch(both);
        sent += static_cast<int>(batch.size());
        const auto replies = memory.run(batch);
        const auto same = real.run(batch);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            ASSERT_EQ(to_text(replies[i]), to_text(same[i])) << "seed " << seed;
            commands.learn(replies[i]);
            count_what_happened(batch[i], replies[i]);
        }
        StoredRows after = memory.rows();
        ASSERT_THAT(broken_invariants(after), IsEmpty())
            << "seed " << seed << ", commit " << commit;
        ASSERT_THAT(broken_changes(before, after, retried_by(batch, before)), IsEmpty())
            << "seed " << seed << ", commit " << commit;
        count_schedules(before, after, batch);
        before = std::move(after);
        if (commit % kCommitsBetweenComparisons == 0) {
            ASSERT_EQ(memory.to_text_all(), real.to_text_all()) << "seed " << seed;
        }
    }
    ASSERT_EQ(memory.to_text_all(), real.to_text_all()) << "seed " << seed;
    ASSERT_THAT(broken_invariants(real.rows()), IsEmpty()) << "seed " << seed;
}

TEST(RandomCommands, GiveTheSameAnswersAndRowsInMemoryAndSqlite) {
    sometimes.clear();
    const int count = seeds();
    for (int seed = 1; seed <= count; ++seed) {
        run_seed(make_sqlite, static_cast<std::uint64_t>(seed));
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
    for (const char* name : kRules) {
        // A key whose owner is gone needs a retention to end between two requests for it.
        const int wanted = std::string_view(name).ends_with("purged") ? count / 60 : count / 10;
        EXPECT_GE(sometimes[name], wanted) << name << " hardly ever happens";
    }
}

TEST(RandomCommands, GiveTheSameAnswersAndRowsInMemoryAndPostgres) {
    constexpr int kPart = 6;  // each commit is some round trips
    for (int seed = 1; seed <= seeds() / kPart; ++seed) {
        run_seed(make_postgres, static_cast<std::uint64_t>(seed));
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

// ---- a batch, and its commands one by one ----------------------------------------------------

// A query sees what was there when its batch was loaded: alone, it sees what those before it did.
bool asks_a_query(const AnyCommand& command) {
    LoadSpec spec;
    std::visit([&](const auto& one) { name_rows(one, spec); }, command);
    return !spec.queries.empty();
}

// The next commands, as a batch of all that name their rows, and the others each by itself.
std::vector<std::vector<AnyCommand>> next_batches(RandomCommands& commands, BulkSource& source) {
    std::vector<std::vector<AnyCommand>> batches(1);
    for (int i = 0; i < 3; ++i) {
        for (AnyCommand& command : commands.next_batch(source)) {
            auto& batch = asks_a_query(command) ? batches.emplace_back() : batches.front();
            batch.push_back(std::move(command));
        }
    }
    return batches;
}

void compare_one_by_one(MakeStore make, std::uint64_t seed) {
    const TempFolder folder;
    const TempFolder other_folder;
    TestClock clock;
    StoreWorld together(make(folder, clock), seed);
    StoreWorld apart(make(other_folder, clock), seed);
    BothWorlds both(together, apart);
    RandomCommands commands(seed);
    introduce_tenants(together, apart);
    for (int sent = 0; sent < kCommands;) {
        clock.now += commands.pause();
        for (const auto& batch : next_batches(commands, both)) {
            sent += static_cast<int>(batch.size());
            const auto replies = together.run(batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const auto alone = apart.run({batch[i]});
                ASSERT_EQ(to_text(replies[i]), to_text(alone.at(0))) << "seed " << seed;
                commands.learn(replies[i]);
            }
        }
    }
    ASSERT_EQ(together.to_text_all(), apart.to_text_all()) << "seed " << seed;
}

TEST(RandomCommands, ABatchDoesWhatItsCommandsDoOneByOne) {
    constexpr int kPart = 4;  // it takes two stores of each kind
    for (const MakeStore make : {MakeStore(make_memory), MakeStore(make_sqlite)}) {
        for (int seed = 1; seed <= seeds() / kPart; ++seed) {
            compare_one_by_one(make, static_cast<std::uint64_t>(seed));
            if (testing::Test::HasFatalFailure()) {
                return;
            }
        }
    }
}

}  // namespace
}  // namespace semel::test
