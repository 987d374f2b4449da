#include "engine/ledger.hpp"

#include <optional>
#include <utility>

#include "base/assert.hpp"
#include "base/crash_point.hpp"

namespace semel {
namespace {

// At 25 k commands a second this is under half a second of waiting; more would only be answered
// after its caller has given up.
constexpr TaskSize kQueueMax{.items = 10'000, .bytes = 256 * 1024 * 1024};

// What a command is about. Of several claims the last is the command's own: the one of its
// Idempotency-Key stands before it.
std::optional<std::size_t> subject_of(const LoadSpec& spec) {
    if (!spec.claims.empty()) return std::hash<ClaimId>()(spec.claims.back());
    if (!spec.schedules.empty()) return std::hash<ScheduleKey>()(spec.schedules.front());
    if (!spec.groups.empty()) return std::hash<GroupKey>()(spec.groups.front());
    if (!spec.jobs.empty()) return std::hash<JobId>()(spec.jobs.front().id);
    if (!spec.bulk_runs.empty()) return std::hash<Uuid>()(spec.bulk_runs.front());
    if (!spec.api_tokens.empty()) return std::hash<Uuid>()(spec.api_tokens.front());
    return std::nullopt;
}

}  // namespace

Ledger::Ledger(Env& env, Store& store, const Settings& settings,
               const CommitLine::Listeners& listeners) {
    for (int i = 0; i < store.committers(); ++i) {
        lines_.push_back(std::make_unique<CommitLine>(env, store, settings, listeners));
    }
}

void Ledger::submit(std::unique_ptr<Task> task) {
    const std::size_t line = lines_.size() == 1 ? 0 : line_for(*task);
    submit_to(line, std::move(task));
}

void Ledger::submit_to(std::size_t line, std::unique_ptr<Task> task) {
    lines_.at(line)->submit(std::move(task));
}

void Ledger::submit_all_to(std::size_t line, std::vector<std::unique_ptr<Task>> tasks) {
    lines_.at(line)->submit_all(std::move(tasks));
}

std::size_t Ledger::line_for(const Task& task) const {
    LoadSpec spec;
    task.name_rows(spec);
    const auto subject = subject_of(spec);
    return subject ? *subject % lines_.size() : idlest([](std::size_t) { return true; });
}

std::size_t Ledger::idlest(const std::function<bool(std::size_t)>& will_do) const {
    const auto load = [this](std::size_t line) {
        return std::pair(lines_[line]->waiting().items, lines_[line]->is_busy());
    };
    std::optional<std::size_t> found;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        if (will_do(line) && (!found || load(line) < load(*found))) found = line;
    }
    SEMEL_ASSERT(found);
    return *found;
}

bool Ledger::is_full() const {
    TaskSize waiting;
    for (const auto& line : lines_) {
        waiting += line->waiting();
    }
    return waiting.items >= kQueueMax.items || waiting.bytes >= kQueueMax.bytes;
}

void Ledger::close(std::function<void()> done) {
    closing_ = lines_.size();
    for (const auto& line : lines_) {
        line->close([this, done] {
            if (--closing_ == 0) {
                SEMEL_CRASH_POINT(stop_flushed);
                done();
            }
        });
    }
}

}  // namespace semel
