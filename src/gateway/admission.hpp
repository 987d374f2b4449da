// admission: reads from a request's head and whole body which key and which content it claims, and
// for which tenant. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/passes/pass_commands.hpp"
#include "gateway/route_table.hpp"
#include "net/http.hpp"

namespace semel::gateway {

// Whether the request may claim a key or a content, so that its body must be read whole. Needs the
// head alone.
[[nodiscard]] bool may_claim(const net::Request& head, const GatewayRoute& route);

struct RequestClaims {
    std::optional<AdmitPass> admission;  // without its effect id; absent: nothing is claimed
    bool skips_guard = false;            // its body has no fields that the guard could compare
};

// Returns what the request claims, or the answer of a request that cannot be admitted.
// REQUIRES: may_claim(), the body is whole, and `path` is the request's path in normal form.
[[nodiscard]] std::variant<RequestClaims, net::Response> read_admission(const net::Request& request,
                                                                        const Route& route,
                                                                        const std::string& path);

}  // namespace semel::gateway
