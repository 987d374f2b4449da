// StoreConformance: what every store must do. Each test runs once for each store; what only one of
// them does is tested in tests/unit/store.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/memory/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {

// Time that moves only when a test moves it; the threads of a store may look at it meanwhile.
class SharedTime {
public:
    explicit SharedTime(Time time) : ms_(to_ms(time)) {}
    SharedTime& operator=(Time time) {
        ms_ = to_ms(time);
        return *this;
    }
    SharedTime& operator+=(Millis by) {
        ms_ += by.count();
        return *this;
    }
    operator Time() const { return from_ms(ms_); }

private:
    std::atomic<std::int64_t> ms_;
};

struct TestClock {
    SharedTime now{kStart};

    [[nodiscard]] ClockSample sample() const {
        const Time time = now;
        return {time, time.time_since_epoch()};
    }
};

// The id of the nth job, in order of time.
inline JobId number(int n) {
    return id_at(kStart, n);
}

struct StoreFactory {
    std::string name;
    std::function<std::unique_ptr<Store>(const TempFolder&, TestClock&)> make;
};

[[nodiscard]] std::unique_ptr<Store> make_sqlite(const TempFolder& folder, TestClock& clock);
[[nodiscard]] std::unique_ptr<Store> make_memory(const TempFolder& folder, TestClock& clock);
[[nodiscard]] std::unique_ptr<Store> make_postgres(const TempFolder& folder, TestClock& clock);
[[nodiscard]] std::unique_ptr<Store> make_redis(const TempFolder& folder, TestClock& clock);

// For INSTANTIATE_TEST_SUITE_P(Stores, Suite, all_stores(), name_of_store).
[[nodiscard]] inline auto all_stores() {
    return testing::Values(StoreFactory{"sqlite", make_sqlite}, StoreFactory{"memory", make_memory},
                           StoreFactory{"postgres", make_postgres});
}
// Of what fences need, and nothing else.
[[nodiscard]] inline auto fence_stores() {
    return testing::Values(StoreFactory{"sqlite", make_sqlite}, StoreFactory{"memory", make_memory},
                           StoreFactory{"postgres", make_postgres},
                           StoreFactory{"redis", make_redis});
}
[[nodiscard]] inline std::string name_of_store(const testing::TestParamInfo<StoreFactory>& info) {
    return info.param.name;
}

class StoreConformance : public testing::TestWithParam<StoreFactory> {
public:
    TempFolder folder;
    TestClock clock;
    std::unique_ptr<Store> store = GetParam().make(folder, clock);
    StoreDriver driver{*store};

    void write(Changes changes) {
        const auto written = driver.write(std::move(changes));
        ASSERT_TRUE(written.has_value()) << written.error().message();
    }
    [[nodiscard]] std::optional<Job> find_job(const JobId& id) {
        const Loaded loaded = driver.look({.jobs = {{.id = id}}});
        return loaded.jobs.empty() ? std::nullopt : std::optional(loaded.jobs.front());
    }
    [[nodiscard]] std::optional<Claim> find_claim(const ClaimId& id) {
        const Loaded loaded = driver.look({.claims = {id}});
        return loaded.claims.empty() ? std::nullopt : std::optional(loaded.claims.front());
    }
    // One command, as a commit of its own.
    template <typename Command>
    Reply<Command> run(const Command& command) {
        return std::get<0>(driver.run(command));
    }
    [[nodiscard]] const Settings& command_settings() { return driver.settings(); }
    [[nodiscard]] QueryResult ask(const Query& query) {
        return driver.look({.queries = {query}}).queries.at(0);
    }
};

}  // namespace semel::test
