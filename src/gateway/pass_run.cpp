#include "gateway/pass_run.hpp"

#include <utility>

#include "gateway/answers.hpp"
#include "gateway/joined_body.hpp"
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
        const bool is_gone = answered.error().code() == ErrorCode::stopped && is_client_gone_;
        const bool is_full = answered.error().code() == ErrorCode::overloaded;
        return respond_(is_gone ? client_left() : is_full ? overloaded() : store_unavailable());
    }
    if (const auto* problem = std::get_if<Problem>(&*answered)) return refuse(*problem);
    const auto& answer = std::get<PassAnswer>(*answered);
    switch (answer.decision) {
        case Decision::new_: return own(answer);
        case Decision::duplicate: return replay(*answer.key);
        default: return respond_(in_progress(answer.key->id.to_hex()));
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
    const KeptAnswer& answer = *key.effect->pass->answer;
    if (!answer.has_body) return respond_(response_not_retained(key.id.to_hex(), key.effect->id));
    node_.read_body(answer.response,
                    [respond = respond_, answer, claim = key.id.to_hex(),
                     effect = key.effect->id](const Result<BodyReads::Body>& body) {
                        if (!body) return respond(store_unavailable());
                        if (!*body) return respond(response_not_retained(claim, effect));
                        respond(gateway::replay(answer.status, headers_of(answer), **body, claim));
                    });
}

// ---- sending ------------------------------------------------------------------------------------

void PassRun::own(const PassAnswer& answer) {
    key_ = answer.key;
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
    const Pass& pass = *key_->effect->pass;
    return {.idempotency_key = pass.sent_key.empty() ? pass.effect.to_string() : pass.sent_key,
            .token = to_int(key_->token),
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
        return release([why = failure.why] { return not_sent(why); });
    }
    const bool timed_out = failure.what == net::CallResult::timed_out;
    settle({.key = PassEnd::doubt, .reason = timed_out ? "timeout" : "no_answer"},
           [claim = claim_hex(), why = failure.why, timed_out] {
               return doubtful(claim, why, timed_out);
           });
}

void PassRun::accept(UpstreamAnswer answer) {
    const PassEnd end = key_end(answer.status, *order_.route->settings.idempotency_key);
    auto headers = client_headers(answer.headers, order_.route->upstream);
    PassEnding ending{.key = end};
    if (end == PassEnd::seal) {
        ending.answer = kept(answer, headers);
        if (!answer.rest) ending.body = std::make_shared<const std::string>(answer.body);
    } else if (end == PassEnd::doubt) {
        ending.reason = "status";
    }
    net::Response response;
    response.status = answer.status;
    response.headers = std::move(headers);
    add_claim(response, claim_hex());
    if (end == PassEnd::doubt) response.headers.push_back({"Semel-Uncertain", claim_hex()});
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
                          if (!reply) {
                              return self->respond_(self->is_sent_ ? not_sealed(self->claim_hex())
                                                                   : store_unavailable());
                          }
                          net::Response response = final();
                          const auto* settled = std::get_if<SettledPass>(&*reply);
                          if (settled != nullptr && settled->is_key_stale && self->is_sent_) {
                              response.headers.push_back({"Semel-Stale", "key"});
                          }
                          self->respond_(std::move(response));
                      });
}

void PassRun::release(Final final) {
    settle({.key = PassEnd::release}, std::move(final));
}

std::string PassRun::claim_hex() const {
    return key_->id.to_hex();
}

}  // namespace semel::gateway
