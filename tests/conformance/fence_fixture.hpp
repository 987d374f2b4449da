// FenceConformance: fences on each of the stores, one command a commit, in the words of the HTTP
// API.
#pragma once

#include "conformance/store_conformance.hpp"
#include "support/fence_calls.hpp"

namespace semel::test {

class FenceConformance : public FenceCalls<StoreConformance> {
protected:
    [[nodiscard]] Time now() const { return clock.now; }
    void advance(Millis by) { clock.now += by; }

    // As it is read.
    std::optional<Claim> row(const ClaimId& id) { return driver.get_claim("default", id); }
    std::optional<Source> source(const std::string& type, const std::string& id) {
        const auto found = driver.look({.sources = {{"default", type, id}}}).sources;
        return found.empty() ? std::nullopt : std::optional(found.front());
    }

    // The code of a refusal; nothing where it was none.
    template <typename Variant>
    static std::optional<ProblemCode> code_of(const Variant& answer) {
        const auto* problem = std::get_if<Problem>(&answer);
        return problem == nullptr ? std::nullopt : std::optional(problem->code);
    }
};

}  // namespace semel::test
