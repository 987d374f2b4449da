// Database: what all nodes of a run share. Committed rows, who has locked which of them, and how
// READ COMMITTED goes: a statement sees what was committed when it ran, and nothing else.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "store/memory/memory_reads.hpp"
#include "store/memory/memory_tables.hpp"

namespace semel::sim {

// A row by its table and key, whether it is there or about to be.
struct RowName {
    enum class Table {
        claim,
        source,
        job,
        group,
        schedule,
        bulk_run,
        api_token,
        edge,
        slot,
        step,
        drain,
        outbox
    };
    Table table = Table::job;
    std::string key;

    auto operator<=>(const RowName&) const = default;

    [[nodiscard]] static RowName of(const Claim& row) { return claim(row.id); }
    [[nodiscard]] static RowName of(const Source& row) { return source(row.key); }
    [[nodiscard]] static RowName of(const Job& row) { return job(row.id); }
    [[nodiscard]] static RowName of(const LockGroup& row) { return group(row.key); }
    [[nodiscard]] static RowName of(const Schedule& row) { return schedule(row.key); }
    [[nodiscard]] static RowName of(const BulkRun& row) { return bulk_run(row.id); }
    [[nodiscard]] static RowName of(const ApiToken& row) { return api_token(row.id); }
    [[nodiscard]] static RowName of(const Edge& row) { return edge(row.key); }

    [[nodiscard]] static RowName claim(const ClaimId& id);
    [[nodiscard]] static RowName source(const SourceKey& key);
    [[nodiscard]] static RowName job(const JobId& id);
    [[nodiscard]] static RowName group(const GroupKey& key);
    [[nodiscard]] static RowName schedule(const ScheduleKey& key);
    [[nodiscard]] static RowName bulk_run(const Uuid& id);
    [[nodiscard]] static RowName api_token(const Uuid& id);
    [[nodiscard]] static RowName edge(const EdgeKey& key);
    // What is unique beside the keys.
    [[nodiscard]] static RowName slot(const Uuid& schedule, Time slot);
    [[nodiscard]] static RowName step(const JobId& chain, int index);
    // Whoever has it drains the outbox.
    [[nodiscard]] static RowName drain() { return {Table::drain, {}}; }
    [[nodiscard]] static RowName outbox(std::int64_t entry);
};

using TransactionId = std::uint64_t;

class Database {
public:
    // `clock` is the server's: read with each load.
    explicit Database(std::function<Time()> clock) : clock_(std::move(clock)) {}

    [[nodiscard]] memory::MemoryTables& tables() { return tables_; }
    [[nodiscard]] Reads& reads() { return reads_; }
    // Never goes back.
    [[nodiscard]] Time now() const;
    [[nodiscard]] Millis clock_offset() const { return clock_() - now(); }

    [[nodiscard]] TransactionId begin() { return ++last_transaction_; }
    // False: somebody else has it. A row that is inserted is locked by its name before it is
    // there.
    [[nodiscard]] bool lock(const RowName& row, TransactionId transaction);
    // Makes changes visible to everybody. The locks stay until `end`.
    [[nodiscard]] Result<void> commit(const Changes& changes, Time now);
    void end(TransactionId transaction);

    // ---- what users' own transactions leave
    // A sequence: it counts on when it is asked, whenever that is committed, or never.
    [[nodiscard]] std::int64_t next_entry() { return ++last_entry_; }
    using Outbox = std::map<std::int64_t, OutboxEntry>;
    [[nodiscard]] const Outbox& outbox() const { return outbox_; }
    [[nodiscard]] const std::map<Uuid, Time>& outbox_answers() const { return outbox_answers_; }
    void leave(const OutboxEntry& entry) { outbox_.emplace(entry.id, entry); }
    // Its owner's result is on its way.
    void set_settling(const JobId& id);
    // The last that was decided. Nothing of ours looks at it.
    [[nodiscard]] std::int64_t last_drained() const { return last_drained_; }

    [[nodiscard]] int commits() const { return commits_; }

private:
    const std::function<Time()> clock_;
    mutable Time last_time_;
    memory::MemoryTables tables_;
    memory::MemoryReads reads_{tables_};
    std::map<RowName, TransactionId> locks_;
    Outbox outbox_;
    std::map<Uuid, Time> outbox_answers_;  // when each was written
    std::int64_t last_entry_ = 0;
    std::int64_t last_drained_ = 0;
    TransactionId last_transaction_ = 0;
    int commits_ = 0;
};

}  // namespace semel::sim
