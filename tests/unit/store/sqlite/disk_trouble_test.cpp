// A disk that now and then refuses to sync, to write or to take more, under random work: what was
// refused is not there, what was acknowledged is, reads stay up, and work resumes.
#include <gmock/gmock.h>

#include "store/sqlite/sqlite_store.hpp"
#include "support/faulty_vfs.hpp"
#include "support/rows.hpp"
#include "support/store_world.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kSeeds = 5;  // the syncs that go through are real
constexpr int kBatches = 40;

class Trouble {
public:
    explicit Trouble(std::uint64_t seed) : seed_(seed), random_(seed), commands_(seed) {
        options_.path = folder_.file("semel.db");
        options_.vfs = disk_.name();
        options_.clock = [this] { return ClockSample{now_, now_.time_since_epoch()}; };
        options_.checkpoint_pages = 1 + below(60);
        options_.segment_claims = 1U + static_cast<std::size_t>(below(8));
    }

    void run() {
        const std::string left = work();
        StoreWorld again(std::move(open_sqlite_store(options_)).value(), seed_);
        EXPECT_EQ(again.to_text_all(), left) << "seed " << seed_;
    }

    int refused = 0;
    int unknown = 0;
    int acknowledged = 0;

private:
    // What is there in the end.
    std::string work() {
        StoreWorld world(std::move(open_sqlite_store(options_)).value(), seed_);
        for (int batch = 0; batch < kBatches && !testing::Test::HasFailure(); ++batch) {
            now_ += commands_.pause();
            const std::string before = world.to_text_all();
            const auto commands = commands_.next_batch(world);
            start();
            const auto replies = world.try_run(commands);
            const bool reads_are_up = can_read(world.store());
            stop();
            EXPECT_TRUE(reads_are_up) << "seed " << seed_;
            check(world, before, replies);
        }
        return world.to_text_all();
    }

    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }

    void start() {
        switch (below(4)) {
            case 0: disk_.is_full = true; break;
            case 1: disk_.syncs_to_fail = 1 + below(5); break;
            case 2: disk_.writes_before_fail = below(30); break;
            default: break;
        }
    }
    void stop() {
        disk_.is_full = false;
        disk_.syncs_to_fail = 0;
        disk_.writes_before_fail = -1;
    }

    static bool can_read(Store& store) {
        using Counts = std::vector<JobCount>;
        std::promise<bool> answer;
        store.reads().count_jobs(
            [&](const Result<Counts>& counts) { answer.set_value(counts.has_value()); });
        return answer.get_future().get();
    }

    void expect_new_actions(const AnyReply& reply, const std::string& rows) {
        const auto* scheduled = std::get_if<Reply<ScheduleActions>>(&reply);
        if (scheduled == nullptr) {
            return;
        }
        for (const auto& item : std::get<0>(*scheduled)) {
            const auto* answer = std::get_if<ScheduledAction>(&item);
            if (answer != nullptr && answer->decision == Decision::new_) {
                EXPECT_THAT(rows, HasSubstr(answer->action.job.id.to_string())) << "seed " << seed_;
            }
        }
    }

    void check(StoreWorld& world, const std::string& before,
               const Result<std::vector<AnyReply>>& replies) {
        const std::string after = world.to_text_all();
        EXPECT_THAT(broken_invariants(world.rows()), IsEmpty()) << "seed " << seed_;
        if (replies) {
            ++acknowledged;
            for (const AnyReply& reply : *replies) {
                commands_.learn(reply);
                expect_new_actions(reply, after);
            }
        } else if (replies.error().code() == ErrorCode::commit_unknown) {
            ++unknown;
        } else {
            ++refused;
            EXPECT_EQ(after, before) << "seed " << seed_;
        }
    }

    const std::uint64_t seed_;
    std::mt19937_64 random_;
    const TempFolder folder_;
    FaultyVfs disk_{"trouble"};
    Time now_ = kStart;
    SqliteOptions options_;
    RandomCommands commands_;
};

TEST(DiskTrouble, WhatWasRefusedIsNotThereAndWorkResumes) {
    int refused = 0;
    int unknown = 0;
    int acknowledged = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
        Trouble trouble(seed);
        trouble.run();
        refused += trouble.refused;
        unknown += trouble.unknown;
        acknowledged += trouble.acknowledged;
    }
    EXPECT_GT(refused, kSeeds);
    EXPECT_GT(unknown, 0);
    EXPECT_GT(acknowledged, kSeeds);
}

}  // namespace
}  // namespace semel::test
