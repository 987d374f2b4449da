#include "store/sqlite/read_statements.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "store/sqlite/job_codec.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// Ids begin with the time of their making, which is `createdAt` or a little later: a generator
// runs ahead of the clock when it makes more than 4096 ids in a millisecond.
constexpr Millis kIdsAhead = std::chrono::minutes(1);

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

// The smallest first half of an id that could have been made at `time`.
std::int64_t first_high_at(Time time) {
    constexpr int kBelowTime = 16;
    return kLowest + (std::clamp<std::int64_t>(to_ms(time), 0, kTimeMaxMs) << kBelowTime);
}

// The shelves on which jobs of a status stand.
std::vector<int> shelves_of(const std::optional<Status>& status) {
    if (status) {
        return {shelf_of(*status)};
    }
    return {shelf_of(Status::pending),   shelf_of(Status::completed),  shelf_of(Status::failed),
            shelf_of(Status::cancelled), shelf_of(Status::superseded), shelf_of(Status::uncertain)};
}

}  // namespace

// Of first halves of ids: from <= high <= last.
struct ReadStatements::IdRange {
    std::int64_t from = kLowest;
    std::int64_t last = std::numeric_limits<std::int64_t>::max();

    IdRange(const ActionFilter& filter, const std::optional<JobId>& cursor) {
        if (filter.from) {
            from = first_high_at(*filter.from);
        }
        if (filter.to) {
            last = first_high_at(add_clamped(*filter.to, kIdsAhead));
        }
        if (cursor) {
            const std::int64_t high = JobKey(*cursor).high;
            from = high == kLowest ? high + 1 : from;  // nothing is before the first id
            last = std::min(last, std::max(high, kLowest + 1) - 1);
        }
    }
};

ReadStatements::ReadStatements(Connection& connection)
    : connection_(connection),
      names_(connection),
      rows_(connection, names_),
      history_(connection,
               fmt::format("select {} from attempt where job = ? order by token", kAttemptColumns)),
      decisions_(connection,
                 "select sequence, data from decision where tenant = ? and sequence < ? "
                 "order by sequence desc limit ?"),
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
    cursor.high(id);
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
    return details;
}

Statement& ReadStatements::list_statement(const std::string& sql) {
    auto found = lists_.find(sql);
    if (found == lists_.end()) {
        found = lists_.emplace(sql, Statement(connection_, sql)).first;
    }
    return found->second;
}

std::vector<JobId> ReadStatements::list_ids(std::int64_t tenant, int shelf,
                                            const ActionFilter& filter, const IdRange& range,
                                            int limit) {
    const bool running = filter.status == Status::running;
    std::string sql = "select high, low from job indexed by ";
    // Running jobs are few, and the shelf they share is not.
    sql += running ? "job_running where place = 2 and tenant = ?"
                   : "job_listed where tenant = ? and shelf = ?";
    sql += " and high >= ? and high <= ?";
    std::vector<std::function<void(Cursor&)>> binds;
    const auto filter_by = [&](const char* condition, auto bind) {
        sql += condition;
        binds.emplace_back(std::move(bind));
    };
    if (filter.status && !running) {
        filter_by(" and status = ?",
                  [&](Cursor& cursor) { cursor.integer(static_cast<int>(*filter.status)); });
    }
    if (filter.type) {
        const auto type = names_.find(*filter.type);
        filter_by(" and type = ?", [type](Cursor& c) { c.optional_integer(type); });
    }
    if (filter.lock_group) {
        filter_by(" and coalesce(lock_group, '') = ?",
                  [&](Cursor& c) { c.text(*filter.lock_group); });
    }
    if (filter.chain) {
        // A chain of one is its own; its key says so.
        filter_by(" and (chain = ? or (chain is null and high = ? and low = ?))",
                  [&](Cursor& c) { c.id(*filter.chain).key(*filter.chain); });
    }
    if (filter.from) filter_by(" and created_at >= ?", [&](Cursor& c) { c.time(*filter.from); });
    if (filter.to) filter_by(" and created_at < ?", [&](Cursor& c) { c.time(*filter.to); });
    sql += " order by high desc limit ?";

    Cursor cursor(list_statement(sql));
    cursor.integer(tenant);
    if (!running) {
        cursor.integer(shelf);
    }
    cursor.integer(range.from).integer(range.last);
    for (const auto& bind : binds) {
        bind(cursor);
    }
    cursor.integer(limit);
    std::vector<JobId> ids;
    while (cursor.next_row()) {
        ids.push_back(cursor.read_key());
    }
    return ids;
}

std::vector<ActionView> ReadStatements::list_actions(const std::string& tenant,
                                                     const ActionFilter& filter,
                                                     const std::optional<JobId>& before,
                                                     int limit) {
    const IdRange range(filter, before);
    const auto tenant_number = names_.find(tenant);
    if (!tenant_number) {
        return {};
    }
    std::vector<JobId> ids;
    for (const int shelf : shelves_of(filter.status)) {
        const auto listed = list_ids(*tenant_number, shelf, filter, range, limit);
        ids.insert(ids.end(), listed.begin(), listed.end());
    }
    std::sort(ids.begin(), ids.end(), std::greater<>());
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(std::max(limit, 0))));
    std::vector<ActionView> views;
    views.reserve(ids.size());
    for (const JobId& id : ids) {
        if (auto found = view(id)) {
            views.push_back(std::move(*found));
        }
    }
    return views;
}

std::vector<LoggedDecision> ReadStatements::list_decisions(const std::string& tenant,
                                                           std::optional<std::int64_t> before,
                                                           int limit) {
    std::vector<LoggedDecision> decisions;
    const auto tenant_number = names_.find(tenant);
    if (!tenant_number) {
        return decisions;
    }
    Cursor cursor(decisions_);
    cursor.integer(*tenant_number)
        .integer(before.value_or(std::numeric_limits<std::int64_t>::max()))
        .integer(limit);
    while (cursor.next_row()) {
        decisions.push_back(read_decision(cursor, tenant));
    }
    return decisions;
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
