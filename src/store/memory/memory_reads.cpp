#include "store/memory/memory_reads.hpp"

namespace semel::memory {
namespace {

bool matches(const Job& job, const ActionFilter& filter) {
    return (!filter.status || job.status == *filter.status) &&
           (!filter.type || job.type == *filter.type) &&
           (!filter.lock_group || job.lock_group == *filter.lock_group) &&
           (!filter.chain || job.chain == *filter.chain) &&
           (!filter.from || job.created_at >= *filter.from) &&
           (!filter.to || job.created_at < *filter.to);
}

}  // namespace

ActionView MemoryReads::view(const Job& job) {
    ActionView view;
    view.job = job;
    view.body = tables_.body(job.id).value_or(JobBody{});
    view.result = tables_.result(job.id).value_or(JobResult{});
    return view;
}

void MemoryReads::get_action(std::string tenant, JobId id,
                             Done<std::optional<ActionDetails>> done) {
    const auto found = tables_.jobs().find(id);
    if (found == tables_.jobs().end() || found->second.tenant != tenant) {
        done(std::optional<ActionDetails>());
        return;
    }
    const Job& job = found->second;
    ActionDetails details;
    details.view = view(job);
    details.history = tables_.history(id);
    if (const auto group = tables_.group({tenant, job.lock_group})) {
        details.group_head = group->head;
    }
    done(std::optional(std::move(details)));
}

void MemoryReads::list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                               int limit, Done<std::vector<ActionView>> done) {
    std::vector<ActionView> views;
    const auto& jobs = tables_.jobs();
    auto at = before ? jobs.lower_bound(*before) : jobs.end();
    while (at != jobs.begin() && views.size() < static_cast<std::size_t>(limit)) {
        --at;
        if (at->second.tenant == tenant && matches(at->second, filter)) {
            views.push_back(view(at->second));
        }
    }
    done(std::move(views));
}

void MemoryReads::list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                 Done<std::vector<LoggedDecision>> done) {
    std::vector<LoggedDecision> decisions;
    const auto& log = tables_.decisions();
    auto sequence = static_cast<std::int64_t>(log.size());
    if (before) {
        sequence = std::min(sequence, *before - 1);
    }
    for (; sequence > 0 && decisions.size() < static_cast<std::size_t>(limit); --sequence) {
        const DecisionEntry& entry = log[static_cast<std::size_t>(sequence) - 1];
        if (entry.tenant == tenant) {
            decisions.push_back({sequence, entry});
        }
    }
    done(std::move(decisions));
}

void MemoryReads::list_api_tokens(Done<std::vector<ApiToken>> done) {
    std::vector<ApiToken> tokens;
    for (const auto& [id, token] : tables_.api_tokens()) {
        tokens.push_back(token);
    }
    done(std::move(tokens));
}

void MemoryReads::count_jobs(Done<std::vector<JobCount>> done) {
    std::map<std::pair<std::string, Status>, std::int64_t> counts;
    for (const auto& [id, job] : tables_.jobs()) {
        ++counts[{job.type, job.status}];
    }
    std::vector<JobCount> answer;
    answer.reserve(counts.size());
    for (const auto& [key, count] : counts) {
        answer.push_back({key.second, key.first, count});
    }
    done(std::move(answer));
}

}  // namespace semel::memory
