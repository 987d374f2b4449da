// PassUpstream: PassRun's interface to the upstream of one request under claims. It reserves a
// connection, and sends the request at most once.
//
// Errors: the callbacks receive them.
// Threads: the engine's executor, for calls and callbacks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "net/body_source.hpp"
#include "net/call.hpp"

namespace semel::gateway {

struct UpstreamAnswer {
    int status = 200;
    std::vector<net::Header> headers;
    std::string body;  // whole, or what was read before it became too large to keep
    std::shared_ptr<net::BodySource> rest = {};  // of a body that is not kept; null: it is whole
};

struct UpstreamFailure {
    net::CallResult what = net::CallResult::not_sent;
    std::string why;
};

class PassUpstream {
public:
    using Clock = std::chrono::steady_clock;
    using Answered = std::function<void(std::variant<UpstreamAnswer, UpstreamFailure>)>;

    PassUpstream() = default;
    virtual ~PassUpstream() = default;
    PassUpstream(const PassUpstream&) = delete;
    PassUpstream& operator=(const PassUpstream&) = delete;

    // The clock that send() compares `not_after` with.
    [[nodiscard]] virtual Clock::time_point now() const = 0;
    // Sets a connection aside. Errors: those of net::CallPool::acquire().
    virtual void reserve(std::function<void(Result<void>)> done) = 0;
    // Gives the connection back.
    virtual void give_back() = 0;
    // Sends the request with these headers, unless `not_after` has passed: the failure is then
    // `not_sent`. REQUIRES: a connection is set aside.
    virtual void send(std::vector<net::Header> headers, Clock::time_point not_after,
                      Answered answered) = 0;
};

}  // namespace semel::gateway
