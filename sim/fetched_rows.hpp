// FetchedRows: what the ladder wishes for, fetched from the simulated database. Statement by
// statement as the store on PostgreSQL does it (store/postgres/locked_rows), so that others may
// commit between any two of them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>

#include "sim/database.hpp"
#include "store/ladder/wished_rows.hpp"

namespace semel::sim {

// False: somebody else has a row that it waits for. It is to be run again, later.
using Statement = std::function<bool()>;

class FetchedRows final : public WishedRows {
public:
    // Those who do not wait skip what is locked.
    FetchedRows(Database& database, TransactionId transaction, bool waits)
        : database_(database), transaction_(transaction), waits_(waits) {}

    // That fetch what is wished for, in their order.
    [[nodiscard]] std::deque<Statement> statements();

    // Whether it left the outbox to another who drains it.
    [[nodiscard]] bool met_another_drainer() const { return met_another_drainer_; }

private:
    void ask(Statement statement) { statements_.push_back(std::move(statement)); }
    void ask_plainly(std::function<void()> read);
    // Fetches and locks what is wished for, then looks which of the rest exist.
    template <typename Key, typename Row>
    void ask_locked(Locked<Key, Row>& rows,
                    const std::function<std::optional<Row>(const Key&)>& find,
                    RowName (*name)(const Key&));
    [[nodiscard]] bool lock(const RowName& row);
    void ask_claims();
    // And its owner with it.
    void fetch_owned_claim(const ClaimId& id);
    void ask_fences();
    void ask_jobs();
    void ask_running_first();
    [[nodiscard]] Job with_early_run(const Job& job) const;
    void ask_named();
    void ask_groups();
    void ask_groups_with_heads();
    void ask_ready_tenants();
    void ask_ready();
    void ask_queue(Limited& queue, const std::function<std::vector<TimedJob>(int)>& read);
    void ask_waiting();
    void ask_upkeep();
    template <typename Key, typename Value>
    void ask_each(Known<Key, Value>& known, std::function<Value(const Key&)> read);
    void ask_chains();
    void ask_dependants_first();
    void ask_waits();
    void ask_outbox();
    void ask_outbox_entries();
    [[nodiscard]] bool may_drain();
    [[nodiscard]] std::vector<OutboxEntry> outbox_entries(int limit,
                                                          const std::vector<std::int64_t>& skip);
    [[nodiscard]] memory::MemoryTables& tables() { return database_.tables(); }

    Database& database_;
    const TransactionId transaction_;
    const bool waits_;
    bool met_another_drainer_ = false;
    std::map<JobId, Job> early_;  // read before they were locked; for a mutation alone
    std::deque<Statement> statements_;
};

}  // namespace semel::sim
