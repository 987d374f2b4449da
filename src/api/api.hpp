// Api: the HTTP surface of a node. It turns requests into commands and outcomes into answers, and
// knows neither sockets nor SQL.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/node.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel {

class Metrics;

struct ApiOptions {
    std::string version;
    std::string listen;              // "127.0.0.1:7363", as the Host check knows it
    bool is_loopback = true;         // without tokens only loopback works
    std::vector<std::string> hosts;  // further names that Host and Origin may have
    bool tls = false;
    std::string cron_secret = {};  // empty: /v1/cron/process is not configured
    // Asks nobody for a token: for callers in this process, who have opened the store themselves.
    bool is_trusted = false;
    // Not ready while an acknowledged commit would not survive a power cut.
    bool needs_durability = false;
};

// For a server whose Api is not open yet, or closing: 503, come again.
[[nodiscard]] net::Response not_serving(std::string_view detail);

class Api {
public:
    // The node and the metrics outlive the api.
    Api(Node& node, Metrics& metrics, ApiOptions options);
    ~Api();
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    // Reads what it needs from the store (the API tokens, how many jobs there are) before the first
    // request. Blocks. Before the engine starts: its commits from then on are counted one by one.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] bool has_tokens() const;

    // All three are called on io threads; the responder may be called from any thread.
    void handle(net::Request request, net::Responder respond);
    [[nodiscard]] static std::size_t body_limit(const net::Request& head);
    [[nodiscard]] net::Response refuse(int status, std::string_view detail) const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
