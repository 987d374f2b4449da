// LockedRows: fetches and locks the rows that the ladder wishes for (store/ladder/wished_rows.hpp)
// in one round trip per climb.
//
// Use: climb, queue(), flush the connection, take(), and again until has_wishes() is false.
//
// Errors: see take().
// Threads: the connection's thread.
// Lifetime: `connection` outlives the object. One object per transaction.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/ladder/wished_rows.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/save.hpp"

namespace semel::postgres {

// How a fetch treats rows locked elsewhere: skip them, or wait up to the server's lock_timeout.
enum class IfLocked { skip, wait };

class LockedRows final : public WishedRows {
public:
    // REQUIRES: a transaction is open on the connection, or its `begin` is queued.
    LockedRows(Connection& connection, IfLocked if_locked)
        : connection_(connection), if_locked_(if_locked) {}

    // queue() queues the statements for all wishes. take() reads their answers, starting at
    // `answers[first]`.
    // Errors: a damaged row, with `corrupt`.
    void queue();
    [[nodiscard]] Result<void> take(std::vector<Rows>& answers, std::size_t first);

    // The positions in the ready queue of the jobs found there.
    [[nodiscard]] ReadyTids take_ready_tids() { return std::move(ready_tids_); }

private:
    using Read = std::function<void(Rows&)>;

    void ask(const std::string& sql, const Params& params, Read read);
    // A table, with the columns to read and a condition with parameters for the keys.
    struct Place {
        std::string_view table;
        std::string_view key;
        std::string_view columns;
        std::string_view where;
        std::string_view rest = {};  // columns read from rows locked elsewhere; empty: the key
    };
    // Reads any number of rows for each key with one statement.
    template <typename Key, typename Row>
    void ask_each(Known<Key, std::vector<Row>>& lists, const std::string& sql, const Params& params,
                  Key (*read_key)(Rows&), Row (*read_row)(Rows&));
    // Fetches and locks the wishes, then checks which of the others exist.
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
    void ask_running_of_owners(const Params& claims);
    void ask_contents();
    void ask_sources();
    void ask_groups();
    void ask_jobs();
    JobId read_rest(Rows& rows);
    void ask_bodies();
    void ask_parts_of_jobs();
    void ask_ready();
    void ask_ready_tenants();
    void ask_queue(Limited& queue, const std::string& sql);
    void ask_waiting();
    // Asks for ids by a query with the parameters time and limit.
    void ask_ids(Known<int, std::vector<Uuid>>& wanted, Time time, const std::string& sql);
    void ask_upkeep();
    // Read without locks: locked rows of jobs protect these rows.
    void ask_chains();
    void ask_edges();
    void ask_steps();
    void ask_taken_ids();
    void ask_failing_dependants();
    void ask_blockers();
    void ask_waits();
    void ask_outbox();
    void ask_outbox_entries();
    [[nodiscard]] std::string locking(std::string_view of = "") const;

    Connection& connection_;
    const IfLocked if_locked_;
    int tenants_at_once_ = 32;  // then doubled: thousands can have ready jobs of other types
    ReadyTids ready_tids_;
    std::vector<Read> reads_;  // of the queued statements
};

}  // namespace semel::postgres
