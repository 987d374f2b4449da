#include "api/metrics.hpp"

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <unordered_map>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/repeat_limit.hpp"
#include "core/json/json_writer.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

constexpr const char* kDecisionLogger = "semel.decisions";

// The limit of types with their own metrics, because a tenant can invent types. The rest share one
// name.
constexpr std::size_t kTypesMax = 1000;
constexpr const char* kOtherTypes = "other";

// While a disk is full, every request fails. The log has a line in this interval, with the number.
constexpr std::chrono::seconds kErrorLineEvery{5};
// Thousands of entries can be dropped while the store is unavailable.
constexpr std::chrono::seconds kUnloggedLineEvery{60};
// How long a write error is shown if no further write shows the store's state. A write to a locked
// table fails after 5 s, a commit that does not end after 20 s.
constexpr std::chrono::seconds kWriteErrorShown{30};

constexpr std::size_t kStatuses = 8;
static_assert(static_cast<std::size_t>(Status::uncertain) + 1 == kStatuses);

// From 0.2 ms, about one fsync, to a time that people notice.
const Histogram::BucketBoundaries kCommitSeconds = {0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01,
                                                    0.025,  0.05,   0.1,   0.25,  1};
const Histogram::BucketBoundaries kBatchSizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
// A long poll takes up to a minute.
const Histogram::BucketBoundaries kRequestSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                     0.05,   0.1,   0.25,   1,     5,    60};
const Histogram::BucketBoundaries kJobSeconds = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1,
                                                 5,     15,    60,   300,  900, 3600};

const Histogram::BucketBoundaries kDiffBytes = {64, 256, 1024, 4096, 16384};

double in_seconds(Millis duration) {
    return std::chrono::duration<double>(duration).count();
}

// Returns the logger of this name, or a new logger for plain lines on standard error.
std::shared_ptr<spdlog::logger> decision_logger() {
    if (auto existing = spdlog::get(kDecisionLogger)) {
        return existing;
    }
    auto logger = std::make_shared<spdlog::logger>(
        kDecisionLogger, std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    spdlog::register_logger(logger);
    return logger;
}

// Returns the effect: the owner's name for it, or the id of a job. Empty for a fence that is not
// sealed.
std::string effect_of(const DecisionEntry& entry) {
    if (!entry.effect.empty() || entry.effect_id == Uuid{}) {
        return entry.effect;
    }
    return entry.effect_id.to_string();
}

// Returns the time from a fence's claim to its seal, or nullopt if the change is no seal.
std::optional<Millis> seal_time(const Change<Claim>& change) {
    const bool is_sealed = change.after && change.after->state == ClaimState::sealed &&
                           change.after->effect && change.after->effect->sealed_at;
    if (!is_sealed || (change.before && change.before->state == ClaimState::sealed)) {
        return std::nullopt;
    }
    return *change.after->effect->sealed_at - change.after->created_at;
}

void append_line(std::string& lines, const DecisionEntry& entry) {
    JsonWriter out(512);
    out.begin_object();
    out.member("event", "decision");
    out.member("ts", format_rfc3339(entry.at));
    out.member("idempotency_key", entry.key);
    out.member("decision", to_string(entry.decision));
    out.member("effect_id", effect_of(entry));
    out.member("source_type", entry.source_type);
    out.member("source_id", entry.source_id);
    out.member("tenant", entry.tenant);
    out.member("surface", entry.surface);
    out.member("type", entry.type);
    out.member("rule", entry.rule);
    out.member("token", to_int(entry.token));
    out.member("replaced", entry.replaced);
    out.member("count", entry.count);
    out.end_object();
    if (!lines.empty()) {
        lines.push_back('\n');
    }
    lines += out.view();
}

void append_line(std::string& lines, const GuardAnswer& answer) {
    const Claim& guard = answer.guard;
    JsonWriter out(512);
    out.begin_object();
    out.member("event",
               route_of(guard) + (answer.is_pending ? ".duplicate_pending" : ".duplicate_blocked"));
    out.member("ts", format_rfc3339(answer.at));
    if (!answer.is_pending) {
        out.member("mode", answer.has_waited ? "lock_resolved_polled" : "lock_resolved");
    }
    out.member("tenant", guard.tenant);
    out.member("key", guard.full_key);
    out.member("original_id", guard.effect->id);
    out.end_object();
    if (!lines.empty()) {
        lines.push_back('\n');
    }
    lines += out.view();
}

}  // namespace

// The last error of one of a node's stores. The loop's thread records it, any thread reads it.
class StoreHealth {
public:
    void note(const Error& error) {
        const std::lock_guard lock(mutex_);
        last_error_ = error.message();
        error_at_ = std::chrono::steady_clock::now();
        is_write_ = error.code() == ErrorCode::busy || error.code() == ErrorCode::commit_unknown;
        is_away_ = error.code() == ErrorCode::timeout || error.code() == ErrorCode::unavailable;
        has_error_ = true;
    }
    // A read has succeeded: drops an error that says that the store is unavailable.
    void note_answered() {
        if (is_away_) {
            forget();
        }
    }
    void forget() {
        if (has_error_.exchange(false)) {
            const std::lock_guard lock(mutex_);
            last_error_.reset();
            is_write_ = false;
            is_away_ = false;
        }
    }
    // Returns true if the error is only about writes: a locked table, or a commit that waits for a
    // missing standby.
    [[nodiscard]] bool is_write() const { return is_write_; }
    [[nodiscard]] std::optional<std::string> last_error() const {
        const std::lock_guard lock(mutex_);
        const auto age = std::chrono::steady_clock::now() - error_at_;
        return is_write_ && age > kWriteErrorShown ? std::nullopt : last_error_;
    }
    // Returns the number of suppressed log lines, or nullopt if this line must be suppressed too.
    [[nodiscard]] std::optional<std::int64_t> admit_line() {
        return lines_.admit(std::chrono::steady_clock::now().time_since_epoch());
    }

private:
    mutable std::mutex mutex_;
    std::optional<std::string> last_error_;           // guarded by mutex_
    std::chrono::steady_clock::time_point error_at_;  // guarded by mutex_
    std::atomic<bool> has_error_ = false;
    std::atomic<bool> is_write_ = false;
    std::atomic<bool> is_away_ = false;
    RepeatLimit lines_{kErrorLineEvery};  // of the loop's thread
};

// Logs a schedule that has stopped with a fault. Otherwise only a query would show it.
void warn_of_fault(const Change<Schedule>& change) {
    const bool is_new = change.after && !change.after->fault.empty() &&
                        !(change.before && change.before->fault == change.after->fault);
    if (is_new) {
        spdlog::warn(
            "the schedule `{}` of tenant `{}` has stopped: {}; mend its rule or its time "
            "zone, then resume or put it",
            change.after->key.name, change.after->key.tenant, change.after->fault);
    }
}

struct Metrics::Impl {
    prometheus::Registry registry;

    Family<Counter>& decisions = prometheus::BuildCounter()
                                     .Name("semel_decisions_total")
                                     .Help("What requests that met a claim were told")
                                     .Register(registry);
    Family<Gauge>& jobs = prometheus::BuildGauge()
                              .Name("semel_jobs")
                              .Help("Jobs by status and type")
                              .Register(registry);
    Family<Gauge>& uncertain = prometheus::BuildGauge()
                                   .Name("semel_claims_uncertain")
                                   .Help("Claims that an operator must resolve, by route")
                                   .Register(registry);
    Family<Histogram>& requests = prometheus::BuildHistogram()
                                      .Name("semel_http_request_seconds")
                                      .Help("From a request's arrival to its answer")
                                      .Register(registry);
    Histogram& job_duration = histogram("semel_job_duration_seconds",
                                        "How long attempts ran, however they ended", kJobSeconds);
    Histogram& schedule_lag = histogram("semel_schedule_lag_seconds",
                                        "From a job's scheduled time to its start", kJobSeconds);
    Histogram& seal_seconds =
        histogram("semel_fence_seal_seconds", "From a fence's claim to its seal", kJobSeconds);
    Histogram& diff_bytes = histogram("semel_conflict_diff_bytes",
                                      "Of the diffs that conflicts were answered with", kDiffBytes);
    Histogram& batch_size =
        histogram("semel_commit_batch_size", "Commands that shared a commit", kBatchSizes);
    Histogram& commit_seconds =
        histogram("semel_commit_seconds", "Loading, deciding, saving, committing", kCommitSeconds);
    Counter& stale_tokens =
        counter("semel_stale_token_total", "Calls of owners that had been replaced");
    Counter& rescued = counter("semel_rescued_total", "Attempts taken over: lost or timed out");
    Counter& store_errors = counter("semel_store_errors_total", "Batches that the store refused");
    Counter& replays = counter("semel_receipts_from_memory_total",
                               "Duplicates of fences that were told without asking the store");
    Counter& commits_unknown = counter("semel_commit_unknown_total",
                                       "Of these, commits that may have happened all the same");

    Counter& unlogged =
        counter("semel_decisions_unlogged_total",
                "Decisions without a line in the log, which the store did not take");

    Family<Counter>& guards_skipped =
        prometheus::BuildCounter()
            .Name("semel_guard_skipped_total")
            .Help("Requests past a content guard, because their body was no JSON object")
            .Register(registry);
    Family<Counter>& open = prometheus::BuildCounter()
                                .Name("semel_guard_open_total")
                                .Help("Requests that went on without claims: the store was away")
                                .Register(registry);

    Gauge& store_warnings = prometheus::BuildGauge()
                                .Name("semel_store_warnings")
                                .Help("What /readyz warns of")
                                .Register(registry)
                                .Add({});

    std::mutex jobs_mutex;
    std::unordered_map<std::string, std::array<Gauge*, kStatuses>> job_gauges;
    std::map<std::string, Gauge*> uncertain_gauges;  // by route; guarded by jobs_mutex
    std::map<std::pair<std::string, Decision>, Counter*> decision_counters;
    // One of decision_counters, found in advance, because any thread counts served receipts.
    Counter& fence_duplicates = counter_of("fences", Decision::duplicate);

    std::shared_mutex requests_mutex;
    std::map<std::pair<std::string, int>, Histogram*, std::less<>> request_histograms;

    StoreHealth main_store;
    StoreHealth fence_store;  // unused without a separate store
    RepeatLimit unlogged_lines{kUnloggedLineEvery};
    RepeatLimit open_lines{kErrorLineEvery};

    std::shared_ptr<spdlog::logger> log = decision_logger();
    std::string lines;  // of this commit, not yet written

    StoreHealth& health(StoreRole store) {
        return store == StoreRole::main ? main_store : fence_store;
    }

    Histogram& histogram(const char* name, const char* help,
                         const Histogram::BucketBoundaries& buckets) {
        return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({},
                                                                                         buckets);
    }
    Counter& counter(const char* name, const char* help) {
        return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
    }
    Counter& counter_of(const std::string& surface, Decision decision) {
        Counter*& counter = decision_counters[{surface, decision}];
        if (counter == nullptr) {
            counter = &decisions.Add({{"surface", surface},
                                      {"decision", std::string(to_string(decision))},
                                      {"route", ""}});
        }
        return *counter;
    }

    // Returns the gauges of a type, one for each status. REQUIRES: jobs_mutex is held.
    std::array<Gauge*, kStatuses>& gauges_of(const std::string& type) {
        const bool is_other = job_gauges.size() >= kTypesMax && !job_gauges.contains(type);
        const auto [at, is_new] = job_gauges.try_emplace(is_other ? kOtherTypes : type);
        for (std::size_t i = 0; is_new && i < kStatuses; ++i) {
            at->second.at(i) = &jobs.Add(
                {{"status", std::string(to_string(static_cast<Status>(i)))}, {"type", at->first}});
        }
        return at->second;
    }

    void flush() {
        if (!lines.empty()) {
            log->info(lines);
            lines.clear();
        }
    }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}

Metrics::~Metrics() {
    impl_->flush();
    impl_->log->flush();
}

void Metrics::on_decision(const DecisionEntry& entry) {
    impl_->counter_of(entry.surface, entry.decision).Increment(static_cast<double>(entry.count));
    if (entry.decision == Decision::conflict) {
        impl_->diff_bytes.Observe(static_cast<double>(entry.diff_bytes));
    }
}

void Metrics::on_replay() {
    impl_->fence_duplicates.Increment();
    impl_->replays.Increment();
}

// Written once per commit, by on_committed: one system call for hundreds of lines.
void Metrics::on_decision_line(const DecisionEntry& entry) {
    if (impl_->log->should_log(spdlog::level::info)) {
        append_line(impl_->lines, entry);
    }
}

// Its decision is in the log too, so a commit follows and writes the line.
void Metrics::on_guard_answer(const GuardAnswer& answer) {
    if (impl_->log->should_log(spdlog::level::info)) {
        append_line(impl_->lines, answer);
    }
}

void Metrics::on_guard_skipped(std::string_view route) {
    impl_->guards_skipped.Add({{"route", std::string(route)}}).Increment();
}

void Metrics::on_open(std::string_view route) {
    impl_->open.Add({{"route", std::string(route)}}).Increment();
    if (const auto held_back =
            impl_->open_lines.admit(std::chrono::steady_clock::now().time_since_epoch())) {
        spdlog::warn(
            "the store is unavailable and the route `{}` is open: a request went on without its "
            "claims, and a repeat of it would be sent again{}",
            route, *held_back == 0 ? "" : fmt::format("; {} before it not shown", *held_back));
    }
}

void Metrics::on_commit(StoreRole store, std::size_t commands, double seconds) {
    impl_->batch_size.Observe(static_cast<double>(commands));
    impl_->commit_seconds.Observe(seconds);
    if (StoreHealth& health = impl_->health(store); !health.is_write()) {
        health.forget();
    }
}

void Metrics::on_committed(StoreRole store, const Changes& changes) {
    // An empty commit does not show whether writes succeed.
    if (!changes.empty()) {
        impl_->health(store).forget();
    }
    for (const auto& change : changes.schedules) warn_of_fault(change);
    for (const Attempt& attempt : changes.attempts) {
        impl_->job_duration.Observe(in_seconds(attempt.ended_at - attempt.started_at));
    }
    for (const auto& change : changes.claims) {
        if (const auto took = seal_time(change)) {
            impl_->seal_seconds.Observe(in_seconds(*took));
        }
    }
    impl_->flush();
}

void Metrics::on_started(const Job& /*job*/, Millis lag) {
    impl_->schedule_lag.Observe(in_seconds(lag));
}

void Metrics::on_stale_token() {
    impl_->stale_tokens.Increment();
}

void Metrics::on_rescued(int count) {
    impl_->rescued.Increment(count);
}

void Metrics::on_store_error(StoreRole store, const Error& error) {
    impl_->store_errors.Increment();
    if (error.code() == ErrorCode::commit_unknown) {
        impl_->commits_unknown.Increment();
    }
    StoreHealth& health = impl_->health(store);
    if (const auto held_back = health.admit_line()) {
        spdlog::error("{}: {} ({}){}", store == StoreRole::main ? "store" : "fence store",
                      error.message(), to_string(error.code()),
                      *held_back == 0 ? "" : fmt::format("; {} before it not shown", *held_back));
    }
    // A damaged row is no error of the store: commands for other rows are executed.
    if (error.code() != ErrorCode::damaged_row) {
        health.note(error);
    }
}

void Metrics::on_unlogged(std::int64_t decisions) {
    impl_->unlogged.Increment(static_cast<double>(decisions));
    if (impl_->unlogged_lines.admit(std::chrono::steady_clock::now().time_since_epoch())) {
        spdlog::warn(
            "the decision log loses lines: the store has not taken them for so long that no more "
            "are kept in memory. What was decided stands; semel_decisions_unlogged_total counts "
            "them");
    }
}

void Metrics::set_job_counts(const std::vector<JobCount>& counts) {
    const std::lock_guard lock(impl_->jobs_mutex);
    for (auto& [type, gauges] : impl_->job_gauges) {
        for (Gauge* gauge : gauges) gauge->Set(0);
    }
    for (const JobCount& count : counts) {
        impl_->gauges_of(count.type)
            .at(static_cast<std::size_t>(count.status))
            ->Increment(static_cast<double>(count.count));
    }
}

void Metrics::set_uncertain_counts(const std::vector<SpaceCount>& counts) {
    const std::lock_guard lock(impl_->jobs_mutex);
    for (auto& [route, gauge] : impl_->uncertain_gauges) gauge->Set(0);
    for (const SpaceCount& count : counts) {
        const std::string route = route_of_space(count.space);
        Gauge*& gauge = impl_->uncertain_gauges[route];
        if (gauge == nullptr) gauge = &impl_->uncertain.Add({{"route", route}});
        gauge->Increment(static_cast<double>(count.count));
    }
}

void Metrics::set_store_warnings(std::size_t count) {
    impl_->store_warnings.Set(static_cast<double>(count));
}

void Metrics::on_request(std::string_view route, int status, double seconds) {
    const std::pair<std::string, int> key(route, status);
    {
        const std::shared_lock lock(impl_->requests_mutex);
        const auto found = impl_->request_histograms.find(key);
        if (found != impl_->request_histograms.end()) {
            found->second->Observe(seconds);
            return;
        }
    }
    const std::unique_lock lock(impl_->requests_mutex);
    Histogram& histogram = impl_->requests.Add(
        {{"route", key.first}, {"status", std::to_string(status)}}, kRequestSeconds);
    impl_->request_histograms[key] = &histogram;
    histogram.Observe(seconds);
}

void Metrics::on_read(StoreRole store) {
    impl_->health(store).note_answered();
}

std::optional<std::string> Metrics::last_store_error(StoreRole store) const {
    return impl_->health(store).last_error();
}

std::string Metrics::render() const {
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, impl_->registry.Collect());
    return out.str();
}

}  // namespace semel
