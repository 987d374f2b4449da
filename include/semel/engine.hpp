// semel::Engine: the engine of `semel serve` in your process, on an embedded store or PostgreSQL.
//
//   auto engine = semel::Engine::open({.store = "jobs.db"});
//   if (!engine) return complain(engine.error().message());
//   (*engine)->handle("mail:send", [](const semel::Work& work) {
//       send(work.payload);
//       return semel::done();
//   });
//   (*engine)->start();
//   (*engine)->schedule({.type = "mail:send", .payload = R"({"entityId": 42})"});
//
// docs/guides/library.md is the guide.
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
    // The path of a file, which one process can open at a time, or the URL of a PostgreSQL
    // database: postgres://user@host/database.
    std::string store = "./semel.db";
    // Handlers that run at the same time, at most. Each of them has a thread.
    int concurrency = 64;
    // Window of a deduplication key, unless the request gives one.
    Millis window = std::chrono::seconds(5);
    // Time limit of an attempt, unless the action or its handler gives one.
    Millis default_timeout = std::chrono::seconds(30);
    // Time for which an ended job is kept. Then the engine deletes it. Its key can live longer.
    Millis job_retention = std::chrono::hours(24 * 7);
    // Time for which a key is remembered after its job ended. Absent: without limit.
    std::optional<Millis> key_retention = std::chrono::hours(24 * 30);
};

// The key of an action, and the effect of a request with a key that exists. Two requests with equal
// keys inside the window are duplicates. docs/guides/deduplication.md explains the options.
struct DeduplicationSpec {
    // False: every request makes an action.
    bool enabled = true;
    // The key, per type and tenant: 1 byte to 64 KiB. Absent: `entityType` and `entityId` of the
    // payload are the key. Without an `entityId` and `key_fields` every request makes an action.
    std::optional<std::string> key = {};
    // JSON pointers into the payload, at most 16. The values that they find join the key.
    std::vector<std::string> key_fields = {};
    // Absent: EngineOptions::window. At most EngineOptions::key_retention. Zero or less: every
    // request makes an action.
    std::optional<Millis> window = {};
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    // For `debounce`: the longest time from the creation of the action to its new due time. Absent:
    // ten windows.
    std::optional<Millis> max_wait = {};
};

// A request for an action: one unit of deferred work. docs/guides/actions.md explains the options.
struct ActionSpec {
    // Selects the handler. 1 to 255 bytes of UTF-8 without control characters, like every name.
    std::string type;
    // Any JSON value. It is stored and given to the handler byte for byte.
    std::string payload = "{}";
    // The time at which the action is due. A past time means now. Give this or `delay`, not both.
    std::optional<Time> scheduled_at = {};
    // The same as a time from now: 0 ms to 100 years.
    std::optional<Millis> delay = {};
    // At most one action of a group runs at a time, per tenant. Empty: no group.
    std::string lock_group = {};
    // Total attempts, 0 to 1 000. 0 counts as 1. Absent: 3.
    std::optional<int> max_retries = {};
    // The wait between attempts, as JSON of docs/guides/actions.md: {"kind":"fixed","delayMs":100}.
    // Empty: 5 minutes after the first attempt, 10 after the second, and so on.
    std::string backoff = {};
    // Time limit of an attempt, 1 ms to 24 h. Absent: the limit of the handler.
    std::optional<Millis> timeout = {};
    // Due work with a higher priority runs first: -1 000 000 to 1 000 000.
    int priority = 0;
    DeduplicationSpec deduplication = {};
    // Tenants share no keys and no lock groups, and never see jobs of another tenant.
    std::string tenant = "default";
};

// An action as a read finds it.
struct ActionInfo {
    Uuid id;
    std::string type;
    Status status = Status::pending;
    // JSON, byte for byte as the last request gave it.
    std::string payload;
    // JSON that the last attempt returned. Absent: no output.
    std::optional<std::string> output;
    // Why the last attempt failed, or why the job failed without an attempt. Absent: no failure.
    std::optional<std::string> error_message;
    // `failed`, `timeout`, `lost`, `blocker_failed` or `resolved`. Absent: no failure.
    std::optional<std::string> error_code;
    // Attempts so far, with a running one. A released attempt does not count.
    int attempts = 0;
    // The due time: of the next attempt while the action is pending.
    Time scheduled_at;
};

// Opens a store, runs handlers for its work, and schedules more work.
//
// Order: open, handle, start, then everything else, then stop. get(), sealed() and Chains::get()
// work as long as the engine lives. Before start() and after stop() all other calls return the
// error `stopped`, or the Problem of a request that breaks a limit.
//
// Threads: open, handle, start, stop and the destructor belong to one controlling thread. Every
// other call can be made from any thread, also from a handler. A call blocks until its answer is
// durable, unless its comment says otherwise. Functions that receive a Tx must not call the engine:
// calls that change something or wait return the error `refused`, because the engine waits for that
// function.
//
// Errors: a call returns an Error only for an operating failure. Except after `commit_unknown`,
// nothing was changed. After `commit_unknown` the change happened or did not: repeat the call with
// its key, or read the state. Common codes are `overloaded` (10 000 commands or 256 MiB wait),
// `busy` (another transaction holds a row for 5 s), `unavailable`, `io_error` and `stopped`.
//
// Lifetime: a call keeps no reference to its arguments after it returns.
class Engine {
public:
    // Opens the store, creates it if it does not exist, and migrates its schema. Runs no work yet.
    //
    // Errors, among others:
    // - `invalid` for a text that is neither a path nor a URL,
    // - `not_found` if the folder of the file does not exist,
    // - `busy` if another process has the file open,
    // - `refused` if the schema is that of a newer version, or a right is missing,
    // - `unavailable` if PostgreSQL does not answer.
    [[nodiscard]] static Result<std::unique_ptr<Engine>> open(const EngineOptions& options);
    // Calls stop() without grace, if it was not called.
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Registers the handler of a type: of actions, and of steps of chains. A second handler of the
    // same type replaces the first. `timeout` limits each attempt: 0 means
    // EngineOptions::default_timeout.
    //
    // Must be called before start(). A later call ends the process.
    // Threads: the engine calls the handler from several threads at once.
    // Lifetime: everything that the handler refers to must outlive the engine.
    void handle(const std::string& type, Handler handler, Millis timeout = Millis(0));

    // Registers a handler whose statements and the end of its job are one commit. If it throws or
    // returns failed(), its statements are undone and the attempt fails. For short work on tables
    // in the store's own file: <semel/tx.hpp> has the limits. On PostgreSQL such a handler never
    // runs: its jobs fail permanently.
    //
    // Otherwise like handle().
    void handle_atomic(const std::string& type, AtomicHandler handler, Millis timeout = Millis(0));

    // Registers a handler that can commit its own statements before and after work without a
    // transaction: see <semel/stages.hpp>. Otherwise like handle().
    void handle_staged(const std::string& type, StagedHandler handler, Millis timeout = Millis(0));

    // The same for a job type that the compiler knows: see <semel/job_type.hpp>.
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

    // Begins to run handlers, schedules and cleanup. A second call ends the process, also after
    // stop(). To start again, open another engine.
    void start();

    // Stops the engine in this order:
    // - It stops claiming jobs. Calls that wait for a chain or a fence return `stopped`.
    // - Handlers and effects of once() that run have `grace` to end. Their results are stored.
    // - Then the engine requests the stop of the rest. It returns the jobs of these handlers to
    //   pending without charging the attempt. It leaves the keys of these effects to their leases.
    // - It commits the rest, and waits for the last handler to return.
    //
    // Returns when everything is durable. A handler that ignores its stop token delays that without
    // limit. A second call, and a call before start(), does nothing.
    void stop(Millis grace = std::chrono::seconds(10));

    // Schedules an action, or finds the action that has its key.
    //
    // Returns an answer without a Problem if the action exists now. Its Problem is:
    // - `invalid` or `unknown_member` for a request that breaks a limit,
    // - `conflict` for another payload under `OnDuplicate::reject`,
    // - `uncertain` if the scope includes a started owner whose effect is uncertain,
    // - `too_large` if the key has 100 unfinished actions.
    // Example: const auto answer = engine.schedule({.type = "mail:send", .delay = 60s});
    [[nodiscard]] Result<ScheduleAnswer> schedule(const ActionSpec& action);

    // Schedules actions of one tenant in one commit. Returns one answer per action, in their order.
    // A refused action does not affect the others. Its Problem can be `store_unavailable` too, if
    // another transaction holds a row that it needs.
    //
    // Errors: `invalid` if the actions name several tenants.
    [[nodiscard]] Result<std::vector<ScheduleAnswer>> schedule_all(
        const std::vector<ActionSpec>& actions);

    // Schedules an action without blocking, and passes the answer of schedule() to `done`.
    //
    // Threads: `done` runs on the engine's thread. It must not block, nor make a call that does. If
    // the engine does not run, `done` runs on this thread before the call returns.
    void schedule_async(const ActionSpec& action, std::function<void(Result<ScheduleAnswer>)> done);

    // Reads an action, or a step of a chain. Returns nullopt if the tenant has none with this id,
    // for example after its retention.
    [[nodiscard]] Result<std::optional<ActionInfo>> get(const Uuid& id,
                                                        const std::string& tenant = "default");

    // Makes an action due now and ends its backoff. It still waits for its lock group, its
    // blockers, its predecessor and the end of a pause of its schedule.
    //
    // Returns nullopt on success, also if the action was due already. Otherwise returns the
    // Problem: `not_found`, or `wrong_state` unless the action is pending or blocked.
    // Example: if (auto r = engine.run_now(id); r && *r) log((*r)->detail);
    [[nodiscard]] Result<std::optional<Problem>> run_now(const Uuid& id,
                                                         const std::string& tenant = "default");

    // Makes a failed, cancelled or superseded action pending again, with all its attempts. A job
    // with blockers that have not completed becomes blocked.
    //
    // Returns nullopt on success. Otherwise returns the Problem: `not_found`, `wrong_state`,
    // `cycle` if a blocker now waits for this chain, or `superseded` if a newer action has its key.
    // `force` retries such an action next to the newer one.
    [[nodiscard]] Result<std::optional<Problem>> retry(const Uuid& id, bool force = false,
                                                       const std::string& tenant = "default");

    // Cancels an action. If it runs, its attempt loses the job: the engine requests its stop and
    // refuses its result.
    //
    // Returns nullopt on success. Otherwise returns the Problem: `not_found`, or `wrong_state`
    // unless the action is blocked, pending or running.
    [[nodiscard]] Result<std::optional<Problem>> cancel(const Uuid& id,
                                                        const std::string& tenant = "default");

    // Runs statements in a separate commit: all of them, or none if the function throws. For tables
    // in the store's own file, which no other connection may write: <semel/tx.hpp> has the limits.
    // The function can run several times. The statements of one run count.
    //
    // Errors: `invalid` with the reason if a statement or the function fails, or takes too long.
    // `refused` on PostgreSQL.
    // Example: engine.write([](auto& tx) { tx.execute("create table app_sale (id integer)"); });
    [[nodiscard]] Result<void> write(const std::function<void(Tx&)>& statements);

    // Makes an effect happen once per key, in all processes on the same store. Claims the key, runs
    // the effect on this thread, and seals its result. While the effect runs, the engine renews the
    // lease of the key. If the key is sealed, returns the sealed result instead. If another caller
    // owns the key, waits for it, up to OnceSpec::wait. <semel/once.hpp> describes the answers.
    //
    // Throws what the effect throws. The key then is `uncertain`, or free after `Temporary`. Throws
    // std::invalid_argument if the effect returns an id or a receipt that breaks a limit. The key
    // then is `uncertain` too.
    // Errors: the effect did not run in this call.
    // Threads: any, also a handler's. Blocks as long as the owner before it and the effect take.
    [[nodiscard]] Result<OnceAnswer> once(const OnceSpec& spec, const OnceFunction& effect);
    [[nodiscard]] Result<OnceAnswer> once(const std::string& key, const OnceFunction& effect) {
        return once(OnceSpec{.key = key}, effect);
    }

    // Reads the effect that is sealed under a key. Claims nothing, and waits for no owner. Returns
    // nullopt if the key is not sealed, or its receipt has expired.
    [[nodiscard]] Result<std::optional<SealedEffect>> sealed(const std::string& key,
                                                             const std::string& tenant = "default");

    // Starts a chain whose first job is of a type that the compiler knows. The call replaces `type`
    // and `input` of `chain` and keeps its other options. Otherwise like Chains::start().
    template <JobType Job>
    [[nodiscard]] Result<ChainAnswer> start(const typename Job::Input& input,
                                            ChainSpec chain = {}) {
        return chains().start(chain_of<Job>(input, std::move(chain)));
    }

    // Jobs that follow one another. The reference lives as long as the engine.
    [[nodiscard]] Chains& chains();
    // Actions that recur. The reference lives as long as the engine.
    [[nodiscard]] Schedules& schedules();

private:
    struct Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
