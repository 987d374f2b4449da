// Handlers: the functions of this process that do an action's work.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <semel/time.hpp>
#include <semel/uuid.hpp>

namespace semel {

// One attempt at one action.
struct Work {
    Uuid id;
    std::string tenant;
    std::string type;
    std::string payload;     // JSON, the bytes that came
    int attempt = 1;         // from 1 on
    std::int64_t token = 0;  // hand it to whatever you call, so that it can refuse an older one
    // Asked for when this attempt is over: timed out, cancelled, taken over. Stop callbacks run on
    // the engine's thread: they must not block, nor call the engine.
    std::stop_token stop;
};

// How an attempt ended.
struct HandlerResult {
    bool completed = true;
    std::optional<std::string> output = {};  // JSON
    std::string error = {};
    bool final = false;                      // failed: no further attempt
    std::optional<Millis> retry_after = {};  // failed: replaces the backoff
};

[[nodiscard]] inline HandlerResult done() {
    return {};
}
[[nodiscard]] inline HandlerResult done(std::string output_json) {
    HandlerResult result;
    result.output = std::move(output_json);
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

}  // namespace semel
