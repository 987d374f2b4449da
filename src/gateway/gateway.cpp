#include "gateway/gateway.hpp"

#include <limits>
#include <utility>
#include <variant>

#include "gateway/answers.hpp"
#include "gateway/call_pools.hpp"
#include "gateway/forwarded_headers.hpp"
#include "gateway/normal_path.hpp"
#include "gateway/pass_by.hpp"
#include "gateway/route_table.hpp"
#include "net/server.hpp"

namespace semel::gateway {

namespace {

// Cookies and tokens of several systems are larger than the API's own heads.
constexpr std::size_t kHeadBytesMax = std::size_t{32} * 1024;

// Where a request goes.
struct Way {
    const Route* route = nullptr;
    std::string path;  // in normal form
};

}  // namespace

class Gateway::Impl {
public:
    Impl(const GatewayConfig& config, RouteTable routes, std::shared_ptr<net::IoThreads> io)
        : trusted_proxies_(config.trusted_proxies),
          routes_(std::make_shared<const RouteTable>(std::move(routes))),
          io_(std::move(io)),
          pools_(io_) {}
    ~Impl() { stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<void> start(const ListenAddress& listen, Millis stop_grace) {
        net::ServerOptions options;
        options.address = listen.host;
        options.port = listen.port;
        options.io = io_;
        options.limits.head_bytes_max = kHeadBytesMax;
        options.limits.stop_timeout = stop_grace;
        options.on_head = [this](const net::Request& head) { return judge(head); };
        options.error_response = refusal;
        SEMEL_TRY(server, net::Server::start(std::move(options),
                                             [this](net::Request request, net::Responder respond) {
                                                 handle(std::move(request), std::move(respond));
                                             }));
        server_ = std::move(server);
        return {};
    }

    void stop() {
        if (server_) server_->stop();
        pools_.stop();
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

private:
    [[nodiscard]] std::variant<Way, net::Response> find_way(const net::Request& request) const {
        auto path = normal_path(request.path);
        if (!path) return bad_path(path.error().message());
        const Match match = routes_->match(request, *path);
        if (match.route == nullptr) {
            return match.allowed.empty() ? no_route(*path) : method_not_allowed(match.allowed);
        }
        if (auto problem = check_connection(request, match.route->settings)) {
            return problem_answer(*std::move(problem));
        }
        return Way{match.route, *std::move(path)};
    }

    [[nodiscard]] net::HeadVerdict judge(const net::Request& head) const {
        auto way = find_way(head);
        if (auto* refused = std::get_if<net::Response>(&way)) return std::move(*refused);
        const auto& max_body = std::get<Way>(way).route->settings.max_body;
        return net::StreamedBody{max_body ? *max_body : std::numeric_limits<std::uint64_t>::max()};
    }

    void handle(net::Request request, net::Responder respond) {
        auto way = find_way(request);
        if (auto* refused = std::get_if<net::Response>(&way)) return respond(std::move(*refused));
        auto& [route, path] = std::get<Way>(way);
        Outgoing outgoing;
        outgoing.target = route->upstream.target(path, request.query);
        outgoing.headers = upstream_headers(request, *route, trusted_proxies_, nullptr);
        outgoing.request = std::move(request);
        outgoing.routes = routes_;
        outgoing.route = route;
        pass_by(std::move(outgoing), pools_, std::move(respond));
    }

    std::vector<IpRange> trusted_proxies_;
    std::shared_ptr<const RouteTable> routes_;
    std::shared_ptr<net::IoThreads> io_;
    CallPools pools_;
    std::unique_ptr<net::Server> server_;  // last: its connections use all of the above
};

Gateway::Gateway(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Gateway::~Gateway() = default;

Result<std::unique_ptr<Gateway>> Gateway::start(const GatewayConfig& config,
                                                std::shared_ptr<net::IoThreads> io,
                                                Millis stop_grace) {
    SEMEL_TRY(routes, RouteTable::make(config.routes));
    auto impl = std::make_unique<Impl>(config, std::move(routes), std::move(io));
    SEMEL_CHECK(impl->start(config.listen, stop_grace));
    return std::unique_ptr<Gateway>(new Gateway(std::move(impl)));
}

std::uint16_t Gateway::port() const {
    return impl_->port();
}

void Gateway::stop() {
    impl_->stop();
}

}  // namespace semel::gateway
