#include "http/fixture.hpp"

#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "core/json_pointer.hpp"
#include "runtime/open_store.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

std::mutex secrets_mutex;
std::vector<std::string> secrets;

// Everything that the program logs goes here, and is searched for secrets at the end.
class LogCapture final : public testing::Environment {
public:
    void SetUp() override {
        const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log_);
        spdlog::set_default_logger(std::make_shared<spdlog::logger>("semel", sink));
        spdlog::set_level(spdlog::level::trace);
        const auto decisions = std::make_shared<spdlog::logger>("semel.decisions", sink);
        decisions->set_pattern("%v");
        spdlog::register_logger(decisions);
    }
    void TearDown() override {
        spdlog::shutdown();
        const std::string log = log_.str();
        for (const std::string& secret : secrets) {
            EXPECT_EQ(log.find(secret), std::string::npos) << "a secret was logged";
        }
        if (!secrets.empty()) {
            EXPECT_NE(log.find(R"("event":"decision")"), std::string::npos)
                << "nothing was captured, so nothing was proved";
        }
    }

private:
    std::ostringstream log_;
};

// Where a test keeps its data: the file, or with SEMEL_TEST_STORE=postgres a database for it.
std::string store_for(const std::string& path) {
    if (store_kind() != "postgres") {
        return path;
    }
    static std::mutex mutex;
    static std::map<std::string, std::string> databases;
    const std::lock_guard lock(mutex);
    const auto [at, is_new] = databases.try_emplace(path);
    if (is_new) {
        at->second = PostgresServer::shared().make_database();
    }
    return at->second;
}

const testing::Environment* const kLogCapture = testing::AddGlobalTestEnvironment(new LogCapture);

}  // namespace

std::string store_kind() {
    const char* kind = std::getenv("SEMEL_TEST_STORE");
    return kind != nullptr ? kind : "sqlite";
}

void remember_secret(const std::string& secret) {
    const std::lock_guard lock(secrets_mutex);
    secrets.push_back(secret);
}

std::string token_body(std::int64_t token, const std::string& more) {
    return fmt::format(R"({{"token":{}{}{}}})", token, more.empty() ? "" : ",", more);
}

std::optional<json::Value> Answered::at(std::string_view pointer) const {
    return document ? json::resolve(document->root(), pointer) : std::nullopt;
}

std::string Answered::text(std::string_view pointer) const {
    const auto value = at(pointer);
    return value && value->is_string() ? std::string(value->as_string()) : "";
}

std::int64_t Answered::integer(std::string_view pointer) const {
    const auto value = at(pointer);
    return value ? value->as_int64().value_or(0) : 0;
}

std::string Answered::raw(std::string_view pointer) const {
    const auto value = at(pointer);
    return value ? std::string(value->raw()) : "";
}

std::size_t Answered::size(std::string_view pointer) const {
    const auto value = at(pointer);
    return value ? value->size() : 0;
}

Caller::Caller(net::Url url, Headers headers, net::ClientOptions options)
    : client_(std::move(url), std::move(options)), headers_(std::move(headers)) {}

Answered Caller::send(std::string_view method, std::string_view target, std::string_view body,
                      Headers headers) {
    headers.insert(headers.end(), headers_.begin(), headers_.end());
    auto response = client_.send(method, target, headers, body, kPatience);
    if (!response) {
        ADD_FAILURE() << method << " " << target << ": " << response.error().message();
        return {};
    }
    Answered answered;
    answered.status = response->status;
    answered.headers = std::move(response->headers);
    answered.body = std::move(response->body);
    if (auto parsed = json::Document::parse(answered.body)) {
        answered.document = std::make_shared<const json::Document>(std::move(parsed).value());
    }
    return answered;
}

Answered Caller::post(std::string_view target, std::string_view body, Headers headers) {
    headers.push_back({"Content-Type", "application/json"});
    return send("POST", target, body, std::move(headers));
}

TestServer::TestServer(const std::string& store, ServerSetup setup)
    : is_tls_(setup.tls.has_value()) {
    auto opened = open_store(store_for(store));
    SEMEL_ASSERT(opened.has_value());
    host_ = std::make_unique<Host>(std::move(*opened), NodeOptions{}, metrics_);
    if (!setup.handler_type.empty()) {
        host_->add_handler(setup.handler_type, {}, [](const TakenJob& job, const std::stop_token&) {
            return job.payload == R"("bad")" ? failed("refused by the handler") : done("1");
        });
    }
    ApiOptions options;
    options.version = "9.8.7";
    options.listen = "127.0.0.1:0";
    options.hosts = std::move(setup.hosts);
    options.tls = is_tls_;
    options.cron_secret = std::move(setup.cron_secret);
    api_ = std::make_unique<Api>(host_->node(), metrics_, std::move(options));
    SEMEL_ASSERT(api_->open().has_value());
    host_->start();
    net::ServerOptions server;
    server.tls = setup.tls;
    server.threads = setup.threads;
    server.body_limit = Api::body_limit;
    server.error_response = [this](int status, std::string_view detail) {
        return api_->refuse(status, detail);
    };
    auto started =
        net::Server::start(std::move(server), [this](net::Request request, net::Responder respond) {
            api_->handle(std::move(request), std::move(respond));
        });
    SEMEL_ASSERT(started.has_value());
    server_ = std::move(*started);
}

// The engine first: a long poll is answered when it stops.
TestServer::~TestServer() {
    host_->stop(Millis(0));
    server_->stop();
}

net::Url TestServer::url() const {
    return *net::Url::parse(
        fmt::format("{}://127.0.0.1:{}", is_tls_ ? "https" : "http", server_->port()));
}

void TestServer::wait_for_worker(const std::string& tenant, const std::string& type) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline) {
        std::promise<bool> known;
        host_->node().post([&] { known.set_value(host_->node().has_worker({tenant, type})); });
        if (known.get_future().get()) {
            return;
        }
        std::this_thread::yield();
    }
    ADD_FAILURE() << "no worker asked for " << type;
}

Caller ApiTest::token_caller(Caller& admin, const std::string& scopes, const std::string& tenant) {
    const Answered made =
        admin.post("/v1/tokens",
                   fmt::format(R"({{"name":"test","scopes":{},"tenant":"{}"}})", scopes, tenant));
    EXPECT_EQ(made.status, 201) << made.body;
    remember_secret(made.text("/secret"));
    return caller({{"Authorization", "Bearer " + made.text("/secret")}});
}

std::string ApiTest::schedule(const std::string& body) {
    const Answered answered = client_.post("/v1/actions", body);
    EXPECT_EQ(answered.status, 201) << answered.body;
    return answered.text("/id");
}

Answered ApiTest::claim(const std::string& type, const std::string& more) {
    Answered claimed = client_.post("/v1/jobs/claim", fmt::format(R"({{"types":["{}"]{}{}}})", type,
                                                                  more.empty() ? "" : ",", more));
    EXPECT_EQ(claimed.status, 200) << claimed.body;
    EXPECT_GE(claimed.size("/jobs"), 1U) << claimed.body;
    return claimed;
}

}  // namespace semel::test
