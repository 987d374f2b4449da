// submit_call: sends a call about a claim to the engine and answers the caller with JSON.
//
// Errors: answered to the caller. Threads: any. Returns at once.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "api/call.hpp"
#include "api/metrics.hpp"

namespace semel {

// `render` makes the body of the 200 from the claim after the call. The stale calls of late owners
// are counted.
// Threads: any. `render` runs on the engine's loop.
template <typename Command>
void submit_call(Call call, Command command,
                 std::function<std::string(const Claim&)> render_claim) {
    Node& node = call.services->node;
    auto render = [services = call.services,
                   render_claim = std::move(render_claim)](const Reply<Command>& reply) {
        const auto* problem = std::get_if<Problem>(&reply);
        if (problem == nullptr) {
            return Receipt{.status = 200, .body = render_claim(std::get<Claim>(reply))};
        }
        if (problem->code == ProblemCode::stale_token) {
            services->metrics.on_stale_token();
        }
        return problem_receipt(*problem);
    };
    node.post([&node, command = std::move(command), guard = std::move(call.guard),
               render = std::move(render), answer = std::move(call.answer)]() mutable {
        node.submit_rendered(
            std::move(command), std::move(guard), std::move(render),
            [answer](Result<Rendered> rendered) { answer.rendered(std::move(rendered)); });
    });
}

}  // namespace semel
