#include "store/sqlite/action_list.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "store/packing/id_time.hpp"
#include "store/sqlite/job_codec.hpp"

namespace semel::sqlite {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr JobKey kFirst(kLowest, kLowest);
constexpr JobKey kLast(kHighest, kHighest);

// Returns the buckets with jobs of a status.
std::vector<int> buckets_of(const std::optional<Status>& status) {
    if (status) {
        return {bucket_of(*status)};
    }
    return all_buckets();
}

bool is_shared(int bucket) {
    return bucket == bucket_of(Status::pending);
}

}  // namespace

// from <= id <= last; empty where from > last.
struct ActionList::IdRange {
    JobKey from = kFirst;
    JobKey last = kLast;

    // The range of generated ids for the filter's times.
    explicit IdRange(const ActionFilter& filter) {
        if (filter.from) {
            from = JobKey(first_id_at(*filter.from));
        }
        if (filter.to) {
            last = JobKey(first_id_at(add_clamped(*filter.to, kIdsAhead)));
        }
    }
    explicit IdRange(const IdsBetween& between) {
        if (between.after) {
            start_behind(JobKey(*between.after));
        }
        if (between.before) {
            end_before(JobKey(*between.before));
        }
    }

private:
    void start_behind(const JobKey& id) {
        if (id == kLast) {
            clear();
        } else {
            from = id.low == kHighest ? JobKey(id.high + 1, kLowest) : JobKey(id.high, id.low + 1);
        }
    }
    void end_before(const JobKey& id) {
        if (id == kFirst) {
            clear();
        } else {
            last = id.low == kLowest ? JobKey(id.high - 1, kHighest) : JobKey(id.high, id.low - 1);
        }
    }
    void clear() {
        from = kLast;
        last = kFirst;
    }
};

// The first condition names the table and the index. Running jobs are few, but their bucket has
// many other jobs, so they are found by their queue.
std::vector<ActionList::Condition> ActionList::in_bucket(std::int64_t tenant, int bucket,
                                                         const ActionFilter& filter,
                                                         const IdRange& page,
                                                         const IdRange& dated) {
    std::vector<Condition> all;
    const bool is_chain = listed_ == Listed::chains;
    const bool running = filter.status == Status::running && !is_chain;
    if (running) {
        all.push_back({"job indexed by job_running where place = 2 and tenant = ?",
                       [=](Cursor& c) { c.integer(tenant); }});
    } else {
        all.push_back({is_chain ? "chain indexed by chain_listed where tenant = ? and shelf = ?"
                                : "job indexed by job_listed where tenant = ? and shelf = ?",
                       [=](Cursor& c) { c.integer(tenant).integer(bucket); }});
    }
    all.push_back({" and (high, low) >= (?, ?) and (high, low) <= (?, ?)", [&](Cursor& c) {
                       c.halves(std::max(page.from, dated.from));
                       c.halves(std::min(page.last, dated.last));
                   }});
    // Every other bucket has one status, so the index alone answers.
    if (filter.status && !running && !is_chain && is_shared(bucket)) {
        all.push_back(
            {" and status = ?", [&](Cursor& c) { c.integer(static_cast<int>(*filter.status)); }});
    }
    add_filters(filter, all);
    return all;
}

// Returns conditions for actions with an id that a caller chose. Such an id does not show their
// age.
std::vector<ActionList::Condition> ActionList::chosen(std::int64_t tenant,
                                                      const ActionFilter& filter,
                                                      const IdRange& page, const IdRange& dated) {
    const bool is_chain = listed_ == Listed::chains;
    std::vector<Condition> all;
    all.push_back({fmt::format("{} where number in (select number from chosen where tenant = ?)",
                               is_chain ? "chain" : "job"),
                   [=](Cursor& c) { c.integer(tenant); }});
    all.push_back(
        {" and (high, low) >= (?, ?) and (high, low) <= (?, ?) and not "
         "((high, low) >= (?, ?) and (high, low) <= (?, ?))",
         [&](Cursor& c) {
             c.halves(page.from).halves(page.last);
             c.halves(dated.from).halves(dated.last);
         }});
    if (filter.status) {
        const int wanted = is_chain ? bucket_of(*filter.status) : static_cast<int>(*filter.status);
        all.push_back({is_chain ? " and shelf = ?" : " and status = ?",
                       [=](Cursor& c) { c.integer(wanted); }});
    }
    add_filters(filter, all);
    return all;
}

void ActionList::add_filters(const ActionFilter& filter, std::vector<Condition>& all) {
    const auto add = [&](std::string sql, std::function<void(Cursor&)> bind) {
        all.push_back({std::move(sql), std::move(bind)});
    };
    if (filter.type) {
        const auto type = names_.find(*filter.type);
        add(" and type = ?", [type](Cursor& c) { c.optional_integer(type); });
    }
    if (filter.lock_group) {
        add(" and coalesce(lock_group, '') = ?", [&](Cursor& c) { c.text(*filter.lock_group); });
    }
    if (filter.schedule_name) {
        const auto name = names_.find(*filter.schedule_name);
        add(" and schedule_name = ?", [name](Cursor& c) { c.optional_integer(name); });
    }
    if (filter.chain) {
        // A chain of one job is found by the job's own key.
        add(" and (chain = ? or (chain is null and high = ? and low = ?))",
            [&](Cursor& c) { c.id(*filter.chain).key(*filter.chain); });
    }
    if (filter.from) add(" and created_at >= ?", [&](Cursor& c) { c.time(*filter.from); });
    if (filter.to) add(" and created_at < ?", [&](Cursor& c) { c.time(*filter.to); });
}

Statement& ActionList::statement(const std::string& sql) {
    auto found = statements_.find(sql);
    if (found == statements_.end()) {
        found = statements_.emplace(sql, Statement(connection_, sql)).first;
    }
    return found->second;
}

template <typename Visit>
void ActionList::each_bucket(const std::string& tenant, const ActionFilter& filter,
                             const IdsBetween& between, const std::string& columns,
                             const std::string& ending, Visit&& visit) {
    const auto tenant_number = names_.find(tenant);
    if (!tenant_number) {
        return;
    }
    IdRange page(between);
    const IdRange dated(filter);
    const auto ask = [&](const std::vector<Condition>& wanted) {
        std::string sql = fmt::format("select {} from ", columns);
        for (const Condition& condition : wanted) {
            sql += condition.sql;
        }
        Cursor cursor(statement(sql + ending));
        for (const Condition& condition : wanted) {
            condition.bind(cursor);
        }
        visit(cursor, page);
    };
    for (const int bucket : buckets_of(filter.status)) {
        ask(in_bucket(*tenant_number, bucket, filter, page, dated));
    }
    if (filter.from || filter.to) {
        ask(chosen(*tenant_number, filter, page, dated));
    }
}

std::vector<JobId> ActionList::ids(const std::string& tenant, const ActionFilter& filter,
                                   const IdsBetween& between, IdOrder order, int limit) {
    const bool newest_first = order == IdOrder::newest_first;
    std::vector<JobId> ids;
    each_bucket(
        tenant, filter, between, "high, low",
        newest_first ? " order by high desc, low desc limit ?" : " order by high, low limit ?",
        [&](Cursor& cursor, IdRange& page) {
            cursor.integer(limit);
            int found = 0;
            for (; cursor.next_row(); ++found) {
                ids.push_back(cursor.read_key());
            }
            if (found == limit && limit > 0) {
                // Ids of other buckets beyond this id are not needed.
                (newest_first ? page.from : page.last) = JobKey(ids.back());
            }
        });
    std::sort(ids.begin(), ids.end());
    if (newest_first) {
        std::reverse(ids.begin(), ids.end());
    }
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(std::max(limit, 0))));
    return ids;
}

MatchedActions ActionList::count(const std::string& tenant, const ActionFilter& filter) {
    MatchedActions matched;
    each_bucket(tenant, filter, {}, "count(*)", "", [&](Cursor& cursor, IdRange&) {
        matched.count += cursor.next_row() ? cursor.read_integer() : 0;
    });
    for (const JobId& newest : ids(tenant, filter, {}, IdOrder::newest_first, 1)) {
        matched.newest = newest;
    }
    return matched;
}

}  // namespace semel::sqlite
