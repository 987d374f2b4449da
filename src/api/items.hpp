// Commands of many items: from a body that is one item, or has an array of `items`.
#pragma once

#include <functional>
#include <string>

#include "api/call.hpp"

namespace semel {

// Reads the body's `items` and shows each, with its pointer. False: the problem has been answered.
[[nodiscard]] bool each_item(Call& call,
                             const std::function<void(json::Value, const std::string&)>& see);

// The body is the only item; `read(body, tenant, settings, pointer)` makes it, or its problem.
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

// The body has `items`; the problem of a bad one stands in its place, and the others are decided.
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
