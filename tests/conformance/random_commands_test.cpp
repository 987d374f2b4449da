// Random commands through both stores: every answer and every row must be the same, and what holds
// between rows must hold after every commit.
#include "support/random_commands.hpp"

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

// What an operator asks to be run again.
std::set<JobId> retried_by(const std::vector<AnyCommand>& batch) {
    std::set<JobId> ids;
    for (const AnyCommand& command : batch) {
        const auto* operate = std::get_if<OperateAction>(&command);
        if (operate != nullptr && operate->operation == Operation::retry) ids.insert(operate->id);
    }
    return ids;
}

void run_seed(std::uint64_t seed) {
    const TempFolder folder;
    TestClock clock;
    StoreWorld sqlite(make_sqlite(folder, clock), seed);
    StoreWorld memory(make_memory(folder, clock), seed);
    RandomCommands commands(seed);
    int sent = 0;
    StoredRows before = memory.rows();
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
        StoredRows after = memory.rows();
        ASSERT_THAT(broken_invariants(after), IsEmpty())
            << "seed " << seed << ", commit " << commit;
        ASSERT_THAT(broken_changes(before, after, retried_by(batch)), IsEmpty())
            << "seed " << seed << ", commit " << commit;
        before = std::move(after);
        if (commit % kCommitsBetweenComparisons == 0) {
            ASSERT_EQ(memory.to_text_all(), sqlite.to_text_all()) << "seed " << seed;
        }
    }
    ASSERT_EQ(memory.to_text_all(), sqlite.to_text_all()) << "seed " << seed;
    ASSERT_THAT(broken_invariants(sqlite.rows()), IsEmpty()) << "seed " << seed;
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

// ---- a batch, and its commands one by one ----------------------------------------------------

// A query sees what was there when its batch was loaded: alone, it sees what those before it did.
bool asks_a_query(const AnyCommand& command) {
    return !std::holds_alternative<ScheduleActions>(command) &&
           !std::holds_alternative<SettleJobs>(command) &&
           !std::holds_alternative<OperateAction>(command);
}

// The next commands, as a batch of all that name their rows, and the others each by itself.
std::vector<std::vector<AnyCommand>> next_batches(RandomCommands& commands) {
    std::vector<std::vector<AnyCommand>> batches(1);
    for (int i = 0; i < 3; ++i) {
        for (AnyCommand& command : commands.next_batch()) {
            auto& batch = asks_a_query(command) ? batches.emplace_back() : batches.front();
            batch.push_back(std::move(command));
        }
    }
    return batches;
}

using MakeStore = std::unique_ptr<Store> (*)(const TempFolder&, TestClock&);

void compare_one_by_one(MakeStore make, std::uint64_t seed) {
    const TempFolder folder;
    const TempFolder other_folder;
    TestClock clock;
    StoreWorld together(make(folder, clock), seed);
    StoreWorld apart(make(other_folder, clock), seed);
    RandomCommands commands(seed);
    for (int sent = 0; sent < kCommands;) {
        clock.now += commands.pause();
        for (const auto& batch : next_batches(commands)) {
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
