#include "core/keys/near_keys.hpp"

#include "core/json/json.hpp"

namespace semel {

// Keys one after the other, with commas between them: the inside of a JSON array, so that nothing
// within a key is taken for the end of it.
std::optional<NearKeys> read_near_keys(const std::string& reason) {
    const auto end = reason.find_last_of(']') + 1;  // npos + 1 is 0
    const auto list = json::Document::parse("[" + reason.substr(0, end) + "]");
    if (end == 0 || !list) {
        return std::nullopt;
    }
    NearKeys named;
    for (const json::Value key : list->root().elements()) {
        named.keys.emplace_back(key.raw());
    }
    named.rest = reason.substr(end);
    return named;
}

}  // namespace semel
