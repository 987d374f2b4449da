// JobsApi: the API calls of a worker that claims jobs. It reduces each answer to four outcomes.
//
// Errors: every failure is a CallOutcome.
// Threads: one, except hang_up(). Every call blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/caller.hpp"

namespace semel::cli {

struct ClaimedJob {
    std::string id;
    std::string type;
    std::string tenant;
    std::string input = "null";  // JSON bytes
    std::int64_t attempt = 0;
    std::int64_t token = 0;
    std::string chain_id;
    std::int64_t chain_index = 0;
    std::string blockers = "[]";  // JSON bytes
};

struct ClaimCall {
    std::vector<std::string> types;
    int max = 1;
    std::string worker;
    Millis lease{0};
    Millis wait{0};
};

// The outcome of a call for a worker.
enum class CallEnd {
    accepted,
    lost,         // the fencing token is not current: the attempt has no effect
    refused,      // a repeat cannot succeed; see `message`
    unreachable,  // no answer, 408, 425, 429, 5xx, or not Semel's: repeat later
};

struct CallOutcome {
    CallEnd end = CallEnd::accepted;
    std::string message = {};
    int status = 0;  // the HTTP status; set if lost or refused
};

class JobsApi {
public:
    explicit JobsApi(std::unique_ptr<Caller> caller) : caller_(std::move(caller)) {}

    // Ends a waiting call; see Caller::hang_up(). Any thread.
    void hang_up() { caller_->hang_up(); }

    // Appends the claimed jobs to `jobs`. Blocks for up to `call.wait` plus 10 s. Never returns
    // `lost`.
    [[nodiscard]] CallOutcome claim(const ClaimCall& call, std::vector<ClaimedJob>& jobs);

    // End an attempt. Each waits 10 s for its answer.
    [[nodiscard]] CallOutcome complete(const ClaimedJob& job,
                                       const std::optional<std::string>& output);
    [[nodiscard]] CallOutcome fail(const ClaimedJob& job, const std::string& error, bool is_final);
    [[nodiscard]] CallOutcome release(const ClaimedJob& job);

    // Extends the leases of all jobs in one request. Returns one outcome per job, in order.
    [[nodiscard]] std::vector<CallOutcome> heartbeat(const std::vector<ClaimedJob>& jobs,
                                                     Millis lease, Millis timeout);

private:
    [[nodiscard]] CallOutcome post(const ClaimedJob& job, const char* verb, std::string body);

    std::unique_ptr<Caller> caller_;
};

}  // namespace semel::cli
