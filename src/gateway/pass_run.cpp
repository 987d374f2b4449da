#include "gateway/pass_run.hpp"

#include <utility>

#include "core/passes/pass.hpp"
#include "gateway/answers.hpp"
#include "gateway/guard_answers.hpp"
#include "gateway/joined_body.hpp"
#include "gateway/open_run.hpp"
#include "gateway/outcome.hpp"

namespace semel::gateway {

namespace {

std::vector<net::Header> headers_of(const KeptAnswer& answer) {
    std::vector<net::Header> headers;
    headers.reserve(answer.headers.size());
    for (const AnswerHeader& header : answer.headers)
        headers.push_back({header.name, header.value});
    return headers;
}

// Other errors, such as a damaged row, would not go away with the next request.
bool is_store_away(const Error& error) {
    switch (error.code()) {
        case ErrorCode::unavailable:
        case ErrorCode::busy:
        case ErrorCode::timeout:
        case ErrorCode::io_error:
        case ErrorCode::commit_unknown: return true;
        default: return false;
    }
}

std::string stale_claims(const SettledPass& settled) {
    if (!settled.is_guard_stale) return settled.is_key_stale ? "key" : "";
    return settled.is_key_stale ? "key, guard" : "guard";
}

}  // namespace

PassRun::PassRun(Node& node, PassOrder order, std::shared_ptr<PassUpstream> upstream,
                 net::Responder respond)
    : node_(node),
      order_(std::move(order)),
      upstream_(std::move(upstream)),
      respond_(std::move(respond)) {}

// ---- admission ----------------------------------------------------------------------------------

void PassRun::start(const Uuid& effect) {
    order_.admission.request.effect = effect;
    if (is_client_gone_) return respond_(client_left());
    const auto id = node_.admit_pass(
        order_.admission, [self = shared_from_this()](const Result<Item<PassAnswer>>& answered) {
            self->wait_ = 0;
            self->admitted(answered);
        });
    wait_ = id;
}

void PassRun::on_client_gone() {
    is_client_gone_ = true;
    if (wait_ != 0) node_.hang_up_pass(wait_);
}

void PassRun::admitted(const Result<Item<PassAnswer>>& answered) {
    if (!answered) {
        if (is_client_gone_) return respond_(client_left());
        if (fails_open(answered.error())) return forward_without_claims();
        const bool is_full = answered.error().code() == ErrorCode::overloaded;
        return respond_(is_full ? overloaded() : store_unavailable());
    }
    if (const auto* problem = std::get_if<Problem>(&*answered)) return refuse(*problem);
    const auto& answer = std::get<PassAnswer>(*answered);
    switch (answer.decision) {
        case Decision::new_: return own(answer);
        case Decision::duplicate: return answer.by_guard ? meet_guard(answer) : replay(*answer.key);
        default: return wait_no_longer(answer);
    }
}

void PassRun::refuse(const Problem& problem) {
    if (problem.code == ProblemCode::key_reused) {
        return respond_(
            key_reused(problem, order_.route->settings.idempotency_key->conflict_status));
    }
    respond_(problem_answer(problem));
}

void PassRun::replay(const Claim& key) {
    const std::string claim = key.id.to_hex();
    read_answer(key, [claim](const KeptAnswer& answer, const std::string& body) {
        if (!answer.is_borrowed) {
            return gateway::replay(answer.status, headers_of(answer), body, claim);
        }
        net::Response response = duplicate(headers_of(answer), body, answer.note, claim);
        response.headers.push_back({"Idempotent-Replayed", "true"});
        return response;
    });
}

// Under a key the message is stored with the answer. Another caller's answer is not shown.
void PassRun::meet_guard(const PassAnswer& answer) {
    const Time now = node_.store().now();
    node_.observer().on_guard_answer({*answer.guard, now, false, answer.has_waited});
    if (answer.is_foreign) return give_up(answer);
    const Claim& claim = answer.key ? *answer.key : *answer.guard;
    const std::string note = answer.key ? claim.effect->pass->answer->note
                                        : note_about(claim, order_.admission.request, now);
    read_answer(claim,
                [note, id = claim.id.to_hex()](const KeptAnswer& kept, const std::string& body) {
                    return duplicate(headers_of(kept), body, note, id);
                });
}

void PassRun::wait_no_longer(const PassAnswer& answer) {
    if (!answer.by_guard) return respond_(in_progress(answer.key->id.to_hex()));
    node_.observer().on_guard_answer({*answer.guard, node_.store().now(), true, answer.has_waited});
    give_up(answer);
}

void PassRun::give_up(const PassAnswer& answer) {
    respond_(duplicate_in_flight(*order_.route->settings.guard, answer.guard->id.to_hex()));
}

void PassRun::read_answer(const Claim& claim, Render render) {
    const KeptAnswer& answer = *claim.effect->pass->answer;
    if (!answer.has_body) {
        return respond_(response_not_retained(claim.id.to_hex(), claim.effect->id));
    }
    node_.read_body(answer.response,
                    [respond = respond_, render = std::move(render), answer, id = claim.id.to_hex(),
                     effect = claim.effect->id](const Result<BodyReads::Body>& body) {
                        if (!body) return respond(store_unavailable());
                        if (!*body) return respond(response_not_retained(id, effect));
                        respond(render(answer, **body));
                    });
}

// ---- sending ------------------------------------------------------------------------------------

void PassRun::own(const PassAnswer& answer) {
    key_ = answer.key;
    guard_ = answer.guard;
    const auto hold =
        node_.hold_pass(answer, [self = shared_from_this()](PassLoss loss) { self->lost(loss); });
    if (!hold) return respond_(store_unavailable());
    hold_ = *hold;
    upstream_->reserve(
        [self = shared_from_this()](const Result<void>& result) { self->reserved(result); });
}

// What was sent goes on: its answer is still worth having.
void PassRun::lost(PassLoss loss) {
    loss_ = loss;
}

void PassRun::reserved(const Result<void>& result) {
    if (!result) {
        return release([why = result.error().message()] { return not_sent(why); });
    }
    if (loss_) {
        upstream_->give_back();
        return release([claim = claim_hex()] { return in_progress(claim); });
    }
    dispatch_asked_ = upstream_->now();
    node_.dispatch_pass(hold_,
                        [self = shared_from_this()](const Result<Reply<DispatchPass>>& reply) {
                            self->dispatched(reply);
                        });
}

void PassRun::dispatched(const Result<Reply<DispatchPass>>& reply) {
    if (!reply || std::holds_alternative<Problem>(*reply)) {
        upstream_->give_back();
        const bool is_away = !reply;
        if (is_away && fails_open(reply.error())) {
            node_.settle_pass(hold_, {.key = PassEnd::release, .guard = PassEnd::release},
                              [](const Result<Reply<SettlePass>>&) {});
            return forward_without_claims();
        }
        return release([is_away, claim = claim_hex()] {
            return is_away ? store_unavailable() : in_progress(claim);
        });
    }
    is_sent_ = true;
    upstream_->send(
        order_.headers(headers()), dispatch_asked_ + kPassLease,
        [self = shared_from_this()](std::variant<UpstreamAnswer, UpstreamFailure> result) {
            self->answered(std::move(result));
        });
}

PassHeaders PassRun::headers() const {
    const Pass& pass = *leading().effect->pass;
    return {.idempotency_key = pass.sent_key.empty() ? pass.effect.to_string() : pass.sent_key,
            .token = to_int(leading().token),
            .attempt = pass.attempt,
            .tenant = order_.admission.tenant};
}

// ---- the end ------------------------------------------------------------------------------------

void PassRun::answered(std::variant<UpstreamAnswer, UpstreamFailure> result) {
    if (auto* answer = std::get_if<UpstreamAnswer>(&result)) {
        accept(std::move(*answer));
    } else {
        fail(std::get<UpstreamFailure>(result));
    }
}

void PassRun::fail(const UpstreamFailure& failure) {
    if (failure.what == net::CallResult::not_sent) {
        is_sent_ = false;
        return release([why = failure.why] { return not_sent(why); });
    }
    const bool timed_out = failure.what == net::CallResult::timed_out;
    settle({.key = PassEnd::doubt,
            .guard = PassEnd::doubt,
            .reason = timed_out ? "timeout" : "no_answer"},
           [claim = claim_hex(), why = failure.why, timed_out] {
               return doubtful(claim, why, timed_out);
           });
}

PassEnding PassRun::ending_of(const UpstreamAnswer& answer) const {
    const GatewayRoute& settings = order_.route->settings;
    PassEnding ending;
    if (key_) ending.key = key_end(answer.status, *settings.idempotency_key);
    if (guard_) {
        ending.guard = guard_end(answer.status, answer.rest ? "" : answer.body, *settings.guard);
    }
    return ending;
}

void PassRun::accept(UpstreamAnswer answer) {
    PassEnding ending = ending_of(answer);
    const auto has = [&ending](PassEnd end) { return ending.key == end || ending.guard == end; };
    const bool is_doubtful = has(PassEnd::doubt);
    auto headers = client_headers(answer.headers, order_.route->upstream);
    if (has(PassEnd::seal)) {
        ending.answer = kept(answer, headers);
        if (!answer.rest) ending.body = std::make_shared<const std::string>(answer.body);
    }
    if (is_doubtful) ending.reason = "status";
    net::Response response;
    response.status = answer.status;
    response.headers = std::move(headers);
    add_claim(response, claim_hex());
    if (is_doubtful) response.headers.push_back({"Semel-Uncertain", claim_hex()});
    if (answer.rest) {
        response.source = join_body(std::move(answer.body), std::move(answer.rest));
    } else {
        response.body = std::move(answer.body);
    }
    settle(std::move(ending),
           [response = std::move(response)]() mutable { return std::move(response); });
}

KeptAnswer PassRun::kept(const UpstreamAnswer& answer,
                         const std::vector<net::Header>& headers) const {
    KeptAnswer kept;
    kept.status = answer.status;
    for (net::Header& header : kept_headers(headers, order_.route->settings.replay_headers)) {
        kept.headers.push_back({std::move(header.name), std::move(header.value)});
    }
    kept.size = static_cast<std::int64_t>(answer.body.size());
    kept.has_body = answer.rest == nullptr;
    return kept;
}

void PassRun::settle(PassEnding ending, Final final) {
    node_.settle_pass(hold_, std::move(ending),
                      [self = shared_from_this(),
                       final = std::move(final)](const Result<Reply<SettlePass>>& reply) mutable {
                          if (!reply && self->is_sent_ && self->fails_open(reply.error())) {
                              self->node_.observer().on_open(self->order_.route->settings.name);
                              return self->respond_(final());
                          }
                          net::Response response = reply            ? final()
                                                   : self->is_sent_ ? not_sealed(self->claim_hex())
                                                                    : store_unavailable();
                          if (response.header("semel-claim") == nullptr) {
                              add_claim(response, self->claim_hex());
                          }
                          if (!reply) return self->respond_(std::move(response));
                          const auto* settled = std::get_if<SettledPass>(&*reply);
                          std::string stale = settled != nullptr ? stale_claims(*settled) : "";
                          if (!stale.empty() && self->is_sent_) {
                              response.headers.push_back({"Semel-Stale", std::move(stale)});
                          }
                          self->respond_(std::move(response));
                      });
}

void PassRun::release(Final final) {
    settle({.key = PassEnd::release, .guard = PassEnd::release}, std::move(final));
}

// ---- without the store --------------------------------------------------------------------------

bool PassRun::fails_open(const Error& error) const {
    const GatewayRoute& settings = order_.route->settings;
    const FailMode mode = order_.admission.request.key ? settings.idempotency_key->fail_mode
                                                       : settings.guard->fail_mode;
    return order_.open_headers && mode == FailMode::open && is_store_away(error);
}

void PassRun::forward_without_claims() {
    node_.observer().on_open(order_.route->settings.name);
    forward_open(upstream_,
                 {.headers = order_.open_headers(),
                  .routes = order_.routes,
                  .route = order_.route,
                  .held = order_.held},
                 respond_);
}

}  // namespace semel::gateway
