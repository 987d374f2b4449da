#include "store/sqlite/row_checks.hpp"

#include <fmt/format.h>

#include "store/packing/row_columns.hpp"
#include "store/sqlite/claim_table.hpp"
#include "store/sqlite/job_codec.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/migrations.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {
namespace {

Error damaged(const Connection& connection, const std::string& how) {
    return {ErrorCode::corrupt, fmt::format("{} is damaged: {}", connection.path(), how)};
}

Result<void> check_objects(Connection& connection, std::int64_t schema_version) {
    SEMEL_TRY(expected, schema_objects(schema_version));
    for (const std::string& name : expected) {
        Statement statement(connection, "select count(*) from sqlite_schema where name = ?");
        Cursor cursor(statement);
        const bool found = cursor.text(name).next_row() && cursor.read_integer() == 1;
        SEMEL_CHECK(connection.outcome());
        if (!found) {
            return damaged(connection, fmt::format("it has no `{}`", name));
        }
    }
    return {};
}

// Checks every row of a table. `read` returns false for a row that Semel cannot have written.
template <typename Read>
Result<void> check_each(Connection& connection, std::string_view table, std::string_view columns,
                        Read read) {
    Statement statement(connection, fmt::format("select {} from {}", columns, table));
    Cursor cursor(statement);
    while (cursor.next_row()) {
        if (!read(cursor)) {
            return damaged(connection, fmt::format("a row of `{}` cannot be read", table));
        }
    }
    return connection.outcome();
}

template <typename Row>
auto unpacks(bool (*unpack)(std::string_view, Row&)) {
    return [unpack](Cursor& cursor) {
        Row row;
        return unpack(cursor.view(), row);
    };
}

// Checks that every claim can be read, and that every uncertain claim has its entry.
Result<void> check_uncertain(Connection& connection) {
    Statement find(connection, "select 1 from uncertain_claim where claim = ?");
    std::int64_t listed = 0;
    std::int64_t missing = 0;
    SEMEL_CHECK(check_each(connection, "claim", "number, data", [&](Cursor& cursor) {
        const std::int64_t number = cursor.read_integer();
        Claim claim;
        const bool is_whole = unpack_claim(cursor.view(), claim);
        if (is_whole && claim.state == ClaimState::uncertain) {
            Cursor(find).integer(number).next_row() ? ++listed : ++missing;
        }
        return is_whole;
    }));
    SEMEL_TRY(entries, connection.query_int("select count(*) from uncertain_claim"));
    if (missing != 0 || entries != listed) {
        return damaged(connection, "the list of uncertain claims is not that of its claims");
    }
    return {};
}

// Checks that each claim is found by its id, and that no two have the same id.
Result<void> check_claims(Connection& connection) {
    SEMEL_CHECK(check_uncertain(connection));
    ClaimTable claims(connection, SqliteOptions().segment_claims);
    SEMEL_CHECK(claims.learn(Rest::keep));
    Statement statement(connection, "select number, id from claim");
    Cursor cursor(statement);
    while (cursor.next_row()) {
        const std::int64_t number = cursor.read_integer();
        const ClaimId id = cursor.read_hash();
        if (claims.number_of(id) != number) {
            return damaged(connection,
                           fmt::format("claim {} is not found where it lies", id.to_hex()));
        }
    }
    return connection.outcome();
}

Result<void> check_contents(Connection& connection) {
    SEMEL_TRY(strays, connection.query_int(
                          "select count(*) from content where claim not in (select number from "
                          "claim)"));
    if (strays != 0) {
        return damaged(connection, "a content is of no claim");
    }
    return {};
}

// Checks whether a job has a row.
class JobFinder {
public:
    explicit JobFinder(Connection& connection)
        : numbers_(connection),
          find_(connection, fmt::format("select 1 from job where {}", kThisJob)) {}

    [[nodiscard]] bool operator()(const JobId& id) {
        Cursor cursor(find_);
        return cursor.integer(numbers_.of(id)).key(id).next_row();
    }

private:
    JobNumbers numbers_;
    Statement find_;
};

Result<void> check_schedules(Connection& connection) {
    JobFinder has_job(connection);
    std::vector<Schedule> schedules;
    SEMEL_CHECK(check_each(connection, "schedule", "data", [&](Cursor& cursor) {
        return unpack_schedule(cursor.view(), schedules.emplace_back());
    }));
    for (const Schedule& schedule : schedules) {
        if (!schedule.current) {
            continue;
        }
        if (!has_job(*schedule.current)) {
            return damaged(connection, "a schedule's current occurrence has no row");
        }
    }
    return connection.outcome();
}

// Checks that the first job of each longer chain names its last job.
Result<void> check_chains(Connection& connection) {
    std::vector<JobId> lasts;
    SEMEL_CHECK(check_each(connection, "job", "data", [&](Cursor& cursor) {
        Job job;
        const bool is_whole = unpack_job(cursor.view(), job);
        if (job.last) lasts.push_back(*job.last);
        return is_whole;
    }));
    JobFinder has_job(connection);
    for (const JobId& last : lasts) {
        if (!has_job(last)) {
            return damaged(connection, fmt::format("job {}, the last of its chain, has no row",
                                                   last.to_string()));
        }
    }
    return connection.outcome();
}

// Checks that the waiting job of each edge exists. Its blocker can be deleted.
Result<void> check_edges(Connection& connection) {
    Statement edges(connection, "select distinct blocked from edge");
    JobFinder has_job(connection);
    Cursor edge(edges);
    while (edge.next_row()) {
        const JobId blocked = edge.read_id();
        if (!has_job(blocked)) {
            return damaged(connection, fmt::format("job {}, which waits for a chain, has no row",
                                                   blocked.to_string()));
        }
    }
    return connection.outcome();
}

// Checks that each job is found by the first half of its id, or by the table `twin`.
Result<void> check_twins(Connection& connection) {
    SEMEL_TRY(lost, connection.query_int("select count(*) from job where number <> high and number "
                                         "is not (select number from twin where twin.high = "
                                         "job.high and twin.low = job.low)"));
    if (lost != 0) {
        return damaged(connection, "a job is not found where it lies");
    }
    return {};
}

Result<void> check_counts(Connection& connection) {
    SEMEL_TRY(differences,
              connection.query_int(
                  "select count(*) from (select status, count(*) as rows from job group by status) "
                  "left join (select status as counted, sum(count) as sum from job_count group by "
                  "status) on counted = status where rows is not sum"));
    if (differences != 0) {
        return damaged(connection, "the counts of jobs are not those of its rows");
    }
    return {};
}

}  // namespace

Result<void> check_rows(Connection& connection, std::int64_t schema_version) {
    SEMEL_CHECK(check_objects(connection, schema_version));
    SEMEL_TRY(metas, connection.query_int("select count(*) from meta"));
    if (metas != 1) {
        return damaged(connection, "its `meta` has no row");
    }
    if (schema_version < newest_schema_version()) {
        return {};  // opening the store migrates its rows
    }
    SEMEL_CHECK(check_claims(connection));
    SEMEL_CHECK(check_contents(connection));
    SEMEL_CHECK(check_chains(connection));
    SEMEL_CHECK(check_edges(connection));
    SEMEL_CHECK(check_twins(connection));
    SEMEL_CHECK(check_each(connection, "bulk_run", "data", unpacks(unpack_bulk_run)));
    SEMEL_CHECK(check_each(connection, "decision", "data", unpacks(unpack_decision)));
    SEMEL_CHECK(check_schedules(connection));
    return check_counts(connection);
}

}  // namespace semel::sqlite
