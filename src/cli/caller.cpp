#include "cli/caller.hpp"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "cli/local_node.hpp"
#include "config/files.hpp"
#include "config/secrets.hpp"
#include "store/postgres/postgres_url.hpp"

namespace semel::cli {

namespace {

constexpr std::size_t kCertificateBytesMax =
    16 * 1024 * 1024;  // a system's whole bundle is 300 KiB

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// The time for the server's last answer after hang_up(). Then the connection is closed.
constexpr Millis kLastAnswer{2000};

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
    Result<net::Response> download(const ApiCall& call, const net::BodySink& sink) override {
        return client_.download(call.method, call.target, with(headers_, call), call.timeout, sink);
    }
    void hang_up() override { client_.hang_up(kLastAnswer); }

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
        request.when_gone = [this](std::function<void()> gone) { tell_when_gone(std::move(gone)); };
        request.method = call.method;
        const std::size_t mark = std::min(call.target.find('?'), call.target.size());
        request.path = call.target.substr(0, mark);
        request.query = call.target.substr(std::min(mark + 1, call.target.size()));
        request.headers = with(headers_, call);
        request.body = call.body;
        {
            const std::lock_guard lock(mutex_);
            gone_ = nullptr;
            if (is_hung_up_) return Error(ErrorCode::stopped, "the call has been hung up");
        }
        return node_->answer(std::move(request), call.timeout);
    }
    Result<net::Response> download(const ApiCall& asked, const net::BodySink& sink) override {
        auto answered = call(asked);
        if (!answered || answered->status >= 300 || !answered->source) {
            return answered;
        }
        // Here only files are answers with a source, and their reads call back at once.
        net::BodySource& body = *answered->source;
        const auto length = body.length();
        for (bool is_last = false; !is_last;) {
            Result<void> passed;
            body.read([&](Result<std::string_view> piece) {
                is_last = !piece || piece->empty();
                passed = !piece ? piece.error() : is_last ? Result<void>() : sink(*piece, length);
            });
            SEMEL_CHECK(std::move(passed));
        }
        return answered;
    }
    void hang_up() override {
        const std::lock_guard lock(mutex_);
        is_hung_up_ = true;
        if (gone_) std::exchange(gone_, nullptr)();
    }

private:
    // hang_up() can run before the request registers its function.
    void tell_when_gone(std::function<void()> gone) {
        const std::lock_guard lock(mutex_);
        if (is_hung_up_) return gone();
        gone_ = std::move(gone);
    }

    std::shared_ptr<LocalNode> node_;
    std::vector<net::Header> headers_;
    std::mutex mutex_;
    // State below is guarded by mutex_.
    std::function<void()> gone_;
    bool is_hung_up_ = false;
};

// Errors of the options below are `invalid`, because the caller can correct them.
Result<std::string> token_of(const ConnectionOptions& options) {
    if (!is_secret_reference(options.token)) {
        return options.token;
    }
    auto secret = resolve_secret(options.token);
    if (!secret) {
        return Error(ErrorCode::invalid, "the API token: " + secret.error().message());
    }
    return secret;
}

Result<net::Url> server_at(const std::string& text) {
    SEMEL_TRY(url, net::Url::parse(text));
    if (url.path != "/" || !url.query.empty()) {
        return Error(ErrorCode::invalid, "URL \"" + text +
                                             "\": give the server alone, without a path, like "
                                             "http://127.0.0.1:7363");
    }
    return url;
}

Result<void> check_certificates(const std::string& path) {
    if (path.empty()) {
        return {};
    }
    const auto read = read_file(path, kCertificateBytesMax);
    return read ? Result<void>() : Error(ErrorCode::invalid, "--ca: " + read.error().message());
}

}  // namespace

Result<CallerFactory> CallerFactory::open(const ConnectionOptions& options) {
    CallerFactory factory;
    if (!options.store.empty()) {
        SEMEL_TRY(node, LocalNode::open(options.store, options.if_missing));
        factory.where_ = postgres::shown(options.store);
        factory.make_ = [node = std::move(node), headers = common_headers(options, "")] {
            return std::make_unique<LocalCaller>(node, headers);
        };
        return factory;
    }
    SEMEL_TRY(token, token_of(options));
    SEMEL_TRY(url, server_at(options.url));
    SEMEL_CHECK(check_certificates(options.ca));
    net::ClientOptions client;
    client.ca_path = options.ca;
    factory.where_ = options.url;
    factory.make_ = [url = std::move(url), client, headers = common_headers(options, token)] {
        return std::make_unique<RemoteCaller>(url, client, headers);
    };
    return factory;
}

}  // namespace semel::cli
