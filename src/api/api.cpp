#include "api/api.hpp"

#include <future>

#include <fmt/format.h>

#include "api/call.hpp"
#include "api/metrics.hpp"
#include "api/request_guard.hpp"
#include "api/resources.hpp"
#include "api/router.hpp"

namespace semel {
namespace {

constexpr std::string_view kUnmatched = "unmatched";

// Runs a read and blocks until its answer.
template <typename T, typename Ask>
Result<T> wait_for_read(Ask&& ask) {
    std::promise<Result<T>> answered;
    auto answer = answered.get_future();
    std::forward<Ask>(ask)([&answered](Result<T> read) { answered.set_value(std::move(read)); });
    return answer.get();
}

void refuse_unmatched(const net::Request& request, const Answer& answer) {
    const std::string allowed = allowed_methods(routes(), request.path);
    if (allowed.empty()) {
        answer.problem(not_found("there is nothing at this path; /openapi.yaml lists what is"));
        return;
    }
    const HttpProblem problem(
        invalid(fmt::format("this path has no {}; it has {}", request.method, allowed)), 405);
    net::Response response = problem_response(problem);
    response.headers.push_back({"Allow", allowed});
    answer.send(std::move(response));
}

}  // namespace

class Api::Impl {
public:
    Impl(Node& node, Metrics& metrics, ApiOptions options)
        : services_(std::make_shared<Services>(node, metrics, std::move(options))) {}

    Result<void> open() {
        Reads& reads = services_->node.store().reads();
        const std::uint64_t version = services_->tokens.version();
        auto tokens = wait_for_read<std::vector<ApiToken>>(
            [&reads](auto done) { reads.list_api_tokens(std::move(done)); });
        if (!tokens) {
            return tokens.error().prefixed("reading the API tokens");
        }
        const bool loaded = services_->tokens.load(std::move(*tokens), version);
        SEMEL_ASSERT(loaded);  // no other thread changes tokens yet
        // Other nodes make and delete tokens too.
        services_->node.on_poll([known = std::weak_ptr(services_)] {
            if (const auto services = known.lock()) poll_tokens(services);
        });
        return {};
    }

    [[nodiscard]] bool has_tokens() const { return !services_->tokens.empty(); }

    void handle(net::Request request, net::Responder respond) {
        Match match = find_route(routes(), request.method, request.path);
        const Answer answer(services_, std::move(respond),
                            match.route != nullptr ? match.route->pattern : kUnmatched,
                            match.route != nullptr ? match.route->repeat : Repeat::with_key);
        if (auto problem = check_host(request, services_->options)) {
            answer.problem(*problem);
        } else if (match.route == nullptr) {
            refuse_unmatched(request, answer);
        } else {
            admit(std::move(request), *match.route, std::move(match.value), answer);
        }
    }

private:
    void admit(net::Request request, const Route& route, std::string value, const Answer& answer) {
        const TokenRegistry& tokens =
            services_->options.is_trusted ? no_tokens_ : services_->tokens;
        auto found = authenticate(request, route.access, tokens, services_->options.is_loopback,
                                  services_->node.store().now());
        if (const auto* problem = std::get_if<Problem>(&found)) {
            answer.problem(*problem);
            return;
        }
        if (const auto problem = check_content(request, route)) {
            answer.problem(*problem);
            return;
        }
        const auto key = read_idempotency_key(request, route);
        if (const auto* problem = std::get_if<Problem>(&key)) {
            answer.problem(*problem);
            return;
        }
        Call call{.services = services_,
                  .request = std::move(request),
                  .value = std::move(value),
                  .caller = std::get<Caller>(std::move(found)),
                  .guard = {},
                  .answer = answer};
        if (const auto& text = std::get<0>(key)) {
            call.guard = make_guard(call.caller.tenant, call.caller.token_id, call.request.method,
                                    call.request.path, *text, call.request.body);
        }
        route.handler(std::move(call));
    }

    const TokenRegistry no_tokens_;
    std::shared_ptr<Services> services_;
};

net::Response not_serving(std::string_view detail) {
    net::Response response = problem_response(Problem{.code = ProblemCode::store_unavailable,
                                                      .detail = std::string(detail),
                                                      .retry_after = std::chrono::seconds(1)});
    add_common_headers(response);
    return response;
}

Api::Api(Node& node, Metrics& metrics, ApiOptions options)
    : impl_(std::make_unique<Impl>(node, metrics, std::move(options))) {}

Api::~Api() = default;

Result<void> Api::open() {
    return impl_->open();
}

bool Api::has_tokens() const {
    return impl_->has_tokens();
}

void Api::handle(net::Request request, net::Responder respond) {
    impl_->handle(std::move(request), std::move(respond));
}

std::size_t Api::body_limit(const net::Request& head) {
    const Match match = find_route(routes(), head.method, head.path);
    return match.route != nullptr ? match.route->body_bytes_max : kBodyBytesMax;
}

net::Response Api::refuse(int status, std::string_view detail) const {
    net::Response response =
        status == 500
            ? json_response(status, plain_problem_json(status, net::reason_phrase(status), detail))
            : problem_response(server_refusal(status, detail));
    add_common_headers(response);
    return response;
}

}  // namespace semel
