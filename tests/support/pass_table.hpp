// PassTable: a Tabletop on which requests of the gateway are admitted, sent and settled.
#pragma once

#include "support/pass_calls.hpp"
#include "support/tabletop.hpp"

namespace semel::test {

class PassTable : public PassCalls<Tabletop> {
public:
    // The body of a kept answer, if its row is there.
    std::optional<std::string> response(const Uuid& id) {
        std::optional<std::string> found;
        reads().get_response(id, [&](auto result) { found = std::move(*result); });
        return found;
    }
    bool has_key(const std::string& key, const std::string& principal = "ann") {
        return claim(make_key("default", "key.message.api", {principal, key}).claim).has_value();
    }
};

}  // namespace semel::test
