// An SQLite store in a folder of its own, with the real clocks unless a test sets others.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "store/sqlite/sqlite_store.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {

class SqliteTest : public testing::Test {
public:
    TempFolder folder;
    SqliteOptions options = options_for(folder.file("semel.db"));

    static SqliteOptions options_for(const std::string& path) {
        SqliteOptions options;
        options.path = path;
        return options;
    }
    static std::unique_ptr<Store> open(const SqliteOptions& options) {
        auto store = open_sqlite_store(options);
        EXPECT_TRUE(store.has_value()) << store.error().message();
        return std::move(store).value();
    }
    [[nodiscard]] std::unique_ptr<Store> open() const { return open(options); }

    // Why a store cannot be opened.
    static Error refusal(const SqliteOptions& options) {
        const auto store = open_sqlite_store(options);
        EXPECT_FALSE(store.has_value());
        return store ? Error(ErrorCode::invalid, "") : store.error();
    }

    static void insert(Store& store, const std::vector<Job>& jobs) {
        const auto written = StoreDriver(store).write(inserting(jobs));
        ASSERT_TRUE(written.has_value()) << written.error().message();
    }
    static std::vector<JobId> ids_in(Store& store) {
        return ids_of(StoreDriver(store).list_actions("acme"));
    }
};

}  // namespace semel::test
