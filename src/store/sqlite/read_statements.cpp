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

// The smallest id that could have been made at `time`.
std::string first_id_at(Time time) {
    const auto ms =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(to_ms(time), 0, kTimeMaxMs));
    std::string id(16, '\0');
    for (std::size_t i = 0; i < 6; ++i) {
        id[i] = static_cast<char>(ms >> (8 * (5 - i)));
    }
    return id;
}

std::string bytes_of(const JobId& id) {
    return {id.bytes.begin(), id.bytes.end()};
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

// Of ids, as bytes: from <= id < before.
struct ReadStatements::IdRange {
    std::string from;
    std::string before = std::string(17, '\xFF');  // behind every id

    IdRange(const ActionFilter& filter, const std::optional<JobId>& cursor) {
        if (filter.from) {
            from = first_id_at(*filter.from);
        }
        if (filter.to) {
            before = first_id_at(add_clamped(*filter.to, kIdsAhead));
        }
        if (cursor) {
            before = std::min(before, bytes_of(*cursor));
        }
    }
};

ReadStatements::ReadStatements(Connection& connection)
    : connection_(connection),
      rows_(connection),
      history_(connection,
               fmt::format("select {} from attempt where job = ? order by token", kAttemptColumns)),
      decisions_(connection,
                 fmt::format("select sequence, {} from decision indexed by decision_listed "
                             "where tenant = ? and sequence < ? order by sequence desc limit ?",
                             kDecisionColumns)),
      api_tokens_(connection,
                  fmt::format("select {} from api_token order by id", kApiTokenColumns)),
      counts_(connection,
              "select status, type, count from job_count where count > 0 order by type, status") {}

std::optional<ActionView> ReadStatements::view(const JobId& id) {
    auto job = rows_.job(id);
    if (!job) {
        return std::nullopt;
    }
    ActionView view;
    view.job = std::move(*job);
    view.body = rows_.body(id).value_or(JobBody{});
    if (view.job.has_result) {
        view.result = rows_.result(id).value_or(JobResult{});
    }
    return view;
}

std::vector<Attempt> ReadStatements::history(const JobId& id) {
    std::vector<Attempt> attempts;
    Cursor cursor(history_);
    cursor.id(id);
    while (cursor.next_row()) {
        attempts.push_back(read_attempt(cursor));
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

std::vector<JobId> ReadStatements::list_ids(const std::string& tenant, int shelf,
                                            const ActionFilter& filter, const IdRange& range,
                                            int limit) {
    const bool running = filter.status == Status::running;
    std::string sql = "select id from job indexed by ";
    // Running jobs are few, and the shelf they share is not.
    sql += running ? "job_running where place = 2 and tenant = ?"
                   : "job_listed where tenant = ? and shelf = ?";
    sql += " and id >= ? and id < ?";
    std::vector<std::function<void(Cursor&)>> binds;
    const auto filter_by = [&](const char* condition, auto bind) {
        sql += condition;
        binds.emplace_back(std::move(bind));
    };
    if (filter.status && !running) {
        filter_by(" and status = ?",
                  [&](Cursor& cursor) { cursor.integer(static_cast<int>(*filter.status)); });
    }
    if (filter.type) filter_by(" and type = ?", [&](Cursor& c) { c.text(*filter.type); });
    if (filter.lock_group) {
        filter_by(" and lock_group = ?", [&](Cursor& c) { c.text(*filter.lock_group); });
    }
    if (filter.chain) {
        filter_by(" and coalesce(chain, id) = ?", [&](Cursor& c) { c.id(*filter.chain); });
    }
    if (filter.from) filter_by(" and created_at >= ?", [&](Cursor& c) { c.time(*filter.from); });
    if (filter.to) filter_by(" and created_at < ?", [&](Cursor& c) { c.time(*filter.to); });
    sql += " order by id desc limit ?";

    Cursor cursor(list_statement(sql));
    cursor.text(tenant);
    if (!running) {
        cursor.integer(shelf);
    }
    cursor.bytes(range.from).bytes(range.before);
    for (const auto& bind : binds) {
        bind(cursor);
    }
    cursor.integer(limit);
    std::vector<JobId> ids;
    while (cursor.next_row()) {
        ids.push_back(cursor.read_id());
    }
    return ids;
}

std::vector<ActionView> ReadStatements::list_actions(const std::string& tenant,
                                                     const ActionFilter& filter,
                                                     const std::optional<JobId>& before,
                                                     int limit) {
    const IdRange range(filter, before);
    std::vector<JobId> ids;
    for (const int shelf : shelves_of(filter.status)) {
        const auto listed = list_ids(tenant, shelf, filter, range, limit);
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
    Cursor cursor(decisions_);
    cursor.text(tenant)
        .integer(before.value_or(std::numeric_limits<std::int64_t>::max()))
        .integer(limit);
    while (cursor.next_row()) {
        LoggedDecision logged;
        logged.sequence = cursor.read_integer();
        logged.entry = read_decision(cursor);
        decisions.push_back(std::move(logged));
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
