// Api: the HTTP API of a node. It turns requests into commands and queries, and their outcomes into
// answers. It uses neither sockets nor SQL.
//
// Use: construct, open(), start the node, then call handle() for each request.
// Errors: handle() answers them as problems.
// Threads: one thread constructs, opens and destroys it. handle(): io threads. The rest: any.
// Lifetime: `node` and `metrics` outlive it and every open call.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/passes/found_answer.hpp"
#include "engine/node.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel {

class Metrics;

struct ApiOptions {
    std::string version;
    std::string listen;              // "127.0.0.1:7363"; a request's Host can name it
    bool is_loopback = true;         // false: every request needs an API token
    std::vector<std::string> hosts;  // other names that Host and Origin can have
    bool tls = false;
    std::string cron_secret = {};  // empty: /v1/cron/process answers 500
    // true: the store's API tokens do not count, and a loopback request without a token is
    // admitted. For callers in this process, which opened the store themselves.
    bool is_trusted = false;
    // true: /readyz answers 503 while an acknowledged commit would not survive a power cut.
    bool needs_durability = false;
    // By route of the gateway: what is kept of an answer that an operator has found. Other routes
    // have the default.
    std::map<std::string, AnswerRule> stored_answers = {};
};

// Returns the 503 of a server whose Api is not open yet, or is closing. It asks the client to retry
// after 1 s.
[[nodiscard]] net::Response not_serving(std::string_view detail);

class Api {
public:
    // `node` and `metrics` must outlive the Api and the calls that are still open: a long poll can
    // be answered after the Api is destroyed.
    Api(Node& node, Metrics& metrics, ApiOptions options);
    ~Api();
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    // Reads the API tokens, and has the node read them again whenever another node might have
    // changed them. Call it once, before Node::start() and before the first request. Blocks.
    // Errors: the store could not be read.
    [[nodiscard]] Result<void> open();
    // Returns true if at least one API token exists.
    [[nodiscard]] bool has_tokens() const;

    // Answers the request through `respond`, now or later, on any thread. Does not block.
    void handle(net::Request request, net::Responder respond);
    // Returns the body limit of the request's route in bytes, or kBodyBytesMax without a route.
    // Any thread.
    [[nodiscard]] static std::size_t body_limit(const net::Request& head);
    // Renders a refusal of the server itself (like 413, 431, 503) as a problem.
    [[nodiscard]] net::Response refuse(int status, std::string_view detail) const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
