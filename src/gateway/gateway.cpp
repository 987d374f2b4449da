#include "gateway/gateway.hpp"

#include <limits>
#include <random>
#include <utility>
#include <variant>

#include "base/uuid.hpp"
#include "gateway/admission.hpp"
#include "gateway/answers.hpp"
#include "gateway/body_budget.hpp"
#include "gateway/call_pools.hpp"
#include "gateway/forwarded_headers.hpp"
#include "gateway/normal_path.hpp"
#include "gateway/pass_by.hpp"
#include "gateway/pass_run.hpp"
#include "gateway/route_table.hpp"
#include "gateway/upstream_call.hpp"
#include "net/server.hpp"

namespace semel::gateway {

namespace {

// Cookies and tokens of several systems are larger than the API's own heads.
constexpr std::size_t kHeadBytesMax = std::size_t{32} * 1024;

// Of a request that claims, unless its route says more.
constexpr std::size_t kClaimedBodyMax = std::size_t{1} << 20;

// Of all requests that claim, in this process.
constexpr std::size_t kHeldBodiesMax = std::size_t{256} << 20;

std::uint64_t random_bits() {
    thread_local std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

// Where a request goes.
struct Way {
    const Route* route = nullptr;
    std::string path;  // in normal form
};

}  // namespace

class Gateway::Impl {
public:
    Impl(const GatewayConfig& config, RouteTable routes, std::shared_ptr<net::IoThreads> io,
         Node& node)
        : trusted_proxies_(config.trusted_proxies),
          routes_(std::make_shared<const RouteTable>(std::move(routes))),
          io_(std::move(io)),
          node_(node),
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
        const GatewayRoute& settings = std::get<Way>(way).route->settings;
        if (may_claim(head, settings)) {
            return net::WholeBody{settings.max_body.value_or(kClaimedBodyMax)};
        }
        return net::StreamedBody{
            settings.max_body.value_or(std::numeric_limits<std::uint64_t>::max())};
    }

    void handle(net::Request request, net::Responder respond) {
        auto found = find_way(request);
        if (auto* refused = std::get_if<net::Response>(&found)) return respond(std::move(*refused));
        const Way& way = std::get<Way>(found);
        if (!may_claim(request, way.route->settings)) {
            return forward(std::move(request), way, std::move(respond));
        }
        auto read = read_admission(request, *way.route, way.path);
        if (auto* refused = std::get_if<net::Response>(&read)) return respond(std::move(*refused));
        auto& claims = std::get<RequestClaims>(read);
        if (claims.skips_guard) node_.observer().on_guard_skipped(way.route->settings.name);
        if (!claims.admission) return forward(std::move(request), way, std::move(respond));
        run_pass(std::move(request), way, *std::move(claims.admission), std::move(respond));
    }

    void forward(net::Request request, const Way& way, net::Responder respond) {
        Outgoing outgoing;
        outgoing.target = way.route->upstream.target(way.path, request.query);
        outgoing.headers = upstream_headers(request, *way.route, trusted_proxies_, nullptr);
        outgoing.request = std::move(request);
        outgoing.routes = routes_;
        outgoing.route = way.route;
        pass_by(std::move(outgoing), pools_, std::move(respond));
    }

    void run_pass(net::Request request, const Way& way, AdmitPass admission,
                  const net::Responder& respond) {
        auto held = bodies_.take(request.body.size());
        if (!held) return respond(overloaded());
        UpstreamRequest sent;
        sent.method = request.method;
        sent.target = way.route->upstream.target(way.path, request.query);
        sent.body = std::move(request.body);
        sent.routes = routes_;
        sent.route = way.route;
        net::IoThread& io = *request.io;
        const auto when_gone = std::exchange(request.when_gone, nullptr);
        PassOrder order;
        order.admission = std::move(admission);
        order.held = std::move(held);
        order.routes = routes_;
        order.route = way.route;
        const auto client = std::make_shared<const net::Request>(std::move(request));
        order.headers = [this, route = way.route, client](const PassHeaders& headers) {
            return upstream_headers(*client, *route, trusted_proxies_, &headers);
        };
        order.open_headers = [this, route = way.route, client] {
            return upstream_headers(*client, *route, trusted_proxies_, nullptr);
        };
        const auto run = std::make_shared<PassRun>(
            node_, std::move(order), make_upstream_call(std::move(sent), io, pools_, node_),
            respond);
        when_gone([&node = node_, weak = std::weak_ptr(run)] {
            node.post([weak] {
                if (const auto pass = weak.lock()) pass->on_client_gone();
            });
        });
        const bool is_posted =
            node_.post([this, run] { run->start(ids_.next(node_.store().now())); });
        if (!is_posted) respond(store_unavailable());
    }

    std::vector<IpRange> trusted_proxies_;
    std::shared_ptr<const RouteTable> routes_;
    std::shared_ptr<net::IoThreads> io_;
    Node& node_;
    UuidGenerator ids_{random_bits};  // on the executor
    BodyBudget bodies_{kHeldBodiesMax};
    CallPools pools_;
    std::unique_ptr<net::Server> server_;  // last: its connections use all of the above
};

Gateway::Gateway(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Gateway::~Gateway() = default;

Result<std::unique_ptr<Gateway>> Gateway::start(const GatewayConfig& config,
                                                std::shared_ptr<net::IoThreads> io, Node& node,
                                                Millis stop_grace) {
    SEMEL_TRY(routes, RouteTable::make(config.routes));
    auto impl = std::make_unique<Impl>(config, std::move(routes), std::move(io), node);
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
