// The decision about a request of the gateway: may it be sent, or which answer does it get?
#include <algorithm>
#include <utility>

#include "core/decide.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_trace.hpp"
#include "core/keys/replay.hpp"
#include "core/passes/pass.hpp"
#include "core/passes/pass_trace.hpp"
#include "core/passes/request_differences.hpp"

namespace semel {
namespace {

// One of the claims that a request asks for, with its row.
struct Side {
    const AskedClaim* asked = nullptr;
    const Claim* row = nullptr;  // null: the claim has no row
    PassState state = PassState::nothing;
};

// An answer, the claim that decided, and its rule in one word.
struct Verdict {
    Item<PassAnswer> answer;
    std::shared_ptr<const Claim> decider;
    std::string_view rule;
    bool is_repeated = false;  // the admission was decided before, and has its entry in the log
};

std::shared_ptr<const Claim> share(Claim claim) {
    return std::make_shared<const Claim>(std::move(claim));
}

Problem unresolved(const Claim& claim) {
    return {.code = ProblemCode::uncertain,
            .detail =
                "the upstream may or may not have executed this request. Nothing was sent again; "
                "find out, and resolve the claim",
            .claim_id = claim.id.to_hex()};
}

// All rules about one admission. Looks at the guard only if the key lets the request pass.
class Admission {
public:
    Admission(const AdmitPass& command, Workspace& workspace)
        : tenant_(command.tenant), request_(command.request), workspace_(workspace) {
        SEMEL_ASSERT(request_.key || request_.guard);
    }

    Verdict decide() {
        key_ = look(request_.key);
        if (!request_.key) {
            guard_ = look(request_.guard);
        }
        if (is_admitted_by_request(leading())) {
            return repeat();
        }
        if (auto verdict = meet_key()) {
            return std::move(*verdict);
        }
        guard_ = look(request_.guard);
        if (auto verdict = meet_guard()) {
            return std::move(*verdict);
        }
        return take();
    }

private:
    [[nodiscard]] Time now() const { return workspace_.now(); }
    // The side that names the request: its key, or without one its guard.
    [[nodiscard]] const Side& leading() const { return request_.key ? key_ : guard_; }

    [[nodiscard]] Side look(const std::optional<AskedClaim>& asked) const {
        if (!asked) {
            return {};
        }
        const Claim* row = workspace_.claims.find(asked->claim);
        SEMEL_ASSERT(row == nullptr || row->full_key == asked->full_key);
        return {&*asked, row, row != nullptr ? judge(*row, now()) : PassState::nothing};
    }

    [[nodiscard]] bool is_admitted_by_request(const Side& side) const {
        return side.row != nullptr && is_admitted_by(*side.row, request_.effect, now());
    }

    Verdict repeat() {
        guard_ = look(request_.guard);
        PassAnswer answer;
        if (request_.key) answer.key = share(*key_.row);
        if (is_admitted_by_request(guard_)) answer.guard = share(*guard_.row);
        auto decider = answer.key ? answer.key : answer.guard;
        const std::string_view rule = decider->effect->rule;
        answer.takeover = rule == "lease_over" || rule == "retry";
        return {std::move(answer), std::move(decider), rule, true};
    }

    // ---- the key ------------------------------------------------------------------------------

    // Returns nullopt if the request can own the key.
    std::optional<Verdict> meet_key() {
        if (!request_.key || can_be_owned(key_.state)) {
            return std::nullopt;
        }
        if (key_.state == PassState::uncertain) {
            if (can_retry_key()) {
                is_retry_ = true;
                return std::nullopt;
            }
            return refuse(unresolved(*key_.row), key_, "unresolved");
        }
        if (has_other_content(request_, *key_.row)) {
            return refuse(content_conflict(), key_, "content");
        }
        if (key_.state == PassState::sealed) {
            auto claim = share(*key_.row);
            return Verdict{PassAnswer{.decision = Decision::duplicate, .key = claim}, claim,
                           kReplayRule};
        }
        return wait_for(key_);
    }

    // Returns true if the request names all that the uncertain pass has, and can own it.
    bool can_retry_key() {
        if (!request_.retries_uncertain || has_other_content(request_, *key_.row)) {
            return false;
        }
        const auto& twin = key_.row->effect->pass->twin;
        if (twin && (!request_.guard || request_.guard->claim != twin->claim)) {
            return false;
        }
        guard_ = look(request_.guard);
        return can_be_owned(guard_.state) ||
               (guard_.state == PassState::uncertain && are_twins(*key_.row, *guard_.row));
    }

    [[nodiscard]] Problem content_conflict() const {
        Problem problem{.code = ProblemCode::key_reused,
                        .detail =
                            "this key was used for another request; nothing was sent. Repeat the "
                            "first request, or use another key",
                        .claim_id = key_.row->id.to_hex()};
        if (key_.state == PassState::sealed) {
            problem.effect_id = key_.row->effect->id;
        }
        add_differences(problem);
        return problem;
    }

    void add_differences(Problem& problem) const {
        const FencePolicy& policy = workspace_.settings().fences;
        const Content* first = workspace_.contents.find(key_.row->id);
        if (!policy.include_diff || !request_.content) {
            return;
        }
        Differences differences = request_differences(first != nullptr ? first->json : "",
                                                      *request_.content, {.mask = policy.mask});
        problem.differs = std::move(differences.names);
        problem.diff_json = std::move(differences.patch);
        problem.diff_truncated = differences.is_truncated;
    }

    // ---- the guard ----------------------------------------------------------------------------

    // Returns nullopt if the request can own the guard. REQUIRES: it can own the key.
    std::optional<Verdict> meet_guard() {
        if (!request_.guard || is_retry_ || can_be_owned(guard_.state)) {
            return std::nullopt;
        }
        if (guard_.state == PassState::uncertain) {
            if (can_retry_guard()) {
                is_retry_ = true;
                return std::nullopt;
            }
            return refuse(unresolved(*guard_.row), guard_, "unresolved");
        }
        if (guard_.state != PassState::sealed) {
            return wait_for(guard_);
        }
        return is_own_answer() ? give_guards_answer() : hide_guards_answer();
    }

    // A pass that had a key is repeated under that key only.
    [[nodiscard]] bool can_retry_guard() const {
        const Pass& pass = *guard_.row->effect->pass;
        return request_.retries_uncertain && !request_.key && !pass.twin &&
               pass.principal == request_.principal;
    }

    [[nodiscard]] bool is_own_answer() const {
        return guard_.row->effect->pass->principal == request_.principal;
    }

    Verdict give_guards_answer() {
        auto guard = share(*guard_.row);
        PassAnswer answer{.decision = Decision::duplicate, .guard = guard, .by_guard = true};
        if (request_.key) {
            answer.key = share(seal_under_key(*guard));
        }
        return {std::move(answer), std::move(guard), kReplayRule};
    }

    Claim seal_under_key(const Claim& guard) {
        Claim claim =
            borrow_answer(tenant_, request_, guard, next_token(token_of(key_), now()), now());
        const KeptAnswer& answer = *claim.effect->pass->answer;
        if (answer.has_body) {
            workspace_.record(
                ResponseChange{ResponseVerb::extend, answer.response, *claim.expires_at});
        }
        put_key(claim);
        return claim;
    }

    Verdict hide_guards_answer() {
        auto guard = share(*guard_.row);
        Claim shown = *guard;
        shown.effect->pass->answer.reset();
        return {PassAnswer{.decision = Decision::duplicate,
                           .guard = share(std::move(shown)),
                           .by_guard = true,
                           .is_foreign = true},
                std::move(guard), "foreign"};
    }

    // ---- answers ------------------------------------------------------------------------------

    static Verdict refuse(Problem problem, const Side& side, std::string_view rule) {
        return {std::move(problem), share(*side.row), rule};
    }

    [[nodiscard]] Verdict wait_for(const Side& side) const {
        auto claim = share(*side.row);
        const Time until = claim->effect->lease_until;
        PassAnswer answer{.decision = Decision::in_flight,
                          .by_guard = &side == &guard_,
                          .retry_after = retry_after(until, now()),
                          .holder = SourceHolder{claim->id, claim->token, until}};
        (answer.by_guard ? answer.guard : answer.key) = claim;
        return {std::move(answer), std::move(claim), "leased"};
    }

    // ---- a new owner --------------------------------------------------------------------------

    static Token token_of(const Side& side) {
        return side.row != nullptr ? side.row->token : Token::none;
    }

    [[nodiscard]] std::string_view rule_of_new() const {
        if (is_retry_) return "retry";
        const Side& side = leading();
        if (side.state == PassState::lapsed) return "lease_over";
        return side.row != nullptr && side.row->state == ClaimState::free ? "free" : "first";
    }

    void put_key(const Claim& claim) {
        const bool had_content =
            key_.row != nullptr && key_.row->effect && key_.row->effect->has_content;
        if (request_.content || had_content) {
            workspace_.contents.put(claim.id, Content{request_.content.value_or("")});
        }
        workspace_.claims.put(claim.id, claim);
    }

    // One token for both claims, because the upstream receives one.
    Verdict take() {
        const Token token = next_token(std::max(token_of(key_), token_of(guard_)), now());
        const Claim* retried = is_retry_ ? leading().row : nullptr;
        const std::string_view rule = rule_of_new();
        const auto admit = [&](const AskedClaim& asked, const std::optional<AskedClaim>& other,
                               std::string space) {
            Claim claim =
                admit_pass(tenant_, std::move(space), asked, request_, retried, token, now());
            claim.effect->rule = rule;
            if (other) claim.effect->pass->twin = Twin{other->claim, token};
            return claim;
        };
        PassAnswer answer;
        answer.takeover = is_retry_ || leading().state == PassState::lapsed;
        if (request_.key) {
            answer.key = share(admit(*request_.key, request_.guard, key_space(request_.route)));
        }
        if (request_.guard) {
            answer.guard = share(admit(*request_.guard, request_.key, guard_space(request_.route)));
        }
        auto decider = answer.key ? answer.key : answer.guard;
        if (answer.takeover) {
            trace(workspace_, *decider, Decision::takeover, rule);
        }
        if (answer.key) put_key(*answer.key);
        if (answer.guard) workspace_.claims.put(answer.guard->id, *answer.guard);
        return {std::move(answer), std::move(decider), rule};
    }

    const std::string& tenant_;
    const PassRequest& request_;
    Workspace& workspace_;
    Side key_;
    Side guard_;
    bool is_retry_ = false;
};

// Returns true if the caller waits and asks again instead of receiving the answer.
bool is_awaited(const PassRequest& request, const Verdict& verdict) {
    const auto* answer = std::get_if<PassAnswer>(&verdict.answer);
    return request.wait > Millis(0) && answer != nullptr && answer->decision == Decision::in_flight;
}

}  // namespace

void name_rows(const AdmitPass& command, LoadSpec& spec) {
    const PassRequest& request = command.request;
    if (request.key) {
        spec.claims.push_back(request.key->claim);
        if (request.fingerprint) {
            spec.contents.push_back({request.key->claim, *request.fingerprint});
        }
    }
    // The guard is named last, so that requests with one guard and different keys are decided by
    // one stream, one after another.
    if (request.guard) {
        spec.claims.push_back(request.guard->claim);
    }
}

Reply<AdmitPass> decide(const AdmitPass& command, Workspace& workspace) {
    Verdict verdict = Admission(command, workspace).decide();
    if (!verdict.is_repeated && !is_awaited(command.request, verdict)) {
        trace(workspace, command, *verdict.decider, verdict.answer, verdict.rule);
    }
    return std::move(verdict.answer);
}

}  // namespace semel
