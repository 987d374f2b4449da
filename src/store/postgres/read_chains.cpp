// The reads of chains.
#include <fmt/format.h>

#include "store/packing/id_time.hpp"
#include "store/packing/job_columns.hpp"
#include "store/postgres/codec.hpp"
#include "store/postgres/read_queries.hpp"

namespace semel::postgres {
namespace {

// The conditions of a list of chains, with their parameters. The index of lists has a chain's last
// job `l`. The chain's id, type and times are in its first job `f`.
class ChainConditions {
public:
    ChainConditions(const std::string& tenant, const ChainFilter& filter,
                    const std::optional<JobId>& before, int limit) {
        params_.text(tenant);
        if (before) add("l.chain < {}", [&] { params_.id(*before); });
        if (filter.type) add("f.type = {}", [&] { params_.text(*filter.type); });
        if (filter.from) {
            add("f.created_at >= {}", [&] { params_.time(*filter.from); });
            add_to(dated_, "l.chain >= {}", [&] { params_.id(first_id_at(*filter.from)); });
        }
        if (filter.to) {
            add("f.created_at < {}", [&] { params_.time(*filter.to); });
            add_to(dated_, "l.chain < {}",
                   [&] { params_.id(first_id_at(add_clamped(*filter.to, kIdsAhead))); });
        }
        if (filter.status) {
            conditions_ += " and " + has_status_sql("l", *filter.status);
            buckets_ = {bucket_of(*filter.status)};
        }
        params_.integer(limit);
    }

    // Returns the query for the ids, newest first. Each bucket is one range of the index. For a
    // range of time, ids that callers chose are searched too.
    [[nodiscard]] std::string sql() const {
        std::string ranges;
        const auto add_range = [&](std::string_view tables, const std::string& range) {
            ranges += fmt::format(
                "{}(select l.chain as id from {} where {} and f.in_chain{} "
                "order by l.chain desc limit ${})",
                ranges.empty() ? "" : " union all ", tables, range, conditions_, params_.count());
        };
        for (const int bucket : buckets_) {
            add_range(
                "semel.job l cross join lateral (select j.type, j.created_at, j.in_chain "
                "from semel.job j where j.id = l.chain limit 1) f",
                fmt::format("l.tenant = $1 and l.chain_shelf = {}{}", bucket, dated_));
        }
        if (!dated_.empty()) {
            add_range(fmt::format("semel.job f {} cross join lateral (select f.id as chain, "
                                  "coalesce(s.id, f.id) as id, "
                                  "coalesce(s.status, f.status) as status) l",
                                  kLastStep),
                      fmt::format("f.tenant = $1 and f.chosen and f.chain_index = 0 "
                                  "and not (true{})",
                                  dated_));
        }
        return fmt::format("select i.id from ({}) i order by i.id desc limit ${}", ranges,
                           params_.count());
    }
    [[nodiscard]] const Params& params() const { return params_; }

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

std::unordered_map<JobId, std::vector<BlockerView>> ReadQueries::blockers_of(
    const std::vector<const Job*>& jobs) {
    std::unordered_map<JobId, std::vector<BlockerView>> blockers;
    Array ids(Type::uuid);
    for (const Job* job : jobs) {
        if (job->blockers > 0) ids.id(job->id);
    }
    if (ids.size() > 0) {
        each_row(shown_blockers_sql(), Params().array(ids), [&](Rows& rows) {
            const JobId job = rows.read_id();
            blockers[job].push_back(read_blocker_view(rows));
        });
    }
    return blockers;
}

// Adds the last jobs, in the same order. A chain without its last job is left out.
std::vector<ChainView> ReadQueries::with_last(std::vector<ActionView> firsts) {
    Array ids(Type::uuid);
    for (const ActionView& first : firsts) ids.id(first.job.last.value_or(first.job.id));
    std::vector<ActionView> lasts;
    if (ids.size() > 0) {
        each_row(select_jobs() + " where j.id = any($1)", Params().array(ids), [&](Rows& rows) {
            lasts.push_back({read_job(rows), {}, {}});
        });
    }
    add_results(lasts);
    std::unordered_map<JobId, ActionView*> by_id;
    for (ActionView& last : lasts) by_id[last.job.id] = &last;
    std::vector<ChainView> chains;
    for (ActionView& first : firsts) {
        const auto last = by_id.find(first.job.last.value_or(first.job.id));
        if (last == by_id.end()) continue;
        ChainView& chain = chains.emplace_back();
        chain.last = std::move(last->second->job);
        chain.result = std::move(last->second->result);
        chain.first = std::move(first.job);
        chain.input = std::move(first.body);
    }
    return chains;
}

std::optional<ChainView> ReadQueries::get_chain(const std::string& tenant, const JobId& id) {
    std::vector<ActionView> found;
    each_row(select_views() + " where j.id = $1 and j.tenant = $2 and j.chain_index = 0",
             Params().id(id).text(tenant), [&](Rows& rows) { found.push_back(read_view(rows)); });
    auto chains = with_last(std::move(found));
    return chains.empty() ? std::nullopt : std::optional(std::move(chains.front()));
}

std::vector<std::optional<Status>> ReadQueries::get_chain_statuses(
    const std::vector<ChainRef>& chains) {
    Array ids(Type::uuid);
    Array tenants(Type::text);
    for (const ChainRef& chain : chains) {
        ids.id(chain.id);
        tenants.bytes(chain.tenant);
    }
    std::vector<std::optional<Status>> statuses(chains.size());
    each_row(
        fmt::format("select w.place, {} "
                    "from unnest($1, $2) with ordinality w (id, tenant, place) "
                    "cross join lateral (select j.id, j.status from semel.job j "
                    "where j.id = w.id and j.tenant = w.tenant and j.chain_index = 0 limit 1) "
                    "f {}",
                    status_sql("coalesce(s.id, f.id)", "coalesce(s.status, f.status)"), kLastStep),
        Params().array(ids).array(tenants), [&](Rows& rows) {
            const auto place = static_cast<std::size_t>(rows.read_int());
            statuses.at(place - 1) = static_cast<Status>(rows.read_int());
        });
    return statuses;
}

std::vector<ChainView> ReadQueries::list_chains(const std::string& tenant,
                                                const ChainFilter& filter,
                                                const std::optional<JobId>& before, int limit) {
    const ChainConditions wanted(tenant, filter, before, limit);
    std::vector<ActionView> firsts;
    each_row(fmt::format("{} where j.id in ({}) order by j.id desc", select_views(), wanted.sql()),
             wanted.params(), [&](Rows& rows) { firsts.push_back(read_view(rows)); });
    return with_last(std::move(firsts));
}

std::vector<StepView> ReadQueries::list_steps(const std::string& tenant, const JobId& chain,
                                              int from, int limit) {
    // The first job is found by its id, because a chain of one job is in no index of steps.
    std::vector<ActionView> found;
    each_row(fmt::format("select * from (({0} where j.id = $1 and j.chain_index = 0 and $3 <= 0) "
                         "union all ({0} "
                         "where j.chain = $1 and j.chain_index > 0 and j.chain_index >= $3 "
                         "order by j.chain_index limit $4)) j "
                         "where j.tenant = $2 order by j.chain_index limit $4",
                         select_views(", j.chain_index")),
             Params().id(chain).text(tenant).integer(from).integer(limit),
             [&](Rows& rows) { found.push_back(read_view(rows)); });
    add_results(found);
    std::vector<const Job*> jobs;
    jobs.reserve(found.size());
    for (const ActionView& view : found) jobs.push_back(&view.job);
    auto blockers = blockers_of(jobs);
    std::vector<StepView> steps;
    for (ActionView& view : found) {
        // A prune deletes the oldest jobs first, so the chain can lack its beginning.
        if (view.job.chain_index != from + static_cast<int>(steps.size())) break;
        auto waited_for = std::move(blockers[view.job.id]);
        steps.push_back({std::move(view), std::move(waited_for)});
    }
    return steps;
}

}  // namespace semel::postgres
