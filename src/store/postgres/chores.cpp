#include "store/postgres/chores.hpp"

#include "store/packing/id_time.hpp"
#include "store/postgres/decision_days.hpp"
#include "store/postgres/queue_rebuild.hpp"

namespace semel::postgres {
namespace {

constexpr Millis kMarkEvery = std::chrono::seconds(1);
constexpr Millis kTidyEvery = std::chrono::seconds(30);
constexpr Millis kCommitMarksKept = std::chrono::hours(1);

}  // namespace

void Chores::run(Connection& connection, Time now) {
    if (now - marked_at_ >= kMarkEvery) {
        marked_at_ = now;
        (void)connection.ask("update semel.meta set time_mark = $1 where time_mark < $1",
                             Params().time(now));
    }
    if (now - tidied_at_ >= kTidyEvery) {
        tidied_at_ = now;
        // Deletes by id, because ids grow with time and have an index.
        (void)connection.ask("delete from semel.commit_mark where id < $1",
                             Params().id(first_id_at(now - kCommitMarksKept)));
        // Replaces the rows that commits appended by one row per sum.
        (void)connection.ask(
            "with old as (delete from semel.job_count where ctid in (select ctid from "
            "semel.job_count limit 10000 for update skip locked) returning type, status, count) "
            "insert into semel.job_count select type, status, sum(count) from old "
            "group by type, status having sum(count) <> 0");
        // A dump can have been restored since the last run.
        (void)rebuild_queues(connection);
        keep_decision_days(connection, now);
        auto found = warnings_of_days(connection);
        const std::lock_guard lock(mutex_);
        warnings_ = std::move(found);
    }
}

std::vector<StoreWarning> Chores::warnings() const {
    const std::lock_guard lock(mutex_);
    return warnings_;
}

}  // namespace semel::postgres
