// A store in a file, filled by the engine's own decisions, and databases to move it to.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/open_store.hpp"
#include "store/clocks/store_clock.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_world.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {

// Small, so that a store has many.
inline constexpr PageLimits kSmallPages{.rows = 7};

class TransferTest : public testing::Test {
public:
    TempFolder folder;
    std::atomic<std::int64_t> now_ms{to_ms(kStart)};
    const std::string file = folder.file("semel.db");

    void pass(Millis time) { now_ms += time.count(); }
    [[nodiscard]] std::function<ClockSample()> clock() {
        return [this] {
            const Time now = from_ms(now_ms);
            return ClockSample{now, now.time_since_epoch()};
        };
    }
    [[nodiscard]] std::unique_ptr<Store> open_file(const std::string& path);
    [[nodiscard]] std::unique_ptr<Store> open_file() { return open_file(file); }
    [[nodiscard]] std::unique_ptr<Store> open_database(const std::string& url);
    [[nodiscard]] static std::string make_database() {
        return PostgresServer::shared().make_database();
    }

    // Leaves a store that random commands were run on; answers all that can be read of it.
    std::string fill(std::uint64_t seed, int commands = 300);

    // Both are asked the same from here on, and must do the same.
    void go_on_alike(StoreWorld& one, StoreWorld& other, std::uint64_t seed);

    // Moves the file there. The watch is asked before each page.
    [[nodiscard]] Result<TransferReport> transfer_to(const std::string& url,
                                                     const TransferWatch& watch);
    [[nodiscard]] Result<TransferReport> transfer_to(const std::string& url) {
        return transfer_to(url, [](std::string_view, double) { return true; });
    }
    // The refusal's words; a failure if there is none.
    [[nodiscard]] Error refusal(const std::string& url);
};

// Says no at the `n`th time, from 0 on.
[[nodiscard]] TransferWatch stop_at(int n);

}  // namespace semel::test
