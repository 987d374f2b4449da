// SEMEL_CRASH_POINT(name): a named place at which a test build kills its own process.
//
// Tests use crash points to show that a crash loses nothing and does nothing twice. The environment
// variable SEMEL_CRASH_AT=name:n selects one point. The n-th pass (n >= 1) of the process through
// that point ends the process with SIGKILL. The process counts from its start.
//
// Errors: an unknown name or a bad n ends the process at its start with status 2 and prints the
// list of all points.
// Threads: any; all threads share one count.
// Release builds: the macros expand to nothing and do not evaluate their condition.
#pragma once

#include <cstdint>
#include <string_view>

// All crash points. Each row has its name, its phase, and the state when the process passes it.
// The phase says how often a process passes the point:
//
//   creating  once per migration, while a new store gets its schema
//   starting  once per start (a test that needs n crashes starts n times)
//   serving   repeatedly under load
//   handling  repeatedly, in a process that runs handlers (`semel serve` runs none)
//   stopping  once per graceful stop (a test that needs n crashes stops n times)
#define SEMEL_CRASH_POINTS(POINT)                                                                 \
    POINT(migration_applied, creating, "a migration is applied, not committed")                   \
    POINT(migration_committed, creating, "a migration is committed, the next one not begun")      \
    POINT(store_locked, starting, "the store's files are locked, nothing of them is read")        \
    POINT(schema_ready, starting, "the schema is the newest, the rows are not looked at")         \
    POINT(log_inherited, starting, "the log of the last process is read, not made durable")       \
    POINT(log_settled, starting, "the log of the last process is durable, no reader is open")     \
    POINT(store_opened, starting, "the store is open, nobody listens")                            \
    POINT(engine_started, starting, "upkeep, workers and bulk runs have begun")                   \
    POINT(ledger_loaded, serving, "a batch has its rows, nothing is decided")                     \
    POINT(ledger_decided, serving, "a batch is decided, its commit is not asked for")             \
    POINT(ledger_committed, serving, "a batch is committed, nobody was answered")                 \
    POINT(ledger_answered, serving, "a batch is answered, nobody was woken")                      \
    POINT(writer_before_begin, serving, "a transaction is about to begin")                        \
    POINT(save_claims, serving, "claims are written, their jobs are not")                         \
    POINT(save_jobs, serving, "jobs are written, their groups and counts are not")                \
    POINT(save_start, serving, "chains are written, whom they wait for is not")                   \
    POINT(save_continuation, serving, "a step and its continuation are written, groups are not")  \
    POINT(save_release, serving, "a chain has completed, those who wait are released")            \
    POINT(save_told, serving, "those who wait for a failed chain are written as failed")          \
    POINT(save_schedule, serving, "an occurrence has ended, its successor is written")            \
    POINT(save_bulk_run, serving, "a bulk run's progress is written along with its step")         \
    POINT(save_decisions, serving, "decisions are written, the commit's mark is not")             \
    POINT(writer_before_commit, serving, "all of a batch is written, COMMIT is not run")          \
    POINT(writer_committed, serving, "COMMIT has returned")                                       \
    POINT(schedule_committed, serving, "COMMIT has returned for an occurrence and its successor") \
    POINT(start_committed, serving, "COMMIT has returned for a chain with its blockers")          \
    POINT(continuation_committed, serving, "COMMIT has returned for a step and its continuation") \
    POINT(release_committed, serving, "COMMIT has returned for a released job")                   \
    POINT(untold_committed, serving, "COMMIT has returned for a failed chain, nobody is told")    \
    POINT(checkpoint_begun, serving, "the log is about to be folded into the file")               \
    POINT(checkpoint_done, serving, "the log is folded into the file")                            \
    POINT(dispatcher_taken, serving, "jobs are taken for a worker that was not told")             \
    POINT(claim_answered, serving, "a worker's jobs are on their way to it")                      \
    POINT(command_answered, serving, "the answer to a command is on its way")                     \
    POINT(response_written, serving, "an answer is with the operating system")                    \
    POINT(upkeep_promoted, serving, "due jobs are ready, the next look is not planned")           \
    POINT(upkeep_rescued, serving, "expired leases are taken over, the rescue is not counted")    \
    POINT(upkeep_told, serving, "those who waited for a failed chain are failed, nobody asks on") \
    POINT(upkeep_jobs_pruned, serving, "old jobs are gone, old keys are not")                     \
    POINT(upkeep_claims_pruned, serving, "old keys are gone, old bulk runs are not")              \
    POINT(upkeep_runs_pruned, serving, "old bulk runs are gone, old decisions are not")           \
    POINT(upkeep_decisions_pruned, serving, "old decisions are gone, nobody was told")            \
    POINT(bulk_walked, serving, "a bulk run has found its next actions, and not touched them")    \
    POINT(bulk_stepped, serving, "a step of a bulk run is committed, the next is not begun")      \
    POINT(repeats_flushed, serving, "counted repeats have left memory, and are not written")      \
    POINT(handler_not_started, handling, "a job is taken, its handler is not called")             \
    POINT(handler_ended, handling, "a handler has ended, its result is not submitted")            \
    POINT(handler_settled, handling, "a handler's result is committed, nobody was told")          \
    POINT(stop_begun, stopping, "a graceful stop has begun")                                      \
    POINT(stop_worked, stopping, "running work has ended, the last writes are not made")          \
    POINT(stop_flushed, stopping, "the last batch is answered")                                   \
    POINT(store_closing, stopping, "the time is noted, the log is not folded in")

namespace semel {

enum class CrashPoint {
    none,
#define SEMEL_CRASH_POINT_NAME(name, phase, what) name,
    SEMEL_CRASH_POINTS(SEMEL_CRASH_POINT_NAME)
#undef SEMEL_CRASH_POINT_NAME
};

#ifdef SEMEL_TEST_BUILD

// The crash point that SEMEL_CRASH_AT selects. It is read once, before main().
struct CrashPlan {
    CrashPoint point = CrashPoint::none;
    std::uint64_t pass = 0;  // counts from 1
};
extern const CrashPlan kCrashPlan;

// Counts one pass through the selected point. On the planned pass the process ends here.
// Threads: any.
void pass_crash_point();

#define SEMEL_CRASH_POINT_IF(condition, name)                                        \
    do {                                                                             \
        if (::semel::kCrashPlan.point == ::semel::CrashPoint::name && (condition)) { \
            ::semel::pass_crash_point();                                             \
        }                                                                            \
    } while (false)

#else

#define SEMEL_CRASH_POINT_IF(condition, name) static_cast<void>(0)

#endif

#define SEMEL_CRASH_POINT(name) SEMEL_CRASH_POINT_IF(true, name)

}  // namespace semel
