#include "cli/serve/running_server.hpp"

#include <atomic>
#include <future>
#include <thread>

#include "api/api.hpp"
#include "api/metrics.hpp"
#include "cli/version.hpp"
#include "gateway/gateway.hpp"
#include "net/io_thread.hpp"
#include "runtime/host.hpp"

namespace semel::cli {

namespace {

NodeOptions node_options(const Config& config) {
    NodeOptions options;
    options.concurrency = config.concurrency;
    options.settings = config.settings;
    return options;
}

}  // namespace

class RunningServer::Impl {
public:
    Impl(const Config& config, std::unique_ptr<Store> store, std::unique_ptr<Store> fences)
        : config_(config),
          host_(std::move(store), node_options(config), metrics_, std::move(fences)) {}
    ~Impl() { stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<void> start() {
        auto server = net::Server::start(
            server_options(), [this](net::Request request, net::Responder respond) {
                if (Api* api = serving_.load()) {
                    return api->handle(std::move(request), std::move(respond));
                }
                respond(not_yet());
            });
        if (!server) {
            return server.error();
        }
        server_ = *std::move(server);
        address_ = config_.listen;
        address_.port = server_->port();  // the real one, where 0 was asked for
        ApiOptions options;
        options.version = kVersion;
        options.listen = address_.to_string();
        options.is_loopback = address_.is_loopback();
        options.hosts = config_.hosts;
        options.tls = config_.has_tls();
        options.cron_secret = config_.cron_secret;
        options.needs_durability = config_.is_durability_strict;
        for (const GatewayRoute& route : config_.gateway.routes) {
            options.stored_answers[route.name] = {route.replay_headers, route.max_stored_body};
        }
        api_ = std::make_unique<Api>(host_.node(), metrics_, std::move(options));
        SEMEL_CHECK(api_->open());
        host_.start();
        serving_ = api_.get();
        return start_gateway();
    }

    void stop() {
        is_stopping_ = true;
        if (!server_) {
            return host_.stop(Millis(0));
        }
        // Stops both at the same time: the server waits for running requests, and the engine's stop
        // answers the long polls. The loop stops last, so that late requests are answered.
        std::thread closing([this] {
            if (gateway_) gateway_->stop();
            server_->stop();
        });
        host_.drain(config_.stop_grace);
        closing.join();
        host_.stop(Millis(0));
    }

    [[nodiscard]] std::string url() const {
        return (config_.has_tls() ? "https://" : "http://") + address_.reachable();
    }
    // Returns "" without a gateway.
    [[nodiscard]] std::string gateway_url() const {
        if (!gateway_) return "";
        ListenAddress address = config_.gateway.listen;
        address.port = gateway_->port();
        return "http://" + address.reachable();
    }
    [[nodiscard]] StoreInfo store_info() { return host_.store().info(); }
    [[nodiscard]] std::optional<StoreInfo> fence_store_info() {
        Node& node = host_.node();
        return node.has_one_store() ? std::nullopt : std::optional(node.fence_store().info());
    }
    [[nodiscard]] bool has_tokens() const { return api_->has_tokens(); }

private:
    Result<void> start_gateway() {
        if (config_.gateway.routes.empty()) {
            return {};
        }
        SEMEL_TRY(gateway,
                  gateway::Gateway::start(config_.gateway, io_, host_.node(), config_.stop_grace));
        gateway_ = std::move(gateway);
        return {};
    }

    net::ServerOptions server_options() {
        net::ServerOptions options;
        options.io = io_;
        options.address = config_.listen.host;
        options.port = config_.listen.port;
        if (config_.has_tls()) {
            options.tls = net::Tls{config_.tls_cert, config_.tls_key};
        }
        options.limits.stop_timeout = config_.stop_grace;
        // The same before the API is open: a body refused then could be reported after it.
        options.on_head = [](const net::Request& head) {
            return net::WholeBody{Api::body_limit(head)};
        };
        options.error_response = [this](int status, std::string_view detail) {
            if (is_stopping_ && status == 503) {
                return not_serving("the server is stopping; nothing was changed, repeat it");
            }
            const Api* api = serving_.load();
            return api != nullptr ? api->refuse(status, detail) : not_yet();
        };
        return options;
    }

    // Between the port's opening and the API's: the API must know the port first.
    static net::Response not_yet() {
        return not_serving("the server is starting; nothing was changed, repeat it");
    }

    const Config config_;
    Metrics metrics_;
    Host host_;
    std::unique_ptr<Api> api_;
    std::atomic<Api*> serving_ = nullptr;
    std::atomic<bool> is_stopping_ = false;
    ListenAddress address_;
    std::shared_ptr<net::IoThreads> io_ =
        std::make_shared<net::IoThreads>(config_.gateway.routes.empty() ? 1 : 2);
    std::unique_ptr<net::Server> server_;  // these use all of the above
    std::unique_ptr<gateway::Gateway> gateway_;
};

RunningServer::RunningServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunningServer::~RunningServer() = default;

Result<std::unique_ptr<RunningServer>> RunningServer::start(const Config& config,
                                                            std::unique_ptr<Store> store,
                                                            std::unique_ptr<Store> fences) {
    auto impl = std::make_unique<Impl>(config, std::move(store), std::move(fences));
    SEMEL_CHECK(impl->start());
    return std::unique_ptr<RunningServer>(new RunningServer(std::move(impl)));
}

void RunningServer::stop() {
    impl_->stop();
}

std::string RunningServer::url() const {
    return impl_->url();
}

std::string RunningServer::gateway_url() const {
    return impl_->gateway_url();
}

StoreInfo RunningServer::store_info() const {
    return impl_->store_info();
}

std::optional<StoreInfo> RunningServer::fence_store_info() const {
    return impl_->fence_store_info();
}

bool RunningServer::has_tokens() const {
    return impl_->has_tokens();
}

Result<std::size_t> count_tokens(Store& store) {
    std::promise<Result<std::size_t>> answered;
    auto answer = answered.get_future();
    store.reads().list_api_tokens([&answered](Result<std::vector<ApiToken>> tokens) {
        if (tokens) {
            answered.set_value(tokens->size());
        } else {
            answered.set_value(tokens.error());
        }
    });
    return answer.get();
}

}  // namespace semel::cli
