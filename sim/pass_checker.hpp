// PassChecker: what must be true of requests that go through the gateway, by a model of its own.
//
// It sees what leaves for the upstream, what the upstream answers, which rows are committed, and
// what clients are told. Rows tell who held a key, and how each hold ended. What shares a batch is
// not seen one by one: where a hold is gone, any end that its owner or an operator could have given
// it is right.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/passes/pass.hpp"
#include "gateway/pass_upstream.hpp"
#include "sim/context.hpp"
#include "sim/database.hpp"
#include "sim/store_watcher.hpp"

namespace semel::sim {

inline constexpr std::size_t kPassBodyMax = 128;                      // of an answer that is kept
inline constexpr std::string_view kFromUpstream = "X-From-Upstream";  // in its answers alone
inline constexpr int kFoundStatus = 200;
inline constexpr std::string_view kFoundBody = R"({"found":"by an operator"})";

// An answer as the upstream sent it, or as a client was told.
struct SentAnswer {
    int status = 0;
    std::vector<net::Header> headers;
    std::string body;
};

class PassChecker final : public StoreWatcher {
public:
    PassChecker(Context& context, Database& database);

    // ---- the store
    [[nodiscard]] std::shared_ptr<Batch> loaded(Time now, ProcessId process,
                                                int began_after) override;
    void turn_to(std::shared_ptr<Batch> batch) override { batch_ = std::move(batch); }
    void landed(Time landed_at) override;
    void nothing_to_save() override {}
    void commit_unknown() override { is_disturbed_ = true; }
    void abandoned(const std::shared_ptr<Batch>& batch) override;
    void process_crashed(ProcessId process);

    // ---- clients; `ask` is the number of one request on its way
    [[nodiscard]] int asked(const PassRequestPlan& plan, const ClaimId& claim, const Uuid& effect,
                            ProcessId process);
    void hung_up(int ask);
    void answered(int ask, const SentAnswer& told);
    void visited(const ClaimId& claim, const PassVisitPlan& visit);

    // ---- the upstream; `number` is that of an ask
    void left(int number, const std::vector<net::Header>& headers);  // the first byte
    void executed(const PassRequestPlan& request);
    void answered_by_upstream(int number, const SentAnswer& answer);
    void failed_at_upstream(int number, net::CallResult result);

    // ---- when faults have stopped
    [[nodiscard]] bool all_finished() const;
    [[nodiscard]] bool anyone_holds() const;
    void check_rest(Store& store);

    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
    void fail(Invariant invariant, const std::string& message) override;

private:
    struct Ask {
        const PassRequestPlan* plan = nullptr;
        ClaimId claim;
        Uuid effect;
        ProcessId process = kOutside;
        Micros at{0};
        Time stored_at;        // the same by the store's clock
        bool is_calm = false;  // no fault excuses a late answer
        bool is_over = false;  // answered, hung up, or its process is gone
        bool hung_up = false;
        bool has_left = false;
        std::optional<SentAnswer> answer = {};        // the upstream's, whole
        std::optional<net::CallResult> failure = {};  // of its call
    };
    enum class End { open, sealed, freed, uncertain };
    // Somebody owned a key with this token.
    struct Hold {
        Token token = Token::none;
        int ask = 0;
        Time since;
        bool is_dispatched = false;
        Micros renewed{0};  // when the last renewal of its lease was committed
        bool has_left = false;
        End end = End::open;
        bool by_operator = false;
        std::optional<SentAnswer> kept =
            {};  // as repeats are to be told; without it: nothing is kept
        Time remembered_until;
    };
    // What a key was from this time on.
    struct Moment {
        Micros from{0};
        ClaimState state = ClaimState::free;
        int hold = -1;  // which of its holds; negative: it had none yet
    };
    struct Key {
        std::optional<Claim> row;
        std::vector<Hold> holds;
        std::vector<Moment> past;
        std::set<PassVisit> visits;  // by operators, so far
    };
    // Whose a key is: tenant, caller and key, as the plan says.
    using Identity = std::tuple<std::string, std::size_t, std::string>;

    // ---- pass_checker.cpp: what is committed
    void check_change(const Change<Claim>& change);
    void check_after(Key& key, const Claim& after);
    void check_admitted(Key& key, const Claim& after);
    [[nodiscard]] std::string why_not_new(const Key& key, Time now) const;
    void check_owned(Key& key, const Claim& after);
    void check_sealed(Key& key, const Claim& after);
    void check_doubted(Key& key, const Claim& after);
    void check_freed(Key& key, const Claim& after);
    void check_erased(Key& key);
    [[nodiscard]] bool could_release(const Hold& hold) const;
    [[nodiscard]] bool may_seal(const Hold& hold) const;
    [[nodiscard]] const std::string* body_written(const Uuid& response) const;
    [[nodiscard]] Time now() const { return batch_->now; }
    [[nodiscard]] std::string name(const ClaimId& claim);
    [[nodiscard]] std::string label(const Ask& ask) const;

    // ---- pass_answers.cpp: what clients are told
    void check_upstreams_answer(const Ask& ask, const SentAnswer& told);
    void check_replay(const Ask& ask, const SentAnswer& told);
    void check_problem(const Ask& ask, const SentAnswer& told, std::string_view code);
    [[nodiscard]] bool may_be_refused_for_content(const Ask& ask);
    [[nodiscard]] bool may_be_in_progress(const Ask& ask);
    [[nodiscard]] bool may_be_uncertain(const Ask& ask);
    void check_not_retained(const Ask& ask);
    void check_wait(const Ask& ask);
    void check_woken(const Ask& ask);
    void check_whose(const Ask& ask, const SentAnswer& told);
    // Whether its key was so at any time since it was asked.
    using Says = std::function<bool(const Moment&, const Hold&)>;
    [[nodiscard]] bool was(const Ask& ask, const Says& says);
    [[nodiscard]] bool may_have_been_held(const Ask& ask);
    [[nodiscard]] const Ask& owner(const Hold& hold) const {
        return asks_[static_cast<std::size_t>(hold.ask)];
    }
    [[nodiscard]] const Hold* hold_of(const Ask& ask);

    // ---- pass_rest.cpp
    void check_key_at_rest(const ClaimId& id, const Key& key);
    void check_counts(Store& store);

    Context& context_;
    Database& database_;
    std::optional<Violation> violation_;
    std::shared_ptr<Batch> batch_;
    std::map<ClaimId, int> names_;
    std::map<ClaimId, Key> keys_;
    std::map<Identity, int> effects_;
    std::vector<Ask> asks_;
    std::map<Uuid, int> asks_by_effect_;
    std::map<std::pair<std::string, Decision>, std::int64_t> decided_;  // at least
    bool has_faults_ = false;                                           // at any time of this plan
    bool is_disturbed_ = false;  // by a crash or a commit of unknown fate
};

// Returns what the gateway does with a status: `releases_5xx` is the route's setting.
[[nodiscard]] PassEnd expected_end(int status, bool releases_5xx);

}  // namespace semel::sim
