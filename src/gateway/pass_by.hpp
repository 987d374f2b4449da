// pass_by: sends a request that claims nothing to its upstream, and the answer to the client. Both
// bodies are streamed.
//
// A request is sent a second time only if no upstream can have executed the first, or if its method
// is safe.
//
// Errors: the client gets an error answer.
// Threads: the request's io thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gateway/call_pools.hpp"
#include "gateway/route_table.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel::gateway {

// A request that is ready to be sent.
struct Outgoing {
    net::Request request;                      // its body is read from `source`, if it has one
    std::string target;                        // for the upstream
    std::vector<net::Header> headers;          // the same
    std::shared_ptr<const RouteTable> routes;  // owns `route`
    const Route* route = nullptr;
};

// Answers once, through `respond`. If the client leaves, the call ends.
// Threads: the request's io thread. Lifetime: `pools` outlives the call.
void pass_by(Outgoing outgoing, CallPools& pools, net::Responder respond);

}  // namespace semel::gateway
