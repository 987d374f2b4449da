// How a job is written in columns.
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <string_view>

#include "core/job.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

inline constexpr std::string_view kJobColumns =
    "job.id, tenant, type, chain, chain_index, claim, status, place, shelf, urgency, scheduled_at, "
    "created_at, updated_at, started_at, completed_at, lock_group, max_retries, backoff, timeout, "
    "unique_until, attempts, lost_in_a_row, token, worker, lease_started_at, lease_until, "
    "timeout_at, settled, predecessor, successor, superseded_by, has_result";
inline constexpr std::size_t kJobColumnCount = 32;

using JobMask = std::bitset<kJobColumnCount>;  // a bit for each of kJobColumns

// Values that are encoded for a cursor, and must live as long as it does.
struct JobScratch {
    std::string backoff;
    std::array<char, 34> settled{};
};

// The columns in which two versions of a job differ. Only they are written, so that an index is
// touched only where its columns really change.
[[nodiscard]] JobMask differing_columns(const Job& before, const Job& after);

// "update job set <the columns of the mask> where id = ?".
[[nodiscard]] std::string update_sql(const JobMask& mask);

void bind_columns(Cursor& cursor, const Job& job, const JobMask& mask, JobScratch& scratch);
[[nodiscard]] Job read_job(Cursor& cursor);

// Where a job stands in lists (job.shelf).
[[nodiscard]] int shelf_of(Status status);

}  // namespace semel::sqlite
