// Handlers: the functions of this process that do the work of actions and of chains' steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <semel/time.hpp>
#include <semel/tx.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

// A chain that a job waited for.
struct Blocker {
    Uuid id;
    std::string type = {};
    std::optional<Status> status = {};       // absent: the chain is deleted
    std::optional<std::string> output = {};  // JSON; absent: no output
};

// One attempt at one action, or at one step of a chain.
struct Work {
    Uuid id;
    std::string tenant;
    std::string type;
    // The payload of the action, or the input of the step: JSON, byte for byte as sent.
    std::string payload;
    // Number of this attempt, from 1.
    int attempt = 1;
    // Fencing token: each attempt has a larger one. Pass it to the services that you call, so that
    // they can refuse a late call of an older attempt.
    std::int64_t token = 0;
    // The chain of the step. Of an action: its own id.
    Uuid chain_id;
    // Position in the chain, from 0.
    int chain_index = 0;
    // The chains that the job waited for, in the order in which they were given.
    std::vector<Blocker> blockers = {};
    // The engine requests this stop when the attempt has lost its job: it timed out, was cancelled
    // or taken over, or the grace of Engine::stop() is over. The result of the attempt then counts
    // for nothing. Stop callbacks run on the engine's thread: they must not block, nor call the
    // engine.
    std::stop_token stop;
};

// The job that follows in the chain.
struct NextStep {
    std::string type;
    std::string input = "{}";  // JSON, at most 1 MiB
    // A JSON object with more members of `continueWith` of the HTTP API, such as `schedule` and
    // `blockers`. The step inherits lock group, priority, backoff, retries and timeout from the job
    // before it, unless it gives them here.
    std::string options = "{}";
};

// The end of an attempt. The functions below make it: done(), continue_with(), failed() and so on.
//
// A result beyond a limit fails the job permanently: an output that is not JSON or larger than
// 1 MiB, a NextStep that the engine refuses, or an output together with a NextStep.
struct HandlerResult {
    // False: the attempt failed.
    bool completed = true;
    // JSON, at most 1 MiB.
    std::optional<std::string> output = {};
    // Text of a failure. The first 64 KiB are stored.
    std::string error = {};
    // For a failure: no further attempt.
    bool final = false;
    // For a failure: the time until the next attempt, instead of the backoff.
    std::optional<Millis> retry_after = {};
    // For a completed job, instead of an output: the job that follows.
    std::optional<NextStep> next = {};
    // Replaces all members above: the engine calls it within the commit that ends the job, and its
    // result ends the job. See Engine::handle_atomic and Stages.
    std::function<HandlerResult(Tx&)> in_commit = {};
    // The handler ended its job with semel.complete_job or semel.fail_job: see ended_in_sql().
    bool in_sql = false;

    // Sets the job that follows. Throws std::logic_error if one is set: a chain has one next job.
    HandlerResult& continue_with(std::string type, std::string input_json = "{}",
                                 std::string options_json = "{}") {
        if (next) {
            throw std::logic_error("continueWith can only be called once");
        }
        next = NextStep{std::move(type), std::move(input_json), std::move(options_json)};
        return *this;
    }
};

// Completes the job, without or with an output.
[[nodiscard]] inline HandlerResult done() {
    return {};
}
[[nodiscard]] inline HandlerResult done(std::string output_json) {
    HandlerResult result;
    result.output = std::move(output_json);
    return result;
}

// Completes the job and adds the next one to its chain, in one commit. An action becomes a chain.
//
// Example: return semel::continue_with("order:ship", work.payload);
[[nodiscard]] inline HandlerResult continue_with(std::string type, std::string input_json = "{}",
                                                 std::string options_json = "{}") {
    HandlerResult result;
    result.continue_with(std::move(type), std::move(input_json), std::move(options_json));
    return result;
}

// For PostgreSQL: the handler called semel.complete_job or semel.fail_job in its own transaction
// and committed it. The attempt fails if the job has not ended.
[[nodiscard]] inline HandlerResult ended_in_sql() {
    HandlerResult result;
    result.in_sql = true;
    return result;
}

// Fails the attempt. The engine retries the job after its backoff if attempts are left.
[[nodiscard]] inline HandlerResult failed(std::string error) {
    HandlerResult result;
    result.completed = false;
    result.error = std::move(error);
    return result;
}

// Fails the job without another attempt.
[[nodiscard]] inline HandlerResult failed_for_good(std::string error) {
    HandlerResult result = failed(std::move(error));
    result.final = true;
    return result;
}

// Does the work of one attempt. An exception fails the attempt with its text, like failed().
//
// Threads: the engine calls one handler from several threads at once.
// Lifetime: `Work` lives until the handler returns.
using Handler = std::function<HandlerResult(const Work&)>;

// Does the work of one attempt within the commit that ends the job. An exception and failed() undo
// its statements. It can run several times in one attempt, after its statements were undone, so it
// must change nothing but through the Tx.
//
// Threads: the store's thread. No other commit happens meanwhile: see the limits of <semel/tx.hpp>.
using AtomicHandler = std::function<HandlerResult(const Work&, Tx&)>;

}  // namespace semel
