// Call: one request that has been let in, on its way to the handler of its route.
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
#include "core/idempotency.hpp"
#include "core/json.hpp"
#include "engine/node.hpp"
#include "net/http.hpp"

namespace semel {

// What all calls share. Thread-safe where it is not constant. Calls keep it alive: a long poll may
// be answered after the Api has gone.
struct Services {
    Node& node;
    Metrics& metrics;
    ApiOptions options;
    TokenRegistry tokens;
    // Of the engine's loop.
    OpenPolls polls = {};
    Time next_token_look = {};
    std::shared_ptr<const SigningKey> signing_key = {};  // null: not asked for yet

    // Whether a call that was let in a while ago would still be.
    [[nodiscard]] bool lets_in(const Caller& caller) const {
        return options.is_trusted || is_still_let_in(caller, tokens, node.store().now());
    }
    // Tokens have changed: those who wait and may no longer do so are sent away. On the loop.
    void end_polls() {
        polls.end_others([this](const Caller& caller) { return lets_in(caller); });
    }
};

struct Call {
    std::shared_ptr<Services> services;
    net::Request request;
    std::string value;  // of the path's variable: an id, a code
    Caller caller;
    std::optional<IdempotencyGuard> guard;
    Answer answer;

    // The body as JSON; an absent one is {}. Nothing: the problem has been answered.
    [[nodiscard]] std::optional<json::Document> read_body(json::Limits limits = {});

    // The path's id. Nothing: not_found has been answered; `what` says what was looked for.
    [[nodiscard]] std::optional<Uuid> read_id(std::string_view what) const;
};

// For a call that is answered later: whoever hangs up meanwhile is forgotten. Takes its caller
// over.
[[nodiscard]] std::shared_ptr<OpenPoll> open_poll(Call& call);

// To one whose token has ended since.
[[nodiscard]] Problem no_longer_let_in();

// Puts a command on its way; the caller gets what `render` makes of its outcome, or the problem,
// after the commit.
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
