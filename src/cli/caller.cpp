#include "cli/caller.hpp"

#include <fmt/format.h>

#include "cli/local_node.hpp"
#include "cli/secrets.hpp"
#include "net/client.hpp"

namespace semel::cli {

namespace {

std::vector<net::Header> common_headers(const ConnectionOptions& options,
                                        const std::string& token) {
    std::vector<net::Header> headers = {{"User-Agent", "semel-cli"}};
    if (!token.empty()) {
        headers.push_back({"Authorization", "Bearer " + token});
    }
    if (!options.tenant.empty()) {
        headers.push_back({"Semel-Tenant", options.tenant});
    }
    return headers;
}

std::vector<net::Header> with(std::vector<net::Header> headers, const ApiCall& call) {
    headers.insert(headers.end(), call.headers.begin(), call.headers.end());
    if (!call.body.empty()) {
        headers.push_back({"Content-Type", "application/json"});
    }
    return headers;
}

class RemoteCaller final : public Caller {
public:
    RemoteCaller(net::Url url, net::ClientOptions options, std::vector<net::Header> headers)
        : client_(std::move(url), std::move(options)), headers_(std::move(headers)) {}

    Result<net::Response> call(const ApiCall& call) override {
        return client_.send(call.method, call.target, with(headers_, call), call.body,
                            call.timeout);
    }

private:
    net::Client client_;
    std::vector<net::Header> headers_;
};

class LocalCaller final : public Caller {
public:
    LocalCaller(std::shared_ptr<LocalNode> node, std::vector<net::Header> headers)
        : node_(std::move(node)), headers_(std::move(headers)) {}

    Result<net::Response> call(const ApiCall& call) override {
        net::Request request;
        request.method = call.method;
        const std::size_t mark = std::min(call.target.find('?'), call.target.size());
        request.path = call.target.substr(0, mark);
        request.query = call.target.substr(std::min(mark + 1, call.target.size()));
        request.headers = with(headers_, call);
        request.body = call.body;
        return node_->answer(std::move(request), call.timeout);
    }

private:
    std::shared_ptr<LocalNode> node_;
    std::vector<net::Header> headers_;
};

}  // namespace

Result<CallerFactory> CallerFactory::open(const ConnectionOptions& options) {
    CallerFactory factory;
    if (!options.store.empty()) {
        SEMEL_TRY(node, LocalNode::open(options.store));
        factory.where_ = options.store;
        factory.make_ = [node = std::move(node), headers = common_headers(options, "")] {
            return std::make_unique<LocalCaller>(node, headers);
        };
        return factory;
    }
    std::string token = options.token;
    if (is_secret_reference(token)) {
        SEMEL_TRY(secret, resolve_secret(token));
        token = std::move(secret);
    }
    SEMEL_TRY(url, net::Url::parse(options.url));
    net::ClientOptions client;
    client.ca_path = options.ca;
    factory.where_ = options.url;
    factory.make_ = [url = std::move(url), client, headers = common_headers(options, token)] {
        return std::make_unique<RemoteCaller>(url, client, headers);
    };
    return factory;
}

std::string escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_unreserved = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                                   (byte >= '0' && byte <= '9') || c == '-' || c == '.' ||
                                   c == '_' || c == '~';
        out += is_unreserved ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return out;
}

}  // namespace semel::cli
