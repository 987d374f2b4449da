// WorkRound: watches what a local worker does until there is nothing left to do, or enough was
// done.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/job.hpp"

namespace semel {

struct RoundReport {
    std::int64_t succeeded = 0;
    std::vector<std::pair<JobId, std::string>> errors = {};  // one per attempt that did not

    [[nodiscard]] std::int64_t processed() const {
        return succeeded + static_cast<std::int64_t>(errors.size());
    }
};

class WorkRound {
public:
    using AttemptKey = std::pair<JobId, Token>;

    WorkRound(int limit, std::function<void(RoundReport)> done)
        : left_(limit), done_(std::move(done)) {}

    void started(const AttemptKey& key) {
        if (left_ > 0 && open_.insert(key).second) {
            --left_;
        }
    }
    // With an error, or none.
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

    // `is_idle`: the worker has nothing more to take.
    [[nodiscard]] bool is_over(bool is_idle) const {
        return open_.empty() && (is_idle || left_ == 0);
    }
    void answer() { done_(std::move(report_)); }

private:
    int left_;  // attempts that it may still watch
    std::function<void(RoundReport)> done_;
    std::set<AttemptKey> open_;
    RoundReport report_;
};

}  // namespace semel
