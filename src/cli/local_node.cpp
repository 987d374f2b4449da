#include "cli/local_node.hpp"

#include <future>

#include "api/api.hpp"
#include "api/metrics.hpp"
#include "cli/serve/log.hpp"
#include "cli/version.hpp"
#include "runtime/host.hpp"

namespace semel::cli {

namespace {

constexpr const char* kHere = "127.0.0.1:7363";  // any name that the Host check knows

NodeOptions node_options() {
    NodeOptions options;
    options.name = "semel";
    options.concurrency = 1;  // it runs no handlers
    return options;
}

ApiOptions api_options() {
    ApiOptions options;
    options.version = kVersion;
    options.listen = kHere;
    options.is_trusted = true;
    return options;
}

}  // namespace

class LocalNode::Impl {
public:
    Impl(std::unique_ptr<Log> log, std::unique_ptr<Store> store)
        : log_(std::move(log)),
          host_(std::move(store), node_options(), metrics_),
          api_(host_.node(), metrics_, api_options()) {}
    ~Impl() { host_.stop(Millis(0)); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<void> open() {
        SEMEL_CHECK(api_.open());
        host_.start();
        return {};
    }

    Result<net::Response> answer(net::Request request, Millis timeout) {
        request.headers.push_back({"Host", kHere});
        request.peer = kHere;
        request.peer_is_loopback = true;
        // Shared, because the answer may come after we have stopped waiting for it.
        auto answered = std::make_shared<std::promise<net::Response>>();
        auto answer = answered->get_future();
        api_.handle(std::move(request), [answered](net::Response response) {
            answered->set_value(std::move(response));
        });
        if (answer.wait_for(timeout) != std::future_status::ready) {
            return Error(ErrorCode::timeout, "the store did not answer in time");
        }
        return answer.get();
    }

private:
    const std::unique_ptr<Log> log_;  // first: the others log
    Metrics metrics_;
    Host host_;
    Api api_;
};

LocalNode::LocalNode(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LocalNode::~LocalNode() = default;

Result<std::shared_ptr<LocalNode>> LocalNode::open(const std::string& store, IfMissing if_missing) {
    auto log = std::make_unique<Log>("warn", false);
    SEMEL_TRY(opened, open_store(store, if_missing));
    auto impl = std::make_unique<Impl>(std::move(log), std::move(opened));
    SEMEL_CHECK(impl->open());
    return std::shared_ptr<LocalNode>(new LocalNode(std::move(impl)));
}

Result<net::Response> LocalNode::answer(net::Request request, Millis timeout) {
    return impl_->answer(std::move(request), timeout);
}

}  // namespace semel::cli
