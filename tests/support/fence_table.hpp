// FenceTable: a Tabletop on which fences are claimed, sealed and let go.
#pragma once

#include "support/fence_calls.hpp"
#include "support/tabletop.hpp"

namespace semel::test {

class FenceTable : public FenceCalls<Tabletop> {
public:
    std::optional<Claim> row(const ClaimId& id, const std::string& tenant = "default") {
        std::optional<Claim> found;
        reads().get_claim(tenant, id, [&](auto result) { found = std::move(*result); });
        return found;
    }
};

}  // namespace semel::test
