// FenceChecker: what must be true of fences, by a model of its own.
//
// The calls of owners and operators are seen in the order of decision. Claims are not: they may
// wait in the engine, and are decided when somebody ends. Which of them were `new` stands in the
// log that a commit brings, with their tokens; where that shares a batch with calls, whatever order
// explains both is right. What else a claim may be told is what its key has been, at some moment
// between question and answer.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/fence_waits.hpp"
#include "sim/context.hpp"
#include "sim/decided.hpp"
#include "sim/invariants.hpp"

namespace semel::sim {

// What a call on a fence may be told.
enum class FenceVerdict { not_found, stale_token, wrong_state, conflict, same, accepted };

class FenceChecker {
public:
    using Fail = std::function<void(Invariant, const std::string&)>;

    FenceChecker(Context& context, Fail fail) : context_(context), fail_(std::move(fail)) {}

    // By whom, when, and whether it was at once, without a look at the store.
    struct Teller {
        ProcessId process = kOutside;
        Time now;
        bool from_memory = false;
    };

    // ---- one batch; `commits`: so many have landed, with this one
    void begin(const Batch& batch, int commits);
    void check(const DecidedFence<CallFence>& decided);
    void check(const DecidedFence<ResolveClaim>& decided);
    void check(const DecidedFence<DeleteClaim>& decided);
    void end();
    // Whoever made this commit knows by now that it was made, or that it may have been.
    void recorded(int commit) { recorded_.insert(commit); }

    // ---- those who ask, by a number
    [[nodiscard]] int asked(const FenceClaimPlan& plan, const FenceRequest& request, Time now);
    void answered(int number, const Result<Item<FenceAnswer>>& told, const Teller& teller);
    // False: it was answered already.
    [[nodiscard]] bool hangs_up(int ask);
    // What a reader is shown.
    void read(const std::string& tenant, const ClaimId& id, const std::optional<Claim>& found);

    // ---- at the end
    using Counts = std::map<std::pair<std::string, Decision>, std::int64_t>;
    void check_counted(const Counts& logged, bool is_exact);

private:
    // Somebody owned a key with this token.
    struct Hold {
        Claim row;              // as it was made
        bool is_known = false;  // it was not gone again with the same commit
        bool takeover = false;
        bool told = false;
        bool let_go = false;
        int commit = 0;
        bool is_calm = false;  // no fault keeps whoever asked from being told
        Time since;            // it was to be had
    };
    // What a key said from this commit on.
    struct Moment {
        int commit = 0;
        ProcessId process = kOutside;  // whose it was
        Micros at{0};
        std::optional<Claim> row;
        bool is_unclear = false;  // owned, with whatever content
    };
    struct Key {
        std::optional<Claim> row;
        std::string said;  // by the call that ended the last hold
        Token highest = Token::none;
        Time changed_at;  // other than by heartbeats
        int made_by = 0;  // the commit
        int hung_up = 0;  // so many of those who waited for it
        std::map<Token, Hold> holds;
        std::vector<Moment> past;
    };
    struct Versions {
        int commit = 0;  // from which on
        std::optional<std::int64_t> highest;
        std::optional<SourceHolder> holder;
    };
    struct SourceState {
        std::optional<std::int64_t> highest;
        std::optional<SourceHolder> holder;
        Time changed_at;
        std::vector<Versions> past;
    };
    // A line of the log: somebody was told `new`.
    struct Take {
        ClaimId claim;
        Token token = Token::none;
        bool has_source = false;
        SourceKey source;
    };
    struct Ask {
        FenceRequest request;
        std::string tenant;
        Time at;
        int commits = 0;  // had landed then
        bool is_calm = false;
        bool hung_up = false;
    };
    using Verdict = FenceVerdict;

    // ---- fence_checker.cpp: commits
    void put(const ClaimId& id, std::optional<Claim> row);
    [[nodiscard]] std::optional<Claim> judged(const ClaimId& id) const;
    [[nodiscard]] const Claim* row_after(const ClaimId& id) const;
    [[nodiscard]] bool is_changed(const ClaimId& id) const;  // by this batch
    [[nodiscard]] std::string why_not(const Take& take) const;
    [[nodiscard]] Invariant broken_by(const Take& take) const;
    void apply_next(std::vector<Take>::iterator next);
    [[nodiscard]] bool met_free_key(const Take& take) const;
    void apply(const Take& take);
    void add_unclear(const Take& take);
    void check_left(const Claim& before);
    // One step that nobody's reply shows, and that concerns this key; false: there is none.
    bool advance(const ClaimId& id);
    void take_lower_versions(const Claim& to_be_sealed);
    bool let_go(const ClaimId& id);
    bool make_way(const ClaimId& id, const std::optional<SourceKey>& source);
    [[nodiscard]] std::optional<SourceKey> source_meant(const ClaimId& id) const;
    void check_rows();
    void check_row(const Change<Claim>& change);
    void check_untouched();
    [[nodiscard]] bool is_calm() const;
    [[nodiscard]] std::string name(const ClaimId& id);

    // ---- check_fence_sources.cpp
    void put_source(const SourceKey& key, SourceState state);
    void check_sources();
    void hold_source(const Claim& claim);
    void seal_source(const Claim& claim, bool by_owner);
    void free_source(const Claim& claim);
    [[nodiscard]] bool holds_source(const Claim& claim) const;
    // A higher version was sealed since it was claimed.
    [[nodiscard]] bool is_outrun(const Claim& claim) const;

    // ---- check_fence_calls.cpp
    [[nodiscard]] Verdict expect(const CallFence& command) const;
    [[nodiscard]] Verdict expect(const ResolveClaim& command) const;
    [[nodiscard]] Verdict expect(const DeleteClaim& command) const;
    template <typename Command>
    [[nodiscard]] std::optional<Verdict> settle(const Command& command, const ClaimId& id,
                                                const Reply<Command>& reply);
    void check_accepted(const FenceCall& call, const Claim& answer);
    void count(const FenceCall& call, Verdict verdict);
    void check_same(const Claim& row, const Claim& answer);
    [[nodiscard]] const Claim* ended_row(const ClaimId& id, const std::string& tenant) const;
    [[nodiscard]] bool was_pruned_before(const ClaimId& id, Verdict told) const;
    [[nodiscard]] Claim freed(const Claim& row) const;

    // ---- check_fence_answers.cpp
    using Says = std::function<bool(const Claim&)>;
    // What the key was, at any time since it was asked.
    [[nodiscard]] bool was(const Ask& ask, const Says& says) const;
    [[nodiscard]] bool was_unclear(const Ask& ask) const;
    [[nodiscard]] bool was_to_be_had(const Ask& ask, Time now) const;
    [[nodiscard]] bool source_was(const Ask& ask,
                                  const std::function<bool(const Versions&)>& says) const;
    void check_refused(const Ask& ask, const Problem& problem);
    void check_new(const Ask& ask, const FenceAnswer& answer);
    void check_duplicate(const Ask& ask, const FenceAnswer& answer, const Teller& teller);
    [[nodiscard]] bool may_remember(const Ask& ask, const Claim& shown, const Teller& teller) const;
    void check_in_flight(const Ask& ask, Time now);
    void check_stale(const Ask& ask, const FenceAnswer& answer, Time now);
    // Since when whoever asks need not wait; nothing: it has to.
    [[nodiscard]] std::optional<Time> open_since(const FenceRequest& request,
                                                 const std::string& tenant, Time now) const;
    void check_woken(const Ask& ask, Time could, Time now);

    Context& context_;
    Fail fail_;
    std::map<ClaimId, int> names_;
    std::map<ClaimId, Key> keys_;
    std::map<SourceKey, SourceState> sources_;
    std::map<int, Ask> asks_;
    int last_ask_ = 0;
    std::map<Hash256, int> contents_;
    std::map<int, Hash256> fingerprints_;
    std::set<int> recorded_;  // commits
    Counts told_;

    // In this batch:
    const Batch* batch_ = nullptr;
    int commits_ = 0;
    Time now_;
    std::vector<Take> takes_;                         // that are not explained
    std::map<ClaimId, std::optional<Claim>> before_;  // of those that were touched
    std::map<SourceKey, Versions> sources_before_;    // the same
    std::set<SourceKey> unclear_;                     // held and let go, and nobody knows for what
    std::map<ClaimId, int> words_;                    // accepted
};

// What differs between two rows of one claim, in a word; empty: nothing that counts.
[[nodiscard]] std::string difference(const Claim& expected, const Claim& found);

}  // namespace semel::sim
