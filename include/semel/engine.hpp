// semel::Engine: the whole engine in your process, on an embedded store or PostgreSQL.
//
//   auto engine = semel::Engine::open({.store = "jobs.db"});
//   if (!engine) return complain(engine.error().message());
//   (*engine)->handle("mail:send", [](const semel::Work& work) { send(work.payload); return
//   semel::done(); });
//   (*engine)->start();
//   (*engine)->schedule({.type = "mail:send", .payload = R"({"entityId": 42})"});
//
// Thread-safe, apart from open, handle, start and stop, which are for one controlling thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <semel/chains.hpp>
#include <semel/handler.hpp>
#include <semel/job_type.hpp>
#include <semel/once.hpp>
#include <semel/problem.hpp>
#include <semel/result.hpp>
#include <semel/schedules.hpp>
#include <semel/stages.hpp>
#include <semel/tx.hpp>

namespace semel {

struct EngineOptions {
    std::string store = "./semel.db";         // a file, or postgres://user@host/database
    int concurrency = 64;                     // handlers that run at once
    Millis window = std::chrono::seconds(5);  // deduplication, where a request says nothing
    Millis default_timeout = std::chrono::seconds(30);  // of handlers that bring none
    Millis job_retention = std::chrono::hours(24 * 7);
    std::optional<Millis> key_retention = std::chrono::hours(24 * 30);  // absent: for ever
};

// How a repeated request is recognised, and what becomes of it. See docs/guides/deduplication.md.
struct DeduplicationSpec {
    bool enabled = true;
    std::optional<std::string> key = {};
    std::vector<std::string> key_fields = {};  // JSON pointers into the payload
    std::optional<Millis> window = {};
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    std::optional<Millis> max_wait = {};
};

struct ActionSpec {
    std::string type;
    std::string payload = "{}";  // any JSON value
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    std::string lock_group = {};
    std::optional<int> max_retries = {};  // total attempts
    std::string backoff = {};  // JSON, as in the HTTP API; empty: 5 minutes more each time
    std::optional<Millis> timeout = {};
    int priority = 0;
    DeduplicationSpec deduplication = {};
    std::string tenant = "default";
};

struct ActionInfo {
    Uuid id;
    std::string type;
    Status status = Status::pending;
    std::string payload;
    std::optional<std::string> output;
    std::optional<std::string> error_message;
    std::optional<std::string> error_code;
    int attempts = 0;
    Time scheduled_at;
};

class Engine {
public:
    [[nodiscard]] static Result<std::unique_ptr<Engine>> open(const EngineOptions& options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Before start(). `timeout` 0: EngineOptions::default_timeout.
    void handle(const std::string& type, Handler handler, Millis timeout = Millis(0));
    // Its statements and the end of its job are one commit; what it throws, or returns as failed,
    // undoes its statements. Short: see <semel/tx.hpp>.
    void handle_atomic(const std::string& type, AtomicHandler handler, Millis timeout = Millis(0));
    // For work that takes its time, or goes elsewhere: see <semel/stages.hpp>.
    void handle_staged(const std::string& type, StagedHandler handler, Millis timeout = Millis(0));

    // The same for job types that the compiler knows: see <semel/job_type.hpp>.
    template <JobType Job, Ending<Job, const Work&, const typename Job::Input&> Function>
    void handle(Function handler, Millis timeout = Millis(0)) {
        handle(std::string(Job::kType), to_handler<Job>(std::move(handler)), timeout);
    }
    template <JobType Job, Ending<Job, const Work&, const typename Job::Input&, Tx&> Function>
    void handle_atomic(Function handler, Millis timeout = Millis(0)) {
        handle_atomic(std::string(Job::kType), to_atomic_handler<Job>(std::move(handler)), timeout);
    }
    template <JobType Job,
              Ending<Job, const Work&, const typename Job::Input&, StagesOf<Job>&> Function>
    void handle_staged(Function handler, Millis timeout = Millis(0)) {
        handle_staged(std::string(Job::kType), to_staged_handler<Job>(std::move(handler)), timeout);
    }

    // Once: an engine that was stopped is opened anew.
    void start();
    // Running handlers end within `grace`; after that they are asked to stop and their actions are
    // released. A handler that ignores its stop token keeps stop() waiting. Effects of once() have
    // the same grace; one that still runs then is left to its lease, and not sealed. Idempotent.
    void stop(Millis grace = std::chrono::seconds(10));

    // Blocks until the answer is durable. An Error is an operating failure.
    [[nodiscard]] Result<ScheduleAnswer> schedule(const ActionSpec& action);
    // One commit for all of them; answers in order.
    [[nodiscard]] Result<std::vector<ScheduleAnswer>> schedule_all(
        const std::vector<ActionSpec>& actions);
    // The same without blocking; `done` runs on the engine's thread and must not block it.
    void schedule_async(const ActionSpec& action, std::function<void(Result<ScheduleAnswer>)> done);

    [[nodiscard]] Result<std::optional<ActionInfo>> get(const Uuid& id,
                                                        const std::string& tenant = "default");
    // Absent: done. Otherwise what stands against it.
    [[nodiscard]] Result<std::optional<Problem>> run_now(const Uuid& id,
                                                         const std::string& tenant = "default");
    [[nodiscard]] Result<std::optional<Problem>> retry(const Uuid& id, bool force = false,
                                                       const std::string& tenant = "default");
    [[nodiscard]] Result<std::optional<Problem>> cancel(const Uuid& id,
                                                        const std::string& tenant = "default");

    // Runs statements in a commit of their own: all of them, or none if it throws. For tables of
    // yours in an embedded store, which nobody else may write to; while the engine runs.
    [[nodiscard]] Result<void> write(const std::function<void(Tx&)>& statements);

    // An effect that happens once for a key, here or in any process on the same store: it is
    // claimed, run on this thread with its lease kept, and sealed; whoever asks again gets the
    // receipt. Throws what the effect throws, and leaves the key uncertain by that; `Temporary`
    // frees it. An error: the effect did not run here.
    [[nodiscard]] Result<OnceAnswer> once(const OnceSpec& spec, const OnceFunction& effect);
    [[nodiscard]] Result<OnceAnswer> once(const std::string& key, const OnceFunction& effect) {
        return once(OnceSpec{.key = key}, effect);
    }

    // Starts a chain with a job type that the compiler knows; `chain` has what else there is to say
    // of it.
    template <JobType Job>
    [[nodiscard]] Result<ChainAnswer> start(const typename Job::Input& input,
                                            ChainSpec chain = {}) {
        return chains().start(chain_of<Job>(input, std::move(chain)));
    }

    // Jobs that follow one another.
    [[nodiscard]] Chains& chains();
    // Actions that come again and again.
    [[nodiscard]] Schedules& schedules();

private:
    struct Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
