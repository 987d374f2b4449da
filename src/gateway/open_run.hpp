// forward_open: sends a request without claims, because the store is unavailable and the route has
// `fail_mode: open`. No answer is stored, and nothing is sent a second time.
//
// Errors: the client gets an error answer.
// Threads: the engine's executor.
#pragma once

#include <memory>
#include <vector>

#include "gateway/pass_upstream.hpp"
#include "gateway/route_table.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel::gateway {

struct OpenRequest {
    std::vector<net::Header> headers;          // for the upstream
    std::shared_ptr<const RouteTable> routes;  // owns `route`
    const Route* route = nullptr;
    std::shared_ptr<void> held = {};  // the body's part of the BodyBudget
};

// Answers with the upstream's answer, or with the reason why there is none.
// REQUIRES: no connection of `upstream` is set aside.
void forward_open(const std::shared_ptr<PassUpstream>& upstream, OpenRequest request,
                  net::Responder respond);

}  // namespace semel::gateway
