// ClaimTable: claims, stored in the order of their creation and found by a hash
// (migrations/0004_claim_segments.sql has the reason).
//
// The newest claims are the tail, whose ids are in memory. A tail of `segment_claims` becomes a
// segment: its claims are listed in `claim_place`, sorted, and memory has only a filter of them.
//
// Errors are kept by the connection: check Connection::outcome() after the batch.
// Threads: the connection's thread.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "core/batch/changes.hpp"
#include "store/sqlite/claim_filters.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/uncertain_entries.hpp"

namespace semel::sqlite {

// How learn() treats the claims after the last segment, which can be many after a migration: it
// makes segments of them, or keeps them in the tail.
enum class Rest { seal, keep };

class ClaimTable {
public:
    ClaimTable(Connection& connection, std::size_t segment_claims);

    // Reads which claims exist. Call it before any other member. REQUIRES for Rest::seal: no
    // transaction is open.
    [[nodiscard]] Result<void> learn(Rest rest);

    [[nodiscard]] std::optional<Claim> find(const ClaimId& id);
    [[nodiscard]] std::optional<std::int64_t> number_of(const ClaimId& id);
    [[nodiscard]] std::optional<Content> content(const ClaimId& id);
    [[nodiscard]] std::vector<ClaimId> expired(Time now, int limit);

    // Writes a change of a claim. REQUIRES: a transaction is open, and has found the claim.
    void save(const Change<Claim>& change);
    // Call it after the claims: deleting a claim deletes its content.
    void save_content(const ClaimId& id, const std::optional<Content>& content);
    // Ends the saving of a batch: turns full tails into segments.
    void seal_full_segments();

    // Call one of these after a transaction. keep_new() keeps its changes in memory, forget_new()
    // undoes them.
    void keep_new();
    void forget_new();

private:
    struct Placed {
        std::int64_t number = 0;
        ClaimId id;
    };
    struct Segment {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::string filter = {};
    };

    [[nodiscard]] std::optional<std::int64_t> number_in_segments(const ClaimId& id);
    [[nodiscard]] std::vector<Placed> read_behind(std::int64_t number, std::size_t limit);
    [[nodiscard]] Result<void> seal_in_own_transaction(std::vector<Placed> claims);
    [[nodiscard]] std::vector<Placed> sorted_tail() const;
    [[nodiscard]] Segment write_segment(std::vector<Placed> claims);
    void know(const Segment& segment);
    void insert(const Claim& claim);
    void update(const Claim& before, const Claim& after);
    void erase(const Claim& before);
    void drop_if_empty(std::int64_t number);
    void save_receipt(std::int64_t number, const Change<Claim>& change);

    Connection& connection_;
    const std::size_t segment_claims_;
    Statement segments_;
    Statement behind_;
    Statement place_;
    Statement claim_;
    Statement receipt_;
    Statement content_;
    Statement expired_;
    Statement insert_;
    Statement update_;
    Statement move_;  // changes the expiry
    Statement erase_;
    Statement put_receipt_;
    Statement erase_receipt_;
    Statement put_content_;
    Statement erase_content_;
    Statement insert_place_;
    Statement insert_segment_;
    Statement any_between_;
    Statement erase_places_;
    Statement erase_segment_;

    UncertainEntries uncertain_;

    ClaimFilters filters_;
    std::map<std::int64_t, std::size_t> columns_;  // columns of segments, by their first number
    std::unordered_map<std::size_t, Segment> by_column_;  // without their filters
    std::unordered_map<ClaimId, std::int64_t> tail_;
    std::int64_t sealed_to_ = 0;  // the last number in a segment
    std::int64_t last_ = 0;       // the last number assigned

    struct Transaction {
        std::unordered_map<ClaimId, std::int64_t> met;  // found in segments
        std::vector<ClaimId> added;                     // to the tail
        std::vector<Placed> erased;                     // from the tail
        std::vector<Segment> sealed;
        std::vector<std::int64_t> dropped;  // segments, by their first number
    };
    Transaction open_;
};

}  // namespace semel::sqlite
