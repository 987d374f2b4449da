#include "store/memory/memory_store.hpp"

namespace semel {
namespace {

bool matches(const Job& job, const std::string& tenant, const ActionFilter& filter) {
    return job.tenant == tenant && (!filter.status || job.status == *filter.status) &&
           (!filter.type || job.type == *filter.type) &&
           (!filter.lock_group || job.lock_group == *filter.lock_group) &&
           (!filter.chain || job.chain == *filter.chain) &&
           (!filter.from || job.created_at >= *filter.from) &&
           (!filter.to || job.created_at < *filter.to);
}

}  // namespace

ActionView MemoryStore::view(const Job& job) const {
    ActionView view{.job = job, .body = tables_.bodies.at(job.id), .result = {}};
    const auto result = tables_.results.find(job.id);
    if (result != tables_.results.end()) {
        view.result = result->second;
    }
    return view;
}

void MemoryStore::get_action(std::string tenant, JobId id,
                             Done<std::optional<ActionDetails>> done) {
    const auto job = tables_.jobs.find(id);
    if (job == tables_.jobs.end() || job->second.tenant != tenant) {
        done(std::optional<ActionDetails>());
        return;
    }
    ActionDetails details;
    details.view = view(job->second);
    const auto attempts = tables_.attempts.find(id);
    if (attempts != tables_.attempts.end()) {
        details.history = attempts->second;
    }
    const auto group = tables_.groups.find({tenant, job->second.lock_group});
    if (group != tables_.groups.end()) {
        details.group_head = group->second.head;
    }
    done(std::optional(std::move(details)));
}

void MemoryStore::list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                               int limit, Done<std::vector<ActionView>> done) {
    std::vector<ActionView> found;
    for (auto job = tables_.jobs.rbegin(); job != tables_.jobs.rend(); ++job) {
        if (found.size() == static_cast<std::size_t>(limit)) {
            break;
        }
        if ((!before || job->first < *before) && matches(job->second, tenant, filter)) {
            found.push_back(view(job->second));
        }
    }
    done(std::move(found));
}

void MemoryStore::list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                 Done<std::vector<LoggedDecision>> done) {
    std::vector<LoggedDecision> found;
    for (std::size_t i = tables_.decisions.size(); i > 0; --i) {
        const auto sequence = static_cast<std::int64_t>(i);
        const bool wanted =
            tables_.decisions[i - 1].tenant == tenant && (!before || sequence < *before);
        if (wanted && found.size() < static_cast<std::size_t>(limit)) {
            found.push_back({sequence, tables_.decisions[i - 1]});
        }
    }
    done(std::move(found));
}

void MemoryStore::list_api_tokens(Done<std::vector<ApiToken>> done) {
    std::vector<ApiToken> tokens;
    for (const auto& [id, token] : tables_.api_tokens) {
        tokens.push_back(token);
    }
    done(std::move(tokens));
}

void MemoryStore::count_jobs(Done<std::vector<JobCount>> done) {
    std::map<std::pair<Status, std::string>, std::int64_t> counts;
    for (const auto& [id, job] : tables_.jobs) {
        ++counts[{job.status, job.type}];
    }
    std::vector<JobCount> found;
    for (const auto& [key, count] : counts) {
        found.push_back({key.first, key.second, count});
    }
    done(std::move(found));
}

}  // namespace semel
