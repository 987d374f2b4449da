// UpstreamCall: implements PassUpstream with a connection of the request's io thread.
//
// Errors: those of PassUpstream.
// Threads: the engine's executor. It posts its work to the io thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/node.hpp"
#include "gateway/call_pools.hpp"
#include "gateway/pass_upstream.hpp"
#include "gateway/route_table.hpp"

namespace semel::gateway {

// What is sent, but for its headers.
struct UpstreamRequest {
    std::string method;
    std::string target;
    std::string body;
    std::shared_ptr<const RouteTable> routes;  // owns `route`
    const Route* route = nullptr;
};

// Lifetime: `io`, `pools` and `node` outlive it. Pending steps hold it.
[[nodiscard]] std::shared_ptr<PassUpstream> make_upstream_call(UpstreamRequest request,
                                                               net::IoThread& io, CallPools& pools,
                                                               Node& node);

}  // namespace semel::gateway
