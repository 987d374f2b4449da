// Power cuts at random moments of random work: whatever was acknowledged is there, the rest is
// there in full or not at all, and time has not gone back. SEMEL_POWER_CUTS says how many.
#include <cstdlib>
#include <iostream>
#include <utility>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/memory/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "support/crash_vfs.hpp"
#include "support/rows.hpp"
#include "support/store_world.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {
namespace {

using testing::IsEmpty;

constexpr int kCuts = 300;
constexpr int kCutsOfControl = 30;
constexpr int kCallsMax = 700;  // about thirty commits

int cuts() {
    const char* wanted = std::getenv("SEMEL_POWER_CUTS");
    return wanted != nullptr ? std::atoi(wanted) : kCuts;
}

class PoweredStore {
public:
    explicit PoweredStore(std::uint64_t seed) : random(seed) {
        options.path = folder.file("semel.db");
        options.vfs = disk.name();
        options.clock = [this] { return ClockSample{now, now.time_since_epoch()}; };
        options.writer_cache_kib = 1024;
        options.checkpoint_pages = 1 + below(60);
        options.segment_claims = 1U + static_cast<std::size_t>(below(8));
    }

    int below(int limit) { return static_cast<int>(random() % static_cast<std::uint64_t>(limit)); }
    std::unique_ptr<Store> open() {
        auto store = open_sqlite_store(options);
        EXPECT_TRUE(store.has_value()) << store.error().message();
        return std::move(store).value();
    }
    std::string check_file() const {
        sqlite3* database = nullptr;
        EXPECT_EQ(sqlite3_open(options.path.c_str(), &database), SQLITE_OK);
        std::string answer;
        const auto read = [](void* out, int, char** columns, char**) {
            *static_cast<std::string*>(out) += columns[0];
            return 0;
        };
        sqlite3_exec(database, "pragma integrity_check", read, &answer, nullptr);
        sqlite3_close(database);
        return answer;
    }

    TempFolder folder;
    CrashVfs disk{"crash"};
    Time now = kStart;
    SqliteOptions options;
    std::mt19937_64 random;
};

// One life of a store, up to the cut and a look at what is left.
class Trial {
public:
    Trial(std::uint64_t seed, Cut cut, bool full_sync)
        : seed_(seed), cut_(cut), disk_(seed), commands_(seed) {
        disk_.options.full_sync = full_sync;
    }

    void run() {
        disk_.disk.cut_after(disk_.below(kCallsMax));
        if (auto store = open_sqlite_store(disk_.options)) {
            StoreWorld world(std::move(*store), seed_);
            while (work(world)) {
            }
        }
        disk_.disk.restore(cut_, disk_.random);
        cut_again();
        look();
    }

    int acknowledged = 0;  // commands
    bool is_lost = false;

private:
    // False: it was not acknowledged.
    bool work(StoreWorld& world) {
        disk_.now += commands_.pause();
        in_flight_ = commands_.next_batch(model_);
        if (!world.try_run(in_flight_)) {
            return false;
        }
        for (const AnyReply& reply : model_.run(in_flight_)) commands_.learn(reply);
        acknowledged += static_cast<int>(std::exchange(in_flight_, {}).size());
        return true;
    }

    // The power may go again while the store recovers.
    void cut_again() {
        if (disk_.below(3) == 0) {
            disk_.disk.cut_after(disk_.below(40));
            (void)open_sqlite_store(disk_.options);
            disk_.disk.restore(cut_, disk_.random);
        }
    }

    void look() {
        const std::string without_the_last = model_.to_text_all();
        model_.run(in_flight_);
        const std::string with_the_last = model_.to_text_all();
        disk_.now -= std::chrono::hours(1);
        {
            StoreWorld world(disk_.open(), seed_ + 1);
            const std::string found = world.to_text_all();
            is_lost = found != without_the_last && found != with_the_last;
            if (is_lost && disk_.options.full_sync) {
                ADD_FAILURE() << "seed " << seed_ << " found\n"
                              << found << "instead of\n"
                              << without_the_last << "or\n"
                              << with_the_last;
            }
            EXPECT_THAT(broken_invariants(world.rows()), IsEmpty()) << "seed " << seed_;
            EXPECT_TRUE(world.try_run({TakeJobs{}}).has_value()) << "seed " << seed_;
        }
        EXPECT_EQ(disk_.check_file(), "ok") << "seed " << seed_;
    }

    const std::uint64_t seed_;
    const Cut cut_;
    PoweredStore disk_;
    RandomCommands commands_;
    StoreWorld model_{make_memory_store([this] { return disk_.now; }), seed_};
    std::vector<AnyCommand> in_flight_;
};

// How many of so many stores lost something that was acknowledged.
int count_losses(int count, bool full_sync, const std::vector<Cut>& kinds) {
    int losses = 0;
    int acknowledged = 0;
    for (int seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        const Cut cut = kinds[static_cast<std::size_t>(seed) % kinds.size()];
        Trial trial(static_cast<std::uint64_t>(seed), cut, full_sync);
        trial.run();
        acknowledged += trial.acknowledged;
        losses += trial.is_lost ? 1 : 0;
    }
    std::cout << "power cuts " << count << " acknowledged " << acknowledged << " losses " << losses
              << "\n";
    return losses;
}

TEST(PowerCut, LosesNothingThatWasAcknowledged) {
    EXPECT_EQ(count_losses(cuts(), true, {Cut::forgets, Cut::tears, Cut::mixes, Cut::keeps}), 0);
}

TEST(PowerCutControl, WithoutFullSyncSomethingIsLost) {
    EXPECT_GT(count_losses(kCutsOfControl, false, {Cut::forgets}), 0);
}

// A process died between the writing of a commit and its sync; the next one finds it, and answers
// by it. It is cut at each call in turn.
TEST(PowerCut, WhatWasOnceReadStays) {
    bool was_acknowledged = false;
    bool was_found_all_the_same = false;
    for (int calls = 0; !was_acknowledged; ++calls) {
        PoweredStore machine(1);
        const auto ids = [](Store& store) {
            return ids_of(StoreDriver(store).list_actions("acme"));
        };
        {
            const auto store = machine.open();
            machine.disk.cut_after(calls);
            was_acknowledged = StoreDriver(*store).write(inserting({ready_job(1)})).has_value();
        }
        machine.disk.restore(Cut::keeps, machine.random);
        std::vector<JobId> found;
        {
            const auto store = machine.open();
            found = ids(*store);
            was_found_all_the_same |= !was_acknowledged && !found.empty();
            machine.disk.cut_after(0);
        }
        machine.disk.restore(Cut::forgets, machine.random);
        EXPECT_EQ(ids(*machine.open()), found) << "after " << calls << " calls";
    }
    EXPECT_TRUE(was_found_all_the_same);
}

}  // namespace
}  // namespace semel::test
