#include "engine/rows_in_flight.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/assert.hpp"

namespace semel {
namespace {

// The kind of a row is part of its hash, so that two rows with one id differ.
enum class Kind : std::uint64_t { claim = 1, source, job, group, schedule, bulk_run, api_token };

constexpr std::uint64_t kSpread =
    0x9e3779b97f4a7c15;  // of Fibonacci hashing: flips half of the bits

template <typename Key>
RowsInFlight::Row row_of(Kind kind, const Key& key) {
    return std::hash<Key>()(key) ^ (static_cast<std::uint64_t>(kind) * kSpread);
}

}  // namespace

RowsInFlight::Hold& RowsInFlight::Hold::operator=(Hold&& other) noexcept {
    if (this != &other) {
        leave();
        all_ = std::exchange(other.all_, nullptr);
        rows_ = std::move(other.rows_);
        entered_ = std::exchange(other.entered_, 0);
        stream_ = other.stream_;
    }
    return *this;
}

void RowsInFlight::Hold::enter(std::size_t stream) {
    leave();
    stream_ = stream;
    const auto refused = std::partition(rows_.begin(), rows_.end(),
                                        [&](Row row) { return all_->try_enter(row, stream); });
    entered_ = static_cast<std::size_t>(refused - rows_.begin());
}

void RowsInFlight::Hold::leave() {
    for (std::size_t i = 0; i < entered_; ++i) all_->leave(rows_[i]);
    entered_ = 0;
}

RowsInFlight::Hold RowsInFlight::hold_of(const LoadSpec& spec) {
    std::vector<Row> rows;
    rows.reserve(spec.claims.size() + spec.jobs.size() + spec.groups.size());
    for (const ClaimId& id : spec.claims) rows.push_back(row_of(Kind::claim, id));
    for (const SourceKey& key : spec.sources) rows.push_back(row_of(Kind::source, key));
    for (const JobRef& ref : spec.jobs) rows.push_back(row_of(Kind::job, ref.id));
    for (const StepRef& step : spec.steps) rows.push_back(row_of(Kind::job, step.chain));
    for (const JobId& id : spec.wanted_ids) rows.push_back(row_of(Kind::job, id));
    for (const GroupKey& key : spec.groups) rows.push_back(row_of(Kind::group, key));
    for (const ScheduleKey& key : spec.schedules) rows.push_back(row_of(Kind::schedule, key));
    for (const Uuid& id : spec.bulk_runs) rows.push_back(row_of(Kind::bulk_run, id));
    for (const Uuid& id : spec.api_tokens) rows.push_back(row_of(Kind::api_token, id));
    return {*this, std::move(rows)};
}

RowsInFlight::Found RowsInFlight::find(const Hold& hold) const {
    Found found;
    for (const Row row : hold.rows()) {
        const auto use = uses_.find(row);
        if (use == uses_.end()) {
            continue;
        }
        found.on_several |= found.stream && *found.stream != use->second.stream;
        found.stream = use->second.stream;
    }
    return found;
}

bool RowsInFlight::try_enter(Row row, std::size_t stream) {
    Use& use = uses_.try_emplace(row, Use{.stream = stream}).first->second;
    if (use.stream != stream) {
        return false;
    }
    ++use.commands;
    return true;
}

void RowsInFlight::leave(Row row) {
    const auto use = uses_.find(row);
    SEMEL_ASSERT(use != uses_.end() && use->second.commands > 0);
    if (--use->second.commands == 0) uses_.erase(use);
}

}  // namespace semel
