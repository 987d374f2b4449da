#include "store/postgres/read_queries.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "store/packing/id_time.hpp"
#include "store/packing/job_columns.hpp"
#include "store/packing/row_columns.hpp"
#include "store/postgres/codec.hpp"

namespace semel::postgres {
namespace {

Uuid last_id() {
    Uuid id;
    id.bytes.fill(0xFF);
    return id;
}

// The conditions of a list of actions, with their parameters. Each bucket is one range of an index.
// A list over all buckets merges the ranges. For a range of time it adds ids that callers chose.
class Conditions {
public:
    Conditions(const std::string& tenant, const ActionFilter& filter) {
        params_.text(tenant);
        if (filter.type) add("j.type = {}", [&] { params_.text(*filter.type); });
        if (filter.lock_group) {
            add("coalesce(j.lock_group, '') = {}", [&] { params_.text(*filter.lock_group); });
        }
        if (filter.schedule_name) {
            add("j.schedule_name = {}", [&] { params_.text(*filter.schedule_name); });
        }
        if (filter.chain) {
            add("j.chain = {0} and j.id = any(array(select s.id from semel.job s "
                "where s.chain = {0} and s.chain_index > 0) || {0})",
                [&] { params_.id(*filter.chain); });
        }
        if (filter.from) {
            add("j.created_at >= {}", [&] { params_.time(*filter.from); });
            add_to(dated_, "j.id >= {}", [&] { params_.id(first_id_at(*filter.from)); });
        }
        if (filter.to) {
            add("j.created_at < {}", [&] { params_.time(*filter.to); });
            add_to(dated_, "j.id < {}",
                   [&] { params_.id(first_id_at(add_clamped(*filter.to, kIdsAhead))); });
        }
        if (filter.status) {
            conditions_ += " and " + has_status_sql("j", *filter.status);
            buckets_ = {bucket_of(*filter.status)};
        }
    }

    void after(const JobId& id) {
        add("j.id > {}", [&] { params_.id(id); });
    }
    void before(const JobId& id) {
        add("j.id < {}", [&] { params_.id(id); });
    }

    // One `select {}` for each range, `union all` between them; {} is `columns`, and `ending`
    // follows each.
    [[nodiscard]] std::string sql(std::string_view columns, std::string_view ending) const {
        std::string sql;
        const auto add_range = [&](const std::string& range) {
            sql +=
                fmt::format("{}(select {} from semel.job j where j.tenant = $1 and {}{} {})",
                            sql.empty() ? "" : " union all ", columns, range, conditions_, ending);
        };
        for (const int bucket : buckets_) add_range(fmt::format("j.shelf = {}{}", bucket, dated_));
        if (!dated_.empty()) add_range(fmt::format("j.chosen and not (true{})", dated_));
        return sql;
    }
    [[nodiscard]] Params& params() { return params_; }

private:
    template <typename Bind>
    void add(std::string_view condition, Bind bind) {
        add_to(conditions_, condition, bind);
    }
    template <typename Bind>
    void add_to(std::string& conditions, std::string_view condition, Bind bind) {
        bind();
        conditions += " and ";
        conditions += fmt::format(fmt::runtime(condition), fmt::format("${}", params_.count()));
    }

    Params params_;
    std::string conditions_;
    std::string dated_;  // the range of generated ids for the time
    std::vector<int> buckets_ = all_buckets();
};

}  // namespace

void ReadQueries::add_results(std::vector<ActionView>& views) {
    std::unordered_map<JobId, ActionView*> wanting;
    Array ids(Type::uuid);
    for (ActionView& view : views) {
        if (view.job.has_result) {
            wanting[view.job.id] = &view;
            ids.id(view.job.id);
        }
    }
    if (wanting.empty()) {
        return;
    }
    each_row(
        fmt::format("select job, {} from semel.job_result where job = any($1)", kResultColumns),
        Params().array(ids), [&](Rows& rows) {
            const JobId id = rows.read_id();
            wanting.at(id)->result = read_result(rows);
        });
}

std::optional<ActionDetails> ReadQueries::get_action(const std::string& tenant, const JobId& id) {
    std::vector<ActionView> found;
    std::optional<std::string> completed_by;
    each_row(select_views(", j.completed_by") + " where j.id = $1 and j.tenant = $2",
             Params().id(id).text(tenant), [&](Rows& rows) {
                 found.push_back(read_view(rows));
                 completed_by = rows.read_optional_string();
             });
    if (found.empty()) {
        return std::nullopt;
    }
    add_results(found);
    ActionDetails details;
    details.view = std::move(found.front());
    each_row(
        fmt::format("select {} from semel.attempt where job = $1 order by token", kAttemptColumns),
        Params().id(id), [&](Rows& rows) { details.history.push_back(read_attempt(rows, id)); });
    if (completed_by) {
        details.history.push_back(completing_attempt(details.view.job, std::move(*completed_by)));
    }
    if (!details.view.job.lock_group.empty()) {
        each_row("select head from semel.lock_group where tenant = $1 and name = $2",
                 Params().text(tenant).text(details.view.job.lock_group),
                 [&](Rows& rows) { details.group_head = rows.read_id(); });
    }
    details.blockers = std::move(blockers_of({&details.view.job})[id]);
    return details;
}

std::vector<ActionView> ReadQueries::list_actions(const std::string& tenant,
                                                  const ActionFilter& filter,
                                                  const std::optional<JobId>& before, int limit) {
    Conditions wanted(tenant, filter);
    if (before) wanted.before(*before);
    wanted.params().integer(limit);
    const std::string limit_name = fmt::format("${}", wanted.params().count());
    const std::string ids =
        wanted.sql("j.id", fmt::format("order by j.id desc limit {}", limit_name));
    std::vector<ActionView> views;
    each_row(fmt::format("{} where j.id in "
                         "(select i.id from ({}) i order by i.id desc limit {}) order by j.id desc",
                         select_views(), ids, limit_name),
             wanted.params(), [&](Rows& rows) { views.push_back(read_view(rows)); });
    add_results(views);
    return views;
}

std::vector<JobId> ReadQueries::walk_actions(const std::string& tenant, const ActionFilter& filter,
                                             const std::optional<JobId>& after, const JobId& before,
                                             int limit) {
    Conditions wanted(tenant, filter);
    if (after) wanted.after(*after);
    wanted.before(before);
    wanted.params().integer(limit);
    const std::string ending = fmt::format("limit ${}", wanted.params().count());
    std::vector<JobId> ids;
    each_row(fmt::format("select i.id from ({}) i order by i.id {}",
                         wanted.sql("j.id", "order by j.id " + ending), ending),
             wanted.params(), [&](Rows& rows) { ids.push_back(rows.read_id()); });
    return ids;
}

MatchedActions ReadQueries::count_actions(const std::string& tenant, const ActionFilter& filter) {
    Conditions wanted(tenant, filter);
    MatchedActions matched;
    // Uses max() of text, because older servers have no max() of uuid. The order is the same.
    each_row(wanted.sql("count(*), max(j.id::text)::uuid", ""), wanted.params(), [&](Rows& rows) {
        const std::int64_t found = rows.read_integer();
        if (found > 0) {
            matched.count += found;
            matched.newest = std::max(matched.newest, rows.read_id());
        }
    });
    return matched;
}

std::vector<LoggedDecision> ReadQueries::list_decisions(const std::string& tenant,
                                                        const std::optional<std::int64_t>& before,
                                                        int limit) {
    std::vector<LoggedDecision> decisions;
    each_row(
        fmt::format(
            "select {} from semel.decision where tenant = $1 and sequence < $2 "
            "and day >= (select decisions_from from semel.meta) order by sequence desc limit $3",
            kDecisionColumns),
        Params()
            .text(tenant)
            .integer(before.value_or(std::numeric_limits<std::int64_t>::max()))
            .integer(limit),
        [&](Rows& rows) { decisions.push_back(read_decision(rows, tenant)); });
    return decisions;
}

std::vector<ScheduleView> ReadQueries::with_current(std::vector<Schedule> schedules) {
    std::unordered_map<JobId, Job> current;
    Array ids(Type::uuid);
    for (const Schedule& schedule : schedules) {
        if (schedule.current) ids.id(*schedule.current);
    }
    if (ids.size() > 0) {
        each_row(select_jobs() + " where j.id = any($1)", Params().array(ids), [&](Rows& rows) {
            Job job = read_job(rows);
            const JobId id = job.id;
            current.emplace(id, std::move(job));
        });
    }
    std::vector<ScheduleView> views;
    for (Schedule& schedule : schedules) {
        ScheduleView view;
        view.schedule = std::move(schedule);
        if (view.schedule.current) {
            if (const auto found = current.find(*view.schedule.current); found != current.end()) {
                view.current = found->second;
            }
        }
        views.push_back(std::move(view));
    }
    return views;
}

std::optional<ScheduleView> ReadQueries::get_schedule(const ScheduleKey& key) {
    std::vector<Schedule> found;
    each_row(fmt::format("select {} from semel.schedule where tenant = $1 and name = $2",
                         kScheduleColumns),
             Params().text(key.tenant).text(key.name),
             [&](Rows& rows) { found.push_back(read_schedule(rows)); });
    auto views = with_current(std::move(found));
    return views.empty() ? std::nullopt : std::optional(std::move(views.front()));
}

std::vector<ScheduleView> ReadQueries::list_schedules(const std::string& tenant,
                                                      const std::optional<Uuid>& before,
                                                      int limit) {
    std::vector<Schedule> found;
    each_row(fmt::format("select {} from semel.schedule where tenant = $1 and id < $2 "
                         "order by id desc limit $3",
                         kScheduleColumns),
             Params().text(tenant).id(before.value_or(last_id())).integer(limit),
             [&](Rows& rows) { found.push_back(read_schedule(rows)); });
    return with_current(std::move(found));
}

std::optional<BulkRun> ReadQueries::get_bulk_run(const std::string& tenant, const Uuid& id) {
    std::optional<BulkRun> bulk_run;
    each_row(
        fmt::format("select {} from semel.bulk_run where id = $1 and tenant = $2", kBulkRunColumns),
        Params().id(id).text(tenant), [&](Rows& rows) { bulk_run = read_bulk_run(rows); });
    return bulk_run;
}

std::vector<BulkRun> ReadQueries::list_open_bulk_runs() {
    std::vector<BulkRun> bulk_runs;
    each_row(fmt::format("select {} from semel.bulk_run where finished_at is null order by id",
                         kBulkRunColumns),
             {}, [&](Rows& rows) { bulk_runs.push_back(read_bulk_run(rows)); });
    return bulk_runs;
}

std::vector<ApiToken> ReadQueries::list_api_tokens() {
    std::vector<ApiToken> tokens;
    each_row(fmt::format("select {} from semel.api_token order by id", kApiTokenColumns), {},
             [&](Rows& rows) { tokens.push_back(read_api_token(rows)); });
    return tokens;
}

std::vector<JobCount> ReadQueries::count_jobs() {
    std::vector<JobCount> counts;
    each_row(
        "select status, type, sum(count)::bigint from semel.job_count group by type, status "
        "having sum(count) > 0 order by type, status",
        {}, [&](Rows& rows) {
            JobCount count;
            count.status = static_cast<Status>(rows.read_int());
            count.type = rows.read_string();
            count.count = rows.read_integer();
            counts.push_back(std::move(count));
        });
    return counts;
}

}  // namespace semel::postgres
