// Call: one admitted request, as the handler of its route receives it, with functions to read and
// to answer it. Services: the state that all calls of an Api share.
//
// Errors: answered to the client as problems.
// Threads: one thread at a time uses a Call. Services: see there.
// Lifetime: a Call keeps its Services alive.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "api/answer.hpp"
#include "api/api.hpp"
#include "api/auth.hpp"
#include "api/open_polls.hpp"
#include "base/crash_point.hpp"
#include "base/ed25519.hpp"
#include "core/json/json.hpp"
#include "core/keys/idempotency.hpp"
#include "engine/node.hpp"
#include "net/http.hpp"

namespace semel {

// The state that all calls of an Api share.
//
// Threads: `options` is constant, and `node`, `metrics` and `tokens` say their threads. Only the
// engine's loop uses the last three members.
// Lifetime: each call keeps it alive, because a long poll can be answered after the Api is
// destroyed.
struct Services {
    Node& node;
    Metrics& metrics;
    ApiOptions options;
    TokenRegistry tokens;
    // Only the engine's loop uses the members below.
    OpenPolls polls = {};
    Time next_token_poll = {};
    std::shared_ptr<const SigningKey> signing_key = {};  // null until the first use

    // Returns true if a caller that was admitted before would be admitted now. Any thread.
    [[nodiscard]] bool lets_in(const Caller& caller) const {
        return options.is_trusted || is_still_let_in(caller, tokens, node.store().now());
    }
    // Cancels the open polls whose caller would not be admitted any longer. Call it on the loop
    // after a change of tokens.
    void end_polls() {
        polls.end_others([this](const Caller& caller) { return lets_in(caller); });
    }
};

struct Call {
    std::shared_ptr<Services> services;
    net::Request request;
    std::string value;  // of the path's variable, like an id; still percent-encoded
    Caller caller;
    std::optional<IdempotencyGuard> guard;
    Answer answer;

    // Parses the body as JSON; an absent body is {}. Moves the body out of `request`: call it once.
    // Returns nullopt after it has answered the problem.
    [[nodiscard]] std::optional<json::Document> read_body(json::Limits limits = {});

    // Parses `value` as an id. Returns nullopt after it has answered `not_found`, in which `what`
    // names the resource.
    [[nodiscard]] std::optional<Uuid> read_id(std::string_view what) const;
};

// Makes the poll of a call that is answered later, and moves the call's caller into it. If the
// client disconnects before the answer, the poll is cancelled on the loop. Call it inside the
// handler, and add the poll to Services::polls on the loop.
[[nodiscard]] std::shared_ptr<OpenPoll> open_poll(Call& call);

// Returns the `unauthorized` for a poll whose API token was deleted or has expired while it waited.
[[nodiscard]] Problem no_longer_let_in();

// Submits a command to the engine and returns at once. After the commit the client receives the
// receipt that `render_outcome` makes of the outcome, or the Problem. Errors are answered too.
//
// Threads: any. `render_outcome` runs on the engine's loop when the command is decided, before the
// commit: with an Idempotency-Key the commit seals its bytes.
template <typename Command>
void submit(Call call, Command command,
            std::function<Receipt(const typename Command::Outcome&)> render_outcome) {
    Node& node = call.services->node;
    auto render = [render_outcome = std::move(render_outcome)](const Reply<Command>& reply) {
        const auto* problem = std::get_if<Problem>(&reply);
        return problem != nullptr ? problem_receipt(*problem)
                                  : render_outcome(std::get<typename Command::Outcome>(reply));
    };
    node.post([&node, command = std::move(command), guard = std::move(call.guard),
               render = std::move(render), answer = std::move(call.answer)]() mutable {
        node.submit_rendered(std::move(command), std::move(guard), std::move(render),
                             [answer = std::move(answer)](Result<Rendered> rendered) {
                                 answer.rendered(std::move(rendered));
                                 SEMEL_CRASH_POINT(command_answered);
                             });
    });
}

}  // namespace semel
