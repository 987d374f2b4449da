#include "store/memory/memory_reads.hpp"

#include <algorithm>

#include "core/keys/dedup_key.hpp"

namespace semel::memory {

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
    details.blockers = tables_.shown_blockers(id);
    done(std::optional(std::move(details)));
}

void MemoryReads::list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                               int limit, Done<std::vector<ActionView>> done) {
    std::vector<ActionView> views;
    const auto& jobs = tables_.jobs();
    auto at = before ? jobs.lower_bound(*before) : jobs.end();
    while (at != jobs.begin() && views.size() < static_cast<std::size_t>(limit)) {
        --at;
        if (at->second.tenant == tenant && filter.matches(at->second)) {
            views.push_back(view(at->second));
        }
    }
    done(std::move(views));
}

void MemoryReads::list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                 Done<std::vector<LoggedDecision>> done) {
    std::vector<LoggedDecision> decisions;
    const auto& log = tables_.decisions();
    auto at = before ? log.lower_bound(*before) : log.end();
    while (at != log.begin() && decisions.size() < static_cast<std::size_t>(limit)) {
        --at;
        if (at->second.entry.tenant == tenant) {
            decisions.push_back({at->first, at->second.entry});
        }
    }
    done(std::move(decisions));
}

void MemoryReads::walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                               JobId before, int limit, Done<std::vector<JobId>> done) {
    std::vector<JobId> ids;
    const auto& jobs = tables_.jobs();
    auto at = after ? jobs.upper_bound(*after) : jobs.begin();
    for (; at != jobs.end() && at->first < before && ids.size() < static_cast<std::size_t>(limit);
         ++at) {
        if (at->second.tenant == tenant && filter.matches(at->second)) {
            ids.push_back(at->first);
        }
    }
    done(std::move(ids));
}

void MemoryReads::count_actions(std::string tenant, ActionFilter filter,
                                Done<MatchedActions> done) {
    MatchedActions matched;
    for (const auto& [id, job] : tables_.jobs()) {
        if (job.tenant == tenant && filter.matches(job)) {
            ++matched.count;
            matched.newest = id;
        }
    }
    done(matched);
}

std::optional<ChainView> MemoryReads::chain_view(const Job& first) {
    const auto last = tables_.jobs().find(first.last.value_or(first.id));
    if (last == tables_.jobs().end()) {
        return std::nullopt;
    }
    ActionView begin = view(first);
    ActionView end = view(last->second);
    return ChainView{std::move(begin.job), std::move(begin.body), std::move(end.job),
                     std::move(end.result)};
}

void MemoryReads::get_chain(std::string tenant, JobId id, Done<std::optional<ChainView>> done) {
    const auto found = tables_.jobs().find(id);
    const bool is_there = found != tables_.jobs().end() && found->second.tenant == tenant &&
                          found->second.begins_chain();
    done(is_there ? chain_view(found->second) : std::nullopt);
}

void MemoryReads::get_chain_statuses(std::vector<ChainRef> chains,
                                     Done<std::vector<std::optional<Status>>> done) {
    std::vector<std::optional<Status>> statuses;
    for (ChainRef& chain : chains) {
        get_chain(
            std::move(chain.tenant), chain.id,
            [&statuses](const Result<std::optional<ChainView>>& found) {
                statuses.push_back(*found ? std::optional((*found)->last.status) : std::nullopt);
            });
    }
    done(std::move(statuses));
}

void MemoryReads::list_chains(std::string tenant, ChainFilter filter, std::optional<JobId> before,
                              int limit, Done<std::vector<ChainView>> done) {
    std::vector<ChainView> chains;
    const auto& jobs = tables_.jobs();
    auto at = before ? jobs.lower_bound(*before) : jobs.end();
    while (at != jobs.begin() && chains.size() < static_cast<std::size_t>(limit)) {
        --at;
        const Job& first = at->second;
        if (first.tenant != tenant || !first.in_chain || !first.begins_chain()) {
            continue;
        }
        auto chain = chain_view(first);
        if (chain && filter.matches(chain->first, chain->last)) {
            chains.push_back(std::move(*chain));
        }
    }
    done(std::move(chains));
}

void MemoryReads::list_steps(std::string tenant, JobId chain, int from, int limit,
                             Done<std::vector<StepView>> done) {
    std::vector<StepView> steps;
    for (int index = from; steps.size() < static_cast<std::size_t>(limit); ++index) {
        const auto id = index == 0 ? std::optional(chain) : tables_.step({chain, index});
        const auto job = id ? tables_.jobs().find(*id) : tables_.jobs().end();
        if (job == tables_.jobs().end() || job->second.tenant != tenant ||
            job->second.chain_index != index) {
            break;
        }
        steps.push_back({view(job->second), tables_.shown_blockers(*id)});
    }
    done(std::move(steps));
}

ScheduleView MemoryReads::view(const Schedule& schedule) {
    ScheduleView view;
    view.schedule = schedule;
    const auto& jobs = tables_.jobs();
    if (const auto job = schedule.current ? jobs.find(*schedule.current) : jobs.end();
        job != jobs.end()) {
        view.current = job->second;
    }
    return view;
}

void MemoryReads::get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) {
    const auto schedule = tables_.schedule(key);
    done(schedule ? std::optional(view(*schedule)) : std::nullopt);
}

void MemoryReads::list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                                 Done<std::vector<ScheduleView>> done) {
    std::map<Uuid, const Schedule*, std::greater<>> newest_first;
    for (const auto& [key, schedule] : tables_.schedules()) {
        if (key.tenant == tenant && (!before || schedule.id < *before)) {
            newest_first[schedule.id] = &schedule;
        }
    }
    std::vector<ScheduleView> views;
    for (const auto& [id, schedule] : newest_first) {
        if (views.size() >= static_cast<std::size_t>(limit)) break;
        views.push_back(view(*schedule));
    }
    done(std::move(views));
}

void MemoryReads::get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) {
    auto bulk_run = tables_.bulk_run(id);
    done(bulk_run && bulk_run->tenant == tenant ? std::move(bulk_run) : std::nullopt);
}

void MemoryReads::list_open_bulk_runs(Done<std::vector<BulkRun>> done) {
    std::vector<BulkRun> bulk_runs;
    for (const auto& [id, bulk_run] : tables_.bulk_runs()) {
        if (!bulk_run.finished_at) {
            bulk_runs.push_back(bulk_run);
        }
    }
    done(std::move(bulk_runs));
}

void MemoryReads::get_claim(std::string tenant, ClaimId id, Done<std::optional<Claim>> done) {
    auto claim = tables_.claim(id);
    done(claim && claim->tenant == tenant ? std::move(claim) : std::nullopt);
}

void MemoryReads::get_holds(std::vector<ClaimRef> claims,
                            Done<std::vector<std::optional<SourceHolder>>> done) {
    std::vector<std::optional<SourceHolder>> holders;
    holders.reserve(claims.size());
    for (const ClaimRef& wanted : claims) {
        const auto claim = tables_.claim(wanted.id);
        holders.push_back(claim && claim->tenant == wanted.tenant ? holder_of(*claim)
                                                                  : std::nullopt);
    }
    done(std::move(holders));
}

void MemoryReads::get_response(Uuid id, Done<std::optional<std::string>> done) {
    done(tables_.response(id));
}

void MemoryReads::find_claims(std::string tenant, std::optional<std::string> space, std::string key,
                              int limit, Done<std::vector<Claim>> done) {
    std::vector<Claim> found;
    for (const auto& [id, claim] : tables_.claims()) {
        if (found.size() >= static_cast<std::size_t>(limit)) break;
        if (claim.tenant == tenant && (!space || claim.space == *space) &&
            names_key(claim.full_key, key)) {
            found.push_back(claim);
        }
    }
    done(std::move(found));
}

void MemoryReads::list_uncertain_claims(UncertainQuery query, Done<std::vector<Claim>> done) {
    done(tables_.uncertain_claims(query));
}

void MemoryReads::count_uncertain_claims(Done<std::vector<SpaceCount>> done) {
    done(tables_.uncertain_counts());
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
