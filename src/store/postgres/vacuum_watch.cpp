#include "store/postgres/vacuum_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel::postgres {
namespace {

constexpr Millis kVacuumWatchEvery = std::chrono::seconds(5);
constexpr std::size_t kShownMax = 5;

// Lists sessions of this database, walsenders (which have no database and pass on the standbys'
// needs), prepared transactions and replication slots, except vacuum itself. A role sees the
// transaction numbers of all sessions, but the start times only for sessions of the same role.
constexpr const char* kHolders =
    "select case when backend_type = 'walsender' then 'standby' else 'session' end, pid::text, "
    "coalesce(backend_xid, backend_xmin)::text, usename::text, application_name, state, "
    "(extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint "
    "from pg_stat_activity "
    "where (backend_xid is not null or backend_xmin is not null) "
    "and (datid is null or datname = current_database()) and pid <> pg_backend_pid() "
    "and pid not in (select pid from pg_stat_progress_vacuum) "
    "union all "
    "select 'prepared transaction', gid, transaction::text, owner::text, null, null, "
    "(extract(epoch from clock_timestamp() - prepared) * 1000)::bigint "
    "from pg_prepared_xacts where database = current_database() "
    "union all "
    "select 'replication slot', slot_name::text, xmin::text, null, null, null, null "
    "from pg_replication_slots where xmin is not null";

struct Holder {
    std::string kind;
    std::string name;
    std::string transaction;  // the oldest that it keeps
    std::optional<std::string> user;
    std::optional<std::string> application;
    std::optional<std::string> state;
    std::optional<Millis> age_told;  // by the server
    Millis age{0};                   // the same, or since it was first seen here

    [[nodiscard]] static Holder read(Rows& rows) {
        Holder holder;
        holder.kind = rows.read_string();
        holder.name = rows.read_string();
        holder.transaction = rows.read_string();
        holder.user = rows.read_optional_string();
        holder.application = rows.read_optional_string();
        holder.state = rows.read_optional_string();
        if (const auto age = rows.read_optional_integer()) holder.age_told = Millis(*age);
        return holder;
    }

    [[nodiscard]] bool is_here() const {
        return kind == "session" || kind == "prepared transaction";
    }

    [[nodiscard]] std::string key() const { return kind + ' ' + name + ' ' + transaction; }

    [[nodiscard]] std::string words() const {
        std::string who;
        const auto add = [&who](const char* label, const std::optional<std::string>& value) {
            if (value && !value->empty()) {
                who += fmt::format("{}{}{}", who.empty() ? "" : ", ", label, *value);
            }
        };
        add("user ", user);
        add("application ", application);
        add("", state);
        return fmt::format(
            "{} {}{} has held back vacuum for {}{} s: dead rows pile up, and work slows down", kind,
            name, who.empty() ? "" : " (" + who + ")", age_told ? "" : "at least ",
            std::chrono::duration_cast<std::chrono::seconds>(age).count());
    }

    [[nodiscard]] std::string fix() const {
        if (kind == "prepared transaction") {
            return fmt::format("commit it or roll it back: rollback prepared '{}'", name);
        }
        if (kind == "replication slot") {
            return fmt::format(
                "end the long query at its standby; if nobody uses the slot any more: "
                "select pg_drop_replication_slot('{}')",
                name);
        }
        if (kind == "standby") {
            return "end the long query at that standby, or set hot_standby_feedback = off there";
        }
        return fmt::format("end it: select pg_terminate_backend({}){}", name,
                           state ? ""
                                 : ". The role of Semel may not see more of it: grant "
                                   "pg_read_all_stats to that role");
    }
};

}  // namespace

void VacuumWatch::inspect(Connection& connection, Time now) {
    if (now < next_poll_) {
        return;
    }
    next_poll_ = now + kVacuumWatchEvery;
    auto rows = connection.ask(kHolders);
    held_back_ = Millis(0);
    if (!rows) {
        return;
    }
    std::map<std::string, Time> seen;
    std::vector<Holder> holders;
    while (rows->next_row()) {
        Holder holder = Holder::read(*rows);
        const auto known = first_seen_.find(holder.key());
        const Time since = known == first_seen_.end() ? now : known->second;
        seen.emplace(holder.key(), since);
        holder.age = std::max(holder.age_told.value_or(Millis(0)), now - since);
        if (holder.is_here()) held_back_ = std::max(held_back_, holder.age);
        holders.push_back(std::move(holder));
    }
    first_seen_ = std::move(seen);
    std::erase_if(holders, [this](const Holder& holder) { return holder.age < patience_; });
    std::sort(holders.begin(), holders.end(),
              [](const Holder& a, const Holder& b) { return a.age > b.age; });
    holders.resize(std::min(holders.size(), kShownMax));
    std::vector<StoreWarning> warnings;
    for (const Holder& holder : holders) {
        warnings.push_back({"vacuum_held_back", holder.words(), holder.fix()});
    }
    const std::lock_guard lock(mutex_);
    warnings_ = std::move(warnings);
}

std::vector<StoreWarning> VacuumWatch::warnings() const {
    const std::lock_guard lock(mutex_);
    return warnings_;
}

}  // namespace semel::postgres
