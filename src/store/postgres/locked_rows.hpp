// LockedRows: what the ladder wishes for, fetched from PostgreSQL in one round trip.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/postgres/save.hpp"
#include "store/wished_rows.hpp"

namespace semel::postgres {

enum class IfLocked { skip, wait };

class LockedRows final : public WishedRows {
public:
    // Of a transaction that has begun, or will with what is queued before.
    LockedRows(Connection& connection, IfLocked if_locked)
        : connection_(connection), if_locked_(if_locked) {}

    // Queues the statements that fetch what is wished for. `take` reads their answers, from
    // `answers[first]` on.
    void queue();
    [[nodiscard]] Result<void> take(std::vector<Rows>& answers, std::size_t first);

    // Of jobs that were found in their line: where their row of it lies.
    [[nodiscard]] ReadyTids take_ready_tids() { return std::move(ready_tids_); }

private:
    using Read = std::function<void(Rows&)>;

    void ask(const std::string& sql, const Params& params, Read read);
    // Where rows of a kind are found, by parameters that name their keys.
    struct Place {
        std::string_view table;
        std::string_view key;
        std::string_view columns;
        std::string_view where;
        std::string_view rest = {};  // what is read of those that were not locked; empty: the key
    };
    // Reads the rows of each key, which may have any number of them, with one statement.
    template <typename Key, typename Row>
    void ask_each(Known<Key, std::vector<Row>>& lists, const std::string& sql, const Params& params,
                  Key (*read_key)(Rows&), Row (*read_row)(Rows&));
    // Fetches and locks what is wished for, then looks which of the rest exist.
    template <typename Key, typename Row>
    void ask_locked(Locked<Key, Row>& rows, const Place& place, const Params& params,
                    Row (*read_row)(Rows&), const std::function<Key(Rows&)>& read_key,
                    Key (*key_of)(const Row&));
    template <typename Key, typename Row>
    void lock_rows(Locked<Key, Row>& rows, const Place& place, const Params& params,
                   Row (*read_row)(Rows&), Key (*key_of)(const Row&));
    template <typename Key, typename Row>
    void ask_rest(Locked<Key, Row>& rows, const std::string& sql, const Params& params,
                  const std::function<Key(Rows&)>& read_key);
    void ask_claims();
    void ask_owned_claims(const Params& claims);
    void read_owner(Rows& rows);
    void ask_runs_of_owners(const Params& claims);
    void ask_contents();
    void ask_sources();
    void ask_groups();
    void ask_jobs();
    JobId read_rest(Rows& rows);
    void ask_bodies();
    void ask_parts_of_jobs();
    void ask_ready();
    void ask_ready_tenants();
    void ask_line(Limited& line, const std::string& sql);
    void ask_waiting();
    void ask_upkeep();
    // Without locks: what they read is protected by the rows of jobs that were locked before.
    void ask_chains();
    void ask_edges();
    void ask_steps();
    void ask_taken_ids();
    void ask_telling();
    void ask_blockers();
    void ask_waits();
    void ask_outbox();
    void ask_outbox_entries();
    [[nodiscard]] std::string locking(std::string_view of = "") const;

    Connection& connection_;
    const IfLocked if_locked_;
    int tenants_at_once_ = 32;  // then doubled: thousands may have ready jobs, of other types
    ReadyTids ready_tids_;
    std::vector<Read> reads_;  // of the queued statements
};

}  // namespace semel::postgres
