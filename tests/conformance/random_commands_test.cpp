// Random commands through both stores: every answer and every row must be the same, and what holds
// between rows must hold after every commit.
#include "support/random_commands.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "conformance/store_conformance.hpp"
#include "support/row_invariants.hpp"

namespace semel::test {
namespace {

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

class World {
public:
    World(std::unique_ptr<Store> store, std::uint64_t seed)
        : store_(std::move(store)), driver_(*store_, seed) {}

    std::vector<AnyReply> run(const std::vector<AnyCommand>& batch) {
        return driver_.run_batch<AnyReply>(batch);
    }

    StoredRows rows() {
        StoredRows rows;
        LoadSpec spec;
        spec.groups = RandomCommands::groups();
        spec.claims = RandomCommands::claims();
        Loaded loaded = driver_.look(spec);
        rows.now = loaded.now;
        rows.groups = std::move(loaded.groups);
        rows.claims = std::move(loaded.claims);
        for (const std::string& tenant : RandomCommands::tenants()) {
            for (ActionView& view : driver_.list_actions(tenant)) {
                rows.actions.push_back(std::move(view));
            }
        }
        return rows;
    }

    // Everything that can be read.
    std::string to_text_all() {
        const StoredRows all = rows();
        std::string text;
        for (const ActionView& view : all.actions) {
            text += to_text(view) + "\n";
            const auto details = driver_.get_action(view.job.tenant, view.job.id);
            for (const Attempt& attempt : details->history) text += to_text(attempt) + "\n";
        }
        for (const LockGroup& group : all.groups) {
            text +=
                fmt::format("{} {} {}\n", group.key.tenant, group.key.name, group.head.to_string());
        }
        for (const Claim& claim : all.claims) {
            text += to_text(claim) + "\n";
        }
        for (const std::string& tenant : RandomCommands::tenants()) {
            for (const auto& logged : driver_.list_decisions(tenant)) {
                text += to_text(logged.entry) + "\n";
            }
        }
        for (const JobCount& count : driver_.count_jobs()) {
            text += fmt::format("{} {} {}\n", count.type, to_string(count.status), count.count);
        }
        return text;
    }

private:
    std::unique_ptr<Store> store_;
    StoreDriver driver_;
};

// How often each thing happened, over all seeds: a mix that never meets a rule tests nothing.
std::map<std::string, int> sometimes;

void count_what_happened(const AnyReply& reply) {
    if (const auto* scheduled = std::get_if<Reply<ScheduleActions>>(&reply)) {
        for (const auto& item : std::get<0>(*scheduled)) {
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
    if (const auto* taken = std::get_if<Reply<TakeJobs>>(&reply)) {
        sometimes["taken"] += static_cast<int>(std::get<0>(*taken).size());
    }
    if (const auto* settled = std::get_if<Reply<SettleJobs>>(&reply)) {
        for (const auto& item : std::get<0>(*settled)) {
            ++sometimes[std::holds_alternative<JobAnswer>(item) ? "settled" : "call refused"];
        }
    }
    if (const auto* upkeep = std::get_if<Reply<PromoteDue>>(&reply)) {
        if (std::get<0>(*upkeep).count > 0) ++sometimes["upkeep"];
    }
}

void run_seed(std::uint64_t seed) {
    const TempFolder folder;
    TestClock clock;
    World sqlite(make_sqlite(folder, clock), seed);
    World memory(make_memory(folder, clock), seed);
    RandomCommands commands(seed);
    int sent = 0;
    for (int commit = 1; sent < kCommands; ++commit) {
        clock.now += commands.pause();
        const auto batch = commands.next_batch();
        sent += static_cast<int>(batch.size());
        const auto replies = memory.run(batch);
        const auto same = sqlite.run(batch);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            ASSERT_EQ(to_text(replies[i]), to_text(same[i])) << "seed " << seed;
            commands.learn(replies[i]);
            count_what_happened(replies[i]);
        }
        const auto broken = broken_invariants(memory.rows());
        ASSERT_THAT(broken, testing::IsEmpty()) << "seed " << seed << ", commit " << commit;
        if (commit % kCommitsBetweenComparisons == 0) {
            ASSERT_EQ(memory.to_text_all(), sqlite.to_text_all()) << "seed " << seed;
        }
    }
    ASSERT_EQ(memory.to_text_all(), sqlite.to_text_all()) << "seed " << seed;
    ASSERT_THAT(broken_invariants(sqlite.rows()), testing::IsEmpty()) << "seed " << seed;
}

TEST(RandomCommands, GiveTheSameAnswersAndRowsInBothStores) {
    sometimes.clear();
    const int count = seeds();
    for (int seed = 1; seed <= count; ++seed) {
        run_seed(static_cast<std::uint64_t>(seed));
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
    for (const char* name : {"new", "duplicate", "replaced", "purged", "successor", "conflict",
                             "taken", "settled", "call refused", "upkeep"}) {
        EXPECT_GE(sometimes[name], count / 10) << name << " hardly ever happens";
    }
}

}  // namespace
}  // namespace semel::test
