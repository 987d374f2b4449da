#include "store/sqlite/read_statements.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "store/packing/response_pack.hpp"
#include "store/packing/row_columns.hpp"
#include "store/sqlite/job_codec.hpp"

namespace semel::sqlite {

ReadStatements::ReadStatements(Connection& connection)
    : connection_(connection),
      names_(connection),
      numbers_(connection),
      rows_(connection, names_, numbers_),
      actions_(connection, names_, Listed::actions),
      chains_(connection, names_, Listed::chains),
      claims_(connection),
      running_(connection,
               "select high, low, chain from job indexed by job_running "
               "where place = 2 and tenant = ?"),
      history_(connection,
               fmt::format("select {} from attempt where job = ? order by token", kAttemptColumns)),
      decisions_(connection, fmt::format("select {} from decision where day = ? and tenant = ? and "
                                         "sequence < ? order by sequence desc limit ?",
                                         kDecisionColumns)),
      decision_day_(connection, "select day from decision where day < ? order by day desc limit 1"),
      schedules_(connection, fmt::format("select {} from schedule indexed by schedule_listed "
                                         "where tenant = ? and id < ? order by id desc limit ?",
                                         kScheduleColumns)),
      open_bulk_runs_(connection, fmt::format("select {} from bulk_run indexed by bulk_run_open "
                                              "where finished_at is null order by id",
                                              kBulkRunColumns)),
      response_(connection, "select body from response where id = ?"),
      api_tokens_(connection,
                  fmt::format("select {} from api_token order by id", kApiTokenColumns)),
      counts_(connection,
              "select status, type, count from job_count where count > 0 order by type, status") {}

std::optional<ActionView> ReadStatements::view(const JobId& id) {
    auto found = rows_.job(id, true);
    if (!found) {
        return std::nullopt;
    }
    ActionView view;
    view.job = std::move(found->job);
    view.body = std::move(found->body).value_or(JobBody{});
    if (view.job.has_result) {
        view.result = rows_.result(id).value_or(JobResult{});
    }
    return view;
}

std::vector<Attempt> ReadStatements::history(const JobId& id) {
    std::vector<Attempt> attempts;
    Cursor cursor(history_);
    cursor.integer(numbers_.of(id));
    while (cursor.next_row()) {
        attempts.push_back(read_attempt(cursor, id));
    }
    return attempts;
}

std::optional<ActionDetails> ReadStatements::get_action(const std::string& tenant,
                                                        const JobId& id) {
    auto found = view(id);
    if (!found || found->job.tenant != tenant) {
        return std::nullopt;
    }
    ActionDetails details;
    details.view = std::move(*found);
    details.history = history(id);
    if (!details.view.job.lock_group.empty()) {
        if (const auto group = rows_.group({tenant, details.view.job.lock_group})) {
            details.group_head = group->head;
        }
    }
    if (details.view.job.blockers > 0) {
        details.blockers = rows_.shown_blockers(id);
    }
    return details;
}

std::vector<ActionView> ReadStatements::list_actions(const std::string& tenant,
                                                     const ActionFilter& filter,
                                                     const std::optional<JobId>& before,
                                                     int limit) {
    std::vector<ActionView> views;
    for (const JobId& id :
         actions_.ids(tenant, filter, {.before = before}, IdOrder::newest_first, limit)) {
        if (auto found = view(id)) {
            views.push_back(std::move(*found));
        }
    }
    return views;
}

std::vector<JobId> ReadStatements::walk_actions(const std::string& tenant,
                                                const ActionFilter& filter,
                                                const std::optional<JobId>& after,
                                                const JobId& before, int limit) {
    return actions_.ids(tenant, filter, {after, before}, IdOrder::oldest_first, limit);
}

MatchedActions ReadStatements::count_actions(const std::string& tenant,
                                             const ActionFilter& filter) {
    return actions_.count(tenant, filter);
}

// ---- chains -----------------------------------------------------------------------------------

std::optional<ChainView> ReadStatements::chain_jobs(const JobId& id) {
    auto first = rows_.job(id, false);
    auto last = first && first->job.last ? rows_.job(*first->job.last, false) : first;
    if (!first || !last) {
        return std::nullopt;
    }
    return ChainView{std::move(first->job), {}, std::move(last->job), {}};
}

void ReadStatements::fill(ChainView& chain) {
    chain.input = rows_.body(chain.first.id).value_or(JobBody{});
    if (chain.last.has_result) {
        chain.result = rows_.result(chain.last.id).value_or(JobResult{});
    }
}

std::optional<ChainView> ReadStatements::chain_jobs(const std::string& tenant, const JobId& id) {
    auto chain = chain_jobs(id);
    const bool is_there = chain && chain->first.tenant == tenant && chain->first.begins_chain();
    return is_there ? std::move(chain) : std::nullopt;
}

std::optional<ChainView> ReadStatements::get_chain(const std::string& tenant, const JobId& id) {
    auto chain = chain_jobs(tenant, id);
    if (chain) {
        fill(*chain);
    }
    return chain;
}

std::vector<std::optional<Status>> ReadStatements::get_chain_statuses(
    const std::vector<ChainRef>& chains) {
    std::vector<std::optional<Status>> statuses;
    statuses.reserve(chains.size());
    for (const ChainRef& wanted : chains) {
        const auto chain = chain_jobs(wanted.tenant, wanted.id);
        statuses.push_back(chain ? std::optional(chain->last.status) : std::nullopt);
    }
    return statuses;
}

// Reads all running chains of the tenant, because there are at most as many as workers.
std::vector<JobId> ReadStatements::running_chains(const std::string& tenant) {
    std::vector<JobId> ids;
    const auto number = names_.find(tenant);
    if (!number) {
        return ids;
    }
    Cursor cursor(running_);
    cursor.integer(*number);
    while (cursor.next_row()) {
        const JobId id = cursor.read_key();
        ids.push_back(cursor.read_optional_id().value_or(id));
    }
    std::sort(ids.begin(), ids.end(), std::greater<>());
    return ids;
}

std::vector<JobId> ReadStatements::chains_before(const std::string& tenant,
                                                 const ChainFilter& filter,
                                                 const std::optional<JobId>& before, int limit) {
    if (filter.status != Status::running) {
        const ActionFilter firsts{
            .status = filter.status, .type = filter.type, .from = filter.from, .to = filter.to};
        return chains_.ids(tenant, firsts, {.before = before}, IdOrder::newest_first, limit);
    }
    std::vector<JobId> ids = running_chains(tenant);
    std::erase_if(ids, [&](const JobId& id) { return before && id >= *before; });
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(limit)));
    return ids;
}

std::vector<ChainView> ReadStatements::list_chains(const std::string& tenant,
                                                   const ChainFilter& filter,
                                                   std::optional<JobId> before, int limit) {
    std::vector<ChainView> chains;
    const auto wanted = static_cast<std::size_t>(std::max(limit, 0));
    bool is_more = wanted > 0;
    while (is_more) {
        const std::vector<JobId> ids = chains_before(tenant, filter, before, limit);
        for (const JobId& id : ids) {
            auto chain = chain_jobs(id);
            if (chain && chain->first.in_chain && filter.matches(chain->first, chain->last)) {
                fill(*chain);  // only of shown chains: a list can skip many
                chains.push_back(std::move(*chain));
                if (chains.size() == wanted) return chains;
            }
        }
        is_more = ids.size() == wanted;
        if (is_more) before = ids.back();
    }
    return chains;
}

std::vector<StepView> ReadStatements::list_steps(const std::string& tenant, const JobId& chain,
                                                 int from, int limit) {
    std::vector<StepView> steps;
    for (int index = from; steps.size() < static_cast<std::size_t>(limit); ++index) {
        const auto id = index == 0 ? std::optional(chain) : rows_.step({chain, index});
        auto found = id ? view(*id) : std::nullopt;
        if (!found || found->job.tenant != tenant || found->job.chain_index != index) {
            break;
        }
        auto blockers =
            found->job.blockers > 0 ? rows_.shown_blockers(*id) : std::vector<BlockerView>();
        steps.push_back({std::move(*found), std::move(blockers)});
    }
    return steps;
}

// ---- the rest ---------------------------------------------------------------------------------

ScheduleView ReadStatements::view(Schedule schedule) {
    ScheduleView view;
    view.schedule = std::move(schedule);
    if (view.schedule.current) {
        if (auto found = rows_.job(*view.schedule.current, false)) {
            view.current = std::move(found->job);
        }
    }
    return view;
}

std::optional<ScheduleView> ReadStatements::get_schedule(const ScheduleKey& key) {
    auto schedule = rows_.schedule(key);
    return schedule ? std::optional(view(std::move(*schedule))) : std::nullopt;
}

std::vector<ScheduleView> ReadStatements::list_schedules(const std::string& tenant,
                                                         const std::optional<Uuid>& before,
                                                         int limit) {
    Uuid last;
    last.bytes.fill(0xFF);
    const Uuid bound = before.value_or(last);
    std::vector<ScheduleView> views;
    Cursor cursor(schedules_);
    cursor.text(tenant).id(bound).integer(limit);
    while (cursor.next_row()) {
        views.push_back(view(read_schedule(cursor)));
    }
    return views;
}

std::optional<BulkRun> ReadStatements::get_bulk_run(const std::string& tenant, const Uuid& id) {
    auto bulk_run = rows_.bulk_run(id);
    return bulk_run && bulk_run->tenant == tenant ? std::move(bulk_run) : std::nullopt;
}

std::vector<BulkRun> ReadStatements::list_open_bulk_runs() {
    std::vector<BulkRun> bulk_runs;
    Cursor cursor(open_bulk_runs_);
    while (cursor.next_row()) {
        bulk_runs.push_back(read_bulk_run(cursor));
    }
    return bulk_runs;
}

std::optional<std::string> ReadStatements::get_response(const Uuid& id) {
    Cursor cursor(response_);
    if (!cursor.id(id).next_row()) {
        return std::nullopt;
    }
    auto body = unpack_response(cursor.view());
    if (!body) cursor.report_damage();
    return body;
}

std::optional<Claim> ReadStatements::get_claim(const std::string& tenant, const ClaimId& id) {
    auto claim = claims_.find(id);
    return claim && claim->tenant == tenant ? std::move(claim) : std::nullopt;
}

std::vector<std::optional<SourceHolder>> ReadStatements::get_holds(
    const std::vector<ClaimRef>& claims) {
    std::vector<std::optional<SourceHolder>> holders;
    holders.reserve(claims.size());
    for (const ClaimRef& wanted : claims) {
        const auto claim = get_claim(wanted.tenant, wanted.id);
        holders.push_back(claim ? holder_of(*claim) : std::nullopt);
    }
    return holders;
}

std::vector<LoggedDecision> ReadStatements::list_decisions(const std::string& tenant,
                                                           std::optional<std::int64_t> before,
                                                           int limit) {
    std::vector<LoggedDecision> decisions;
    const auto tenant_number = names_.find(tenant);
    if (!tenant_number) {
        return decisions;
    }
    // Reads one day at a time, because numbers grow with the days.
    auto day = day_before(std::numeric_limits<std::int64_t>::max());
    while (day && decisions.size() < static_cast<std::size_t>(limit)) {
        Cursor cursor(decisions_);
        cursor.integer(*day)
            .integer(*tenant_number)
            .integer(before.value_or(std::numeric_limits<std::int64_t>::max()))
            .integer(limit - static_cast<std::int64_t>(decisions.size()));
        while (cursor.next_row()) {
            decisions.push_back(read_decision(cursor, tenant));
        }
        day = day_before(*day);
    }
    return decisions;
}

// Returns the last earlier day with entries in the decision log.
std::optional<std::int64_t> ReadStatements::day_before(std::int64_t day) {
    Cursor cursor(decision_day_);
    return cursor.integer(day).next_row() ? std::optional(cursor.read_integer()) : std::nullopt;
}

std::vector<ApiToken> ReadStatements::list_api_tokens() {
    std::vector<ApiToken> tokens;
    Cursor cursor(api_tokens_);
    while (cursor.next_row()) {
        tokens.push_back(read_api_token(cursor));
    }
    return tokens;
}

std::vector<JobCount> ReadStatements::count_jobs() {
    std::vector<JobCount> counts;
    Cursor cursor(counts_);
    while (cursor.next_row()) {
        JobCount count;
        count.status = static_cast<Status>(cursor.read_int());
        count.type = cursor.read_string();
        count.count = cursor.read_integer();
        counts.push_back(std::move(count));
    }
    return counts;
}

}  // namespace semel::sqlite
