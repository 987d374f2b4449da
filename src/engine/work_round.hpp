// WorkRound: collects the results of one request to run due work (Node::process_due). The round is
// over when each attempt it counted has ended and either `limit` attempts were started or no job is
// left to start.
//
// Threads: the engine's executor. The worker calls answer() once, when is_over() returns true.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/actions/job.hpp"

namespace semel {

struct RoundReport {
    std::int64_t succeeded = 0;
    std::vector<std::pair<JobId, std::string>> errors = {};  // one for each failed attempt

    [[nodiscard]] std::int64_t processed() const {
        return succeeded + static_cast<std::int64_t>(errors.size());
    }
};

class WorkRound {
public:
    using AttemptKey = std::pair<JobId, Token>;

    WorkRound(int limit, std::function<void(RoundReport)> done)
        : left_(limit), done_(std::move(done)) {}

    // Counts an attempt, as long as fewer than `limit` were counted.
    void started(const AttemptKey& key) {
        if (left_ > 0 && open_.insert(key).second) {
            --left_;
        }
    }
    // Ends an attempt that was counted. An empty `error` means success. Other attempts are ignored.
    void ended(const AttemptKey& key, const std::string& error) {
        if (open_.erase(key) == 0) {
            return;
        }
        if (error.empty()) {
            ++report_.succeeded;
        } else {
            report_.errors.emplace_back(key.first, error);
        }
    }

    // `is_idle`: the worker has no job left to claim.
    [[nodiscard]] bool is_over(bool is_idle) const {
        return open_.empty() && (is_idle || left_ == 0);
    }
    void answer() { done_(std::move(report_)); }

private:
    int left_;  // attempts that the round may still count
    std::function<void(RoundReport)> done_;
    std::set<AttemptKey> open_;
    RoundReport report_;
};

}  // namespace semel
