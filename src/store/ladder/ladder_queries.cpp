// The part of a climb that answers queries.
#include <algorithm>

#include "core/limits.hpp"
#include "core/outbox/outbox.hpp"
#include "store/ladder/ladder_climb.hpp"
#include "store/ladder/ready_deal.hpp"

namespace semel::ladder {
namespace {

// A command that prunes loads no further chain, and no further job of a chain, once it has this
// number of rows. A job counts 1, and 1 for each chain that it waited for.
constexpr std::size_t kRowsToPruneMax = 500;

}  // namespace

QueryResult Climb::answer(const ReadyQuery& query) {
    QueryResult result;
    result.jobs = deal_ready(rows_, query, found_, ready_wanted_);
    std::erase_if(result.jobs, [&](const JobId& id) {
        found_.insert(id);
        return !add_job(id, {.body = true});
    });
    add_blocker_views(result);
    return result;
}

void Climb::add_blocker_views(QueryResult& result) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    for (auto id = result.jobs.begin(); id != result.jobs.end(); ++id) {
        if (known_job(*id).blockers == 0) {
            continue;
        }
        count += static_cast<std::size_t>(known_job(*id).blockers);
        std::vector<BlockerView> views;
        if (result.blockers.empty() || count <= kBlockersMax) {
            views = rows_.blocker_views(*id);
            for (const BlockerView& view : views) bytes += view.output ? view.output->size() : 0;
        }
        if (!result.blockers.empty() && (count > kBlockersMax || bytes > kTakeBytesMax)) {
            for (auto left = id; left != result.jobs.end(); ++left) found_.erase(*left);
            result.jobs.erase(id, result.jobs.end());
            return;
        }
        result.blockers[*id] = std::move(views);
    }
}

QueryResult Climb::answer(const DueQuery& query) {
    return answer_timed(rows_.later(reach(query.limit)), now_, query.limit, kRowOnly);
}

QueryResult Climb::answer(const ExpiredQuery& query) {
    QueryResult result =
        answer_timed(rows_.running(reach(query.limit)), now_, query.limit, kInQueue);
    for (const JobId& id : result.jobs) {
        add_claim_of(id);
    }
    return result;
}

QueryResult Climb::answer(const FinishedQuery& query) {
    const Time latest = now_ - query.age;
    QueryResult result =
        answer_timed(rows_.finished(reach(query.limit)), latest, query.limit, kRowOnly);
    result.next_at.reset();
    std::size_t rows = 0;
    for (const JobId& id : std::exchange(result.jobs, {})) {
        if (rows >= kRowsToPruneMax) {
            result.next_at = now_;
            break;
        }
        add_claim_of(id);
        result.chains.push_back(finished_chain(id, rows));
    }
    return result;
}

FinishedChain Climb::finished_chain(const JobId& last, std::size_t& rows_of_query) {
    FinishedChain chain{.last = last};
    std::vector<JobId> steps;
    if (!known_job(last).begins_chain()) {
        const JobId first = known_job(last).chain;
        steps = rows_.steps(first, static_cast<int>(kRowsToPruneMax) + 1);
        chain.is_whole = steps.size() <= kRowsToPruneMax;
        steps.resize(std::min(steps.size(), kRowsToPruneMax));
        steps.insert(steps.begin(), first);
    }
    // Several commands delete a long chain: the oldest jobs first, the last job at the end.
    std::size_t rows_of_chain = 0;
    for (const JobId& id : steps) {
        if (id == last) {
            continue;
        }
        if (rows_of_chain > kRowsToPruneMax) {
            chain.is_whole = false;
            break;
        }
        // Also a job locked elsewhere: prune() then meets it, and the command is decided later.
        chain.before.push_back(id);
        rows_of_chain += add_job(id, kRowOnly) ? 1 + add_blockers_of(id) : 0;
    }
    if (chain.is_whole) {
        rows_of_chain += 1 + add_blockers_of(last);
    }
    rows_of_query += rows_of_chain;
    return chain;
}

QueryResult Climb::answer(const FailingDependantsQuery& query) {
    QueryResult result;
    for (const JobId& id : rows_.failing_dependants(query.limit)) {
        if (add_job(id, kInQueue)) result.jobs.push_back(id);
    }
    return result;
}

QueryResult Climb::answer(const ExpiredClaimsQuery& query) {
    QueryResult result;
    for (const ClaimId& id : rows_.expired_claims(add_clamped(now_, query.ahead), query.limit)) {
        if (add_claim(id, kRowOnly)) result.claims.push_back(id);
    }
    return result;
}

QueryResult Climb::answer(const ExpiredSourcesQuery& query) {
    QueryResult result;
    result.sources = rows_.expired_sources(now_, query.limit);
    for (const SourceKey& key : result.sources) add_source(key);
    return result;
}

QueryResult Climb::answer(const ExpiredResponsesQuery& query) {
    QueryResult result;
    result.responses = rows_.expired_responses(now_, query.limit);
    return result;
}

QueryResult Climb::answer(const FinishedBulkRunsQuery& query) {
    QueryResult result;
    for (const Uuid& id : rows_.finished_bulk_runs(now_ - query.age, query.limit)) {
        if (add_bulk_run(id)) result.bulk_runs.push_back(id);
    }
    return result;
}

QueryResult Climb::answer(const OldDecisionsQuery& query) {
    QueryResult result;
    result.decisions = rows_.decisions_before(day_of(now_ - query.age), query.limit);
    return result;
}

QueryResult Climb::answer(const OutboxQuery& query) {
    QueryResult result;
    result.outbox = rows_.outbox(query.limit, query.skip);
    for (const OutboxEntry& entry : result.outbox) {
        name_rows(entry, query.settings, found_names_);
    }
    return result;
}

QueryResult Climb::answer(const OldOutboxResultsQuery& query) {
    QueryResult result;
    result.outbox_results = rows_.outbox_results_before(now_ - query.age, query.limit);
    return result;
}

bool Climb::add_bulk_run(const Uuid& id) {
    auto found = rows_.bulk_run(id);
    if (found) {
        loaded_.bulk_runs.push_back(std::move(*found));
    }
    return found.has_value();
}

QueryResult Climb::answer_timed(const std::vector<TimedJob>& queue, Time latest, int limit,
                                Parts parts) {
    QueryResult result;
    for (const TimedJob& entry : queue) {
        if (found_.contains(entry.id)) {
            continue;
        }
        if (entry.at > latest || result.jobs.size() >= static_cast<std::size_t>(limit)) {
            result.next_at = entry.at;
            break;
        }
        // Leaves out a job locked elsewhere, because another transaction is changing it, and a
        // settling job, because its end is committed already.
        if (add_job(entry.id, parts) && !is_settling(entry.id)) {
            found_.insert(entry.id);
            result.jobs.push_back(entry.id);
        }
    }
    return result;
}

bool Climb::is_settling(const JobId& id) const {
    return loaded_.jobs[known_.at(id).index].settling;
}

}  // namespace semel::ladder
