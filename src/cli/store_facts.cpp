#include "cli/store_facts.hpp"

#include <fmt/format.h>

#include "cli/byte_progress.hpp"

namespace semel::cli {

void write_members(JsonWriter& out, const sqlite::StoreFileFacts& facts) {
    out.member("bytes", static_cast<std::int64_t>(facts.bytes));
    out.member("schemaVersion", facts.schema_version);
    out.member("asOf", format_rfc3339(facts.time_mark));
    out.begin_object("jobs");
    for (const auto& [status, count] : facts.jobs) {
        out.member(to_string(status), count);
    }
    out.end_object();
}

std::string describe(const sqlite::StoreFileFacts& facts) {
    std::int64_t total = 0;
    std::string parts;
    for (const auto& [status, count] : facts.jobs) {
        total += count;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, to_string(status));
    }
    return fmt::format("{}, {} {}{}, as of {}", describe_bytes(facts.bytes), total,
                       total == 1 ? "job" : "jobs", parts.empty() ? "" : " (" + parts + ")",
                       format_rfc3339(facts.time_mark));
}

}  // namespace semel::cli
