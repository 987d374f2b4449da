#include "api/items.hpp"

#include <fmt/format.h>

#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {

bool each_item(Call& call, const std::function<void(json::Value, const std::string&)>& see) {
    const auto body = call.read_body();
    if (!body) {
        return false;
    }
    MemberReader reader(body->root(), "");
    const auto items = reader.array("items", kItemsMax);
    reader.require("items", items.has_value());
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return false;
    }
    std::size_t index = 0;
    for (const json::Value item : items->elements()) {
        see(item, fmt::format("/items/{}", index++));
    }
    return true;
}

}  // namespace semel
