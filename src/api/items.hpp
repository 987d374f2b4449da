// Reads a body into a command of items and submits it: the body is one item, or has an array
// `items`.
//
// `read(body, tenant, settings, pointer)` returns an item of the command, or its Problem.
// Errors: answered to the client.
// Threads: any.
#pragma once

#include <functional>
#include <string>

#include "api/call.hpp"

namespace semel {

// Parses the body and calls `see` for each element of its `items`, with the element's JSON pointer.
// Returns false after it has answered the problem.
[[nodiscard]] bool each_item(Call& call,
                             const std::function<void(json::Value, const std::string&)>& see);

// Submits the body as the only item. A Problem of `read` is answered at once, without a commit.
template <typename Command, typename Read>
void submit_one(Call call, Read read,
                std::function<Receipt(const typename Command::Outcome&)> render) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    auto item = read(body->root(), call.caller.tenant, call.services->node.settings(), "");
    if (auto* problem = std::get_if<Problem>(&item)) {
        call.answer.problem(*problem);
        return;
    }
    Command command;
    command.tenant = call.caller.tenant;
    command.items.push_back(std::move(item));
    submit(std::move(call), std::move(command), std::move(render));
}

// Submits the body's `items`. A bad item becomes its Problem, and the others are still decided.
template <typename Command, typename Read>
void submit_items(Call call, Read read,
                  std::function<Receipt(const typename Command::Outcome&)> render) {
    Command command;
    command.tenant = call.caller.tenant;
    const bool is_read = each_item(call, [&](json::Value item, const std::string& pointer) {
        command.items.push_back(
            read(item, command.tenant, call.services->node.settings(), pointer));
    });
    if (is_read) submit(std::move(call), std::move(command), std::move(render));
}

}  // namespace semel
