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
    std::optional<Status> status = {};       // absent: its rows are gone
    std::optional<std::string> output = {};  // JSON
};

// One attempt at one action, or at one step of a chain.
struct Work {
    Uuid id;
    std::string tenant;
    std::string type;
    std::string payload;     // JSON, the bytes that came
    int attempt = 1;         // from 1 on
    std::int64_t token = 0;  // hand it to whatever you call, so that it can refuse an older one
    Uuid chain_id;           // of an action: its own id
    int chain_index = 0;
    std::vector<Blocker> blockers = {};  // in the order in which they were given
    // Asked for when this attempt is over: timed out, cancelled, taken over. Stop callbacks run on
    // the engine's thread: they must not block, nor call the engine.
    std::stop_token stop;
};

// What follows a job in its chain.
struct NextStep {
    std::string type;
    std::string input = "{}";  // JSON
    // A JSON object with more members of the HTTP API's `continueWith`: schedule, blockers, …
    // What it does not say of lock group, priority, retries and time-out is as it was.
    std::string options = "{}";
};

// How an attempt ended.
struct HandlerResult {
    bool completed = true;
    std::optional<std::string> output = {};  // JSON
    std::string error = {};
    bool final = false;                      // failed: no further attempt
    std::optional<Millis> retry_after = {};  // failed: replaces the backoff
    std::optional<NextStep> next = {};       // completed, in place of an output: the chain goes on
    // In place of all that: run within the commit that ends the job, and what it returns says how.
    // See Engine::handle_atomic and Stages.
    std::function<HandlerResult(Tx&)> in_commit = {};
    bool in_sql = false;  // the job was ended by semel.complete_job or semel.fail_job

    // The chain goes on; it can do so in one way only.
    HandlerResult& continue_with(std::string type, std::string input_json = "{}",
                                 std::string options_json = "{}") {
        if (next) {
            throw std::logic_error("continueWith can only be called once");
        }
        next = NextStep{std::move(type), std::move(input_json), std::move(options_json)};
        return *this;
    }
};

[[nodiscard]] inline HandlerResult done() {
    return {};
}
[[nodiscard]] inline HandlerResult done(std::string output_json) {
    HandlerResult result;
    result.output = std::move(output_json);
    return result;
}
// The job is done, and its chain goes on. An action becomes a chain by that.
[[nodiscard]] inline HandlerResult continue_with(std::string type, std::string input_json = "{}",
                                                 std::string options_json = "{}") {
    HandlerResult result;
    result.continue_with(std::move(type), std::move(input_json), std::move(options_json));
    return result;
}
// On PostgreSQL: the handler called semel.complete_job or semel.fail_job, and its transaction is
// committed. Where that is not so, the attempt fails.
[[nodiscard]] inline HandlerResult ended_in_sql() {
    HandlerResult result;
    result.in_sql = true;
    return result;
}
[[nodiscard]] inline HandlerResult failed(std::string error) {
    HandlerResult result;
    result.completed = false;
    result.error = std::move(error);
    return result;
}
[[nodiscard]] inline HandlerResult failed_for_good(std::string error) {
    HandlerResult result = failed(std::move(error));
    result.final = true;
    return result;
}

// Runs on a thread of the engine's pool. An exception fails the attempt with its text.
using Handler = std::function<HandlerResult(const Work&)>;

// Runs within the commit that ends its job, on the store's thread: nobody else writes meanwhile. It
// may run again, after its statements were undone, and must leave no trace but those.
using AtomicHandler = std::function<HandlerResult(const Work&, Tx&)>;

}  // namespace semel
