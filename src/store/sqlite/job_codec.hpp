// Reads and writes the columns of a job: some columns for indexes and lists, and `data` for the
// rest.
// Errors: kept by the cursor's connection. Threads: the connection's thread.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "core/actions/job.hpp"
#include "store/packing/job_columns.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// All columns except the number, the id (high, low) and the payload, which enclose these.
inline constexpr std::string_view kJobColumns =
    "tenant, type, status, place, shelf, urgency, scheduled_at, created_at, completed_at, "
    "deadline, lock_group, chain, schedule, schedule_name, slot, data";
inline constexpr std::size_t kJobColumnCount = 16;
inline constexpr std::size_t kDataColumn = 15;
inline constexpr std::size_t kPayloadColumn = 16;

// Finds a job by number and id, because another job can have the number.
inline constexpr std::string_view kThisJob = "number = ? and high = ? and low = ?";

// A larger payload has its own row, so that changes of the job do not write it again.
inline constexpr std::size_t kPayloadBytesInline = 512;

using JobMask = std::bitset<kJobColumnCount + 1>;  // a bit for each column, and the payload's

// A job's values for binding. `job` and `payload` must outlive the cursor.
class JobColumns {
public:
    JobColumns(const Job& job, std::optional<std::string_view> payload, NameTable& names);

    // Binds the columns of the mask, in order.
    void bind(Cursor& cursor, const JobMask& mask) const;

private:
    const Job& job_;
    const std::optional<std::string_view> payload_;
    const std::string data_;
    std::int64_t tenant_;
    std::int64_t type_;
    std::optional<std::int64_t> schedule_name_;
};

// The columns that differ between two states of a job. Writing only these leaves the other columns'
// indexes alone. The payload is not included.
[[nodiscard]] JobMask differing_columns(const Job& before, const Job& after);

// "insert into job …": the number, the id, then every column. Inserts nothing if the number is
// taken.
[[nodiscard]] std::string insert_job_sql();

// "update job set <columns of the mask> where <this job>".
[[nodiscard]] std::string update_sql(const JobMask& mask);

// Reads kJobColumns. Damage is reported to the cursor's connection.
[[nodiscard]] Job read_job(Cursor& cursor, const JobId& id, NameTable& names);

}  // namespace semel::sqlite
