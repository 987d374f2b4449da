// GatewayTest: an upstream in this process, and a gateway in front of it, over real sockets.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/metrics.hpp"
#include "gateway/gateway.hpp"
#include "net/server.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"
#include "unit/net/support.hpp"

namespace semel::gateway {

class GatewayTest : public testing::Test {
protected:
    void start_upstream(net::RequestHandler handler) {
        net::ServerOptions options;
        if (streams_) options.on_head = [](const net::Request&) { return net::StreamedBody{}; };
        upstream_ = net::test::start(std::move(options), std::move(handler));
    }
    GatewayRoute route_to(std::uint16_t port) {
        GatewayRoute route;
        route.name = "all";
        route.path = "/*";
        route.upstream = "http://127.0.0.1:" + std::to_string(port);
        return route;
    }
    void start_gateway(std::vector<GatewayRoute> routes) {
        host_.start();
        GatewayConfig config;
        config.listen = {"127.0.0.1", 0};
        config.routes = std::move(routes);
        auto started = Gateway::start(config, io_, host_.node(), std::chrono::seconds(1));
        ASSERT_TRUE(started) << started.error().message();
        gateway_ = *std::move(started);
    }
    void start_both(net::RequestHandler handler) {
        start_upstream(std::move(handler));
        start_gateway({route_to(upstream_->port())});
    }
    // One request on a connection of its own.
    std::string ask(const std::string& bytes) {
        net::test::RawClient client(gateway_->port());
        client.send(bytes);
        return client.read_to_end().value_or("nothing");
    }

    void TearDown() override {
        if (gateway_) gateway_->stop();
        host_.stop(Millis(0));
    }

    bool streams_ = false;  // the upstream answers before it has read a body
    net::test::TempDir folder_;
    Metrics metrics_;
    Host host_{*open_store(folder_.path("store.db")), {}, metrics_};
    std::shared_ptr<net::IoThreads> io_ = std::make_shared<net::IoThreads>(2);
    std::unique_ptr<net::Server> upstream_;
    std::unique_ptr<Gateway> gateway_;
};

inline std::string get(const std::string& path, const std::string& more = "") {
    return "GET " + path + " HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n" + more +
           "\r\n";
}

// The value of the first header of that name, or "none".
inline std::string header_of(const std::string& answer, const std::string& name) {
    const std::size_t at = answer.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "none";
    const std::size_t begin = at + name.size() + 4;
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
}

}  // namespace semel::gateway
