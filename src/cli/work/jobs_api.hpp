// The calls of a worker that pulls: claim, settle, and what their answers mean.
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

enum class CallEnd {
    accepted,
    lost,         // the token is not current any more: nothing of ours counts
    refused,      // said no for good; see `message`
    unreachable,  // no answer, one that says to come again, or none of Semel's
};

struct CallOutcome {
    CallEnd end = CallEnd::accepted;
    std::string message = {};
    int status = 0;  // of HTTP, where it was refused
};

// For one thread.
class JobsApi {
public:
    explicit JobsApi(std::unique_ptr<Caller> caller) : caller_(std::move(caller)) {}

    // From any thread: see Caller::hang_up().
    void hang_up() { caller_->hang_up(); }

    // `jobs` gets what was claimed.
    [[nodiscard]] CallOutcome claim(const ClaimCall& call, std::vector<ClaimedJob>& jobs);

    [[nodiscard]] CallOutcome complete(const ClaimedJob& job,
                                       const std::optional<std::string>& output);
    [[nodiscard]] CallOutcome fail(const ClaimedJob& job, const std::string& error, bool is_final);
    [[nodiscard]] CallOutcome release(const ClaimedJob& job);

    // One request for all; one outcome each, in order.
    [[nodiscard]] std::vector<CallOutcome> heartbeat(const std::vector<ClaimedJob>& jobs,
                                                     Millis lease, Millis timeout);

private:
    [[nodiscard]] CallOutcome post(const ClaimedJob& job, const char* verb, std::string body);

    std::unique_ptr<Caller> caller_;
};

}  // namespace semel::cli
