#include "sim/database.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace semel::sim {
namespace {

template <typename Key>
std::string named(const Key& key) {
    return key.tenant + '\0' + key.name;
}

}  // namespace

RowName RowName::claim(const ClaimId& id) {
    return {Table::claim, id.to_hex()};
}

RowName RowName::source(const SourceKey& key) {
    return {Table::source, key.tenant + '\0' + key.type + '\0' + key.id};
}

RowName RowName::job(const JobId& id) {
    return {Table::job, id.to_string()};
}

RowName RowName::group(const GroupKey& key) {
    return {Table::group, named(key)};
}

RowName RowName::schedule(const ScheduleKey& key) {
    return {Table::schedule, named(key)};
}

RowName RowName::bulk_run(const Uuid& id) {
    return {Table::bulk_run, id.to_string()};
}

RowName RowName::api_token(const Uuid& id) {
    return {Table::api_token, id.to_string()};
}

RowName RowName::edge(const EdgeKey& key) {
    return {Table::edge, fmt::format("{}/{:06}", key.blocked.to_string(), key.position)};
}

RowName RowName::step(const JobId& chain, int index) {
    return {Table::step, fmt::format("{}/{}", chain.to_string(), index)};
}

RowName RowName::slot(const Uuid& schedule, Time slot) {
    return {Table::slot, schedule.to_string() + std::to_string(to_ms(slot))};
}

RowName RowName::outbox(std::int64_t entry) {
    return {Table::outbox, std::to_string(entry)};
}

Time Database::now() const {
    last_time_ = std::max(last_time_, clock_());
    return last_time_;
}

bool Database::lock(const RowName& row, TransactionId transaction) {
    return locks_.try_emplace(row, transaction).first->second == transaction;
}

Result<void> Database::commit(const Changes& changes, Time now) {
    ++commits_;
    for (const std::int64_t entry : changes.drained) {
        outbox_.erase(entry);
        last_drained_ = std::max(last_drained_, entry);
    }
    for (const OutboxResult& told : changes.outbox_results) outbox_answers_.emplace(told.id, now);
    for (const Uuid& id : changes.forgotten_outbox_results) outbox_answers_.erase(id);
    return tables_.apply(changes, now);
}

void Database::set_settling(const JobId& id) {
    Changes changes;
    const Job before = tables_.job(id, false)->job;
    Job after = before;
    after.settling = true;
    changes.jobs.push_back({before, after});
    const auto applied = tables_.apply(changes, last_time_);
    SEMEL_ASSERT(applied.has_value());
}

void Database::end(TransactionId transaction) {
    std::erase_if(locks_, [&](const auto& lock) { return lock.second == transaction; });
}

}  // namespace semel::sim
