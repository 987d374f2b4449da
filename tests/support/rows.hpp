// Rows for tests: small ones to start from, and ones with every field filled.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/batch/changes.hpp"
#include "store/store.hpp"

namespace semel::test {

inline constexpr Time kStart = from_ms(1'800'000'000'000);

// An id as if it were the `number`th made at `at`.
[[nodiscard]] JobId id_at(Time at, int number = 0);
[[nodiscard]] Hash256 hash_of(int number);

// Ready, due now, of tenant "acme" and type "mail".
[[nodiscard]] Job ready_job(int number);
[[nodiscard]] Job later_job(int number, Time at);
[[nodiscard]] Job running_job(int number, Time lease_until);
[[nodiscard]] Job finished_job(int number, Status status, Time at);
[[nodiscard]] Job waiting_job(int number, const std::string& group);
// Every optional field that a job of this status can have is there.
[[nodiscard]] Job full_job(int number, Status status);

// The job that follows another in its chain, and has the number behind its.
[[nodiscard]] Job next_job(Job& before, Job& first, int number);

[[nodiscard]] Claim small_claim(int number);
[[nodiscard]] Claim full_claim(int number);
[[nodiscard]] Claim held_fence(int number);    // with content, for a version of full_source()
[[nodiscard]] Claim sealed_fence(int number);  // with every field that one can have
[[nodiscard]] Source full_source(int number);
[[nodiscard]] Schedule full_schedule(int number);
[[nodiscard]] BulkRun full_bulk_run(int number);  // unfinished
[[nodiscard]] ApiToken full_api_token(int number);
[[nodiscard]] Attempt full_attempt(const JobId& job, int number);
[[nodiscard]] DecisionEntry full_decision(int number, const std::string& tenant = "acme");

template <typename Row>
[[nodiscard]] Change<Row> inserted(Row row) {
    return {std::nullopt, std::move(row)};
}
template <typename Row>
[[nodiscard]] Change<Row> changed(Row before, Row after) {
    return {std::move(before), std::move(after)};
}
template <typename Row>
[[nodiscard]] Change<Row> deleted(Row row) {
    return {std::move(row), std::nullopt};
}

// Jobs with a payload each.
[[nodiscard]] Changes inserting(const std::vector<Job>& jobs);
[[nodiscard]] std::string payload_of(const JobId& id);

// Rows without an equality of their own, as text that shows every field.
[[nodiscard]] std::string to_text(const Attempt& attempt);
[[nodiscard]] std::string to_text(const Claim& claim);
[[nodiscard]] std::string to_text(const Source& source);
[[nodiscard]] std::string to_text(const DecisionEntry& entry);
[[nodiscard]] std::string to_text(const Job& job);
[[nodiscard]] std::string to_text(const ActionView& view);
[[nodiscard]] std::string to_text(const Edge& edge);
[[nodiscard]] std::string to_text(const BlockerView& blocker);
[[nodiscard]] std::string to_text(const std::vector<BlockerView>& blockers);
[[nodiscard]] std::string to_text(const ChainView& chain);
[[nodiscard]] std::string to_text(const Schedule& schedule);
[[nodiscard]] std::string to_text(const ScheduleView& view);
[[nodiscard]] std::string to_text(const BulkRun& run);

[[nodiscard]] std::vector<JobId> ids_of(const std::vector<ActionView>& views);
[[nodiscard]] std::vector<JobId> ids_of(const std::vector<Job>& jobs);

}  // namespace semel::test

namespace semel {

// So that a failing test shows what differs.
std::ostream& operator<<(std::ostream& out, const Job& job);
std::ostream& operator<<(std::ostream& out, const Uuid& id);

}  // namespace semel
