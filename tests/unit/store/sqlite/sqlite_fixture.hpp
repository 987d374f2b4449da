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

// Makes of a file of the newest schema one as it was before chains.
inline constexpr const char* kBackToVersion4 =
    "drop table uncertain_claim; drop table response; drop table content; drop table source; drop "
    "table twin; drop index "
    "job_later; drop index "
    "job_ready; drop index job_waiting; "
    "drop index job_listed; alter table job drop column high; "
    "alter table job rename column number to high; "
    "create index job_later on job (scheduled_at, high, low, place) where place = 0; "
    "create index job_ready on job (tenant, type, urgency, scheduled_at, high, low, place) "
    "where place = 1; "
    "create index job_waiting on job (tenant, lock_group, scheduled_at) where place = 3; "
    "create index job_listed on job (tenant, shelf); "
    "alter table large_payload rename column number to high; "
    "alter table job_result rename column number to high; "
    "drop table edge; drop table step; drop table chain; drop table telling; "
    "drop table chosen; drop index job_finished; "
    "create index job_finished on job (completed_at) where completed_at is not null; "
    "pragma user_version = 4;";

// And of that one as it was before claims lay in segments.
inline constexpr const char* kBackToVersion3 =
    "alter table claim rename to numbered_claim; alter table receipt rename to numbered_receipt; "
    "create table claim (id blob primary key check (length(id) = 32), expires_at integer, "
    "data blob not null) strict, without rowid; "
    "insert into claim select id, expires_at, data from numbered_claim; "
    "create table receipt (claim blob primary key, body blob not null) strict, without rowid; "
    "insert into receipt select id, body from numbered_receipt "
    "join numbered_claim on number = claim; "
    "drop table numbered_receipt; drop table numbered_claim; "
    "create index claim_expiring on claim (expires_at) where expires_at is not null; "
    "drop table claim_segment; drop table claim_place; pragma user_version = 3;";

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
