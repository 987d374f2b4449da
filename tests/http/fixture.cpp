#include "http/fixture.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "core/json/json_pointer.hpp"
#include "runtime/open_store.hpp"
#include "support/pgbouncer.hpp"
#include "support/postgres_server.hpp"
#include "support/redis_server.hpp"

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

std::string variable(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : otherwise;
}

std::string test_store() {
    return variable("SEMEL_TEST_STORE", "sqlite");
}

// By the path that the store would have as a file; the server drops it after the test.
std::string database_of(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::string> urls;
    const std::lock_guard lock(mutex);
    const auto [at, is_new] = urls.try_emplace(path);
    if (is_new) {
        at->second = PostgresServer::shared().make_database();
    }
    return at->second;
}

// Where a test keeps its data: the file, or a database in its place.
std::string store_for(const std::string& path) {
    if (test_store() == "sqlite") {
        return path;
    }
    const std::string url = database_of(path);
    if (test_store() != "pgbouncer") {
        return url;
    }
    static const PgBouncer bouncer(PostgresServer::shared());
    return bouncer.url(url);
}

// The same for fences; null: they are in the store.
std::unique_ptr<Store> fences_for(const std::string& path, const std::string& url) {
    static std::mutex mutex;
    static std::map<std::string, std::string> urls;
    if (url.empty() && variable("SEMEL_TEST_FENCES", "main") != "redis") {
        return nullptr;
    }
    const std::lock_guard lock(mutex);
    if (url.empty() && urls[path].empty()) {
        urls[path] = RedisServer::shared().make_database();
    }
    auto opened = open_fence_store(url.empty() ? urls[path] : url);
    SEMEL_ASSERT(opened.has_value());
    return *std::move(opened);
}

// Each caller begins at another server.
std::size_t first_server() {
    static std::atomic<std::size_t> count = 0;
    return count++;
}

const testing::Environment* const kLogCapture = testing::AddGlobalTestEnvironment(new LogCapture);

}  // namespace

std::string store_kind() {
    return test_store() == "sqlite" ? "sqlite" : "postgres";
}

int node_count() {
    return std::stoi(variable("SEMEL_TEST_NODES", "1"));
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

Caller::Caller(const std::vector<net::Url>& urls, Headers headers,
               const net::ClientOptions& options)
    : next_(first_server()), headers_(std::move(headers)) {
    for (const net::Url& url : urls) {
        clients_.push_back(std::make_unique<net::Client>(url, options));
    }
}

Answered Caller::send(std::string_view method, std::string_view target, std::string_view body,
                      Headers headers) {
    headers.insert(headers.end(), headers_.begin(), headers_.end());
    Answered answered =
        send_to(*clients_[next_++ % clients_.size()], method, target, body, headers);
    if (clients_.size() > 1 && target.starts_with("/v1/tokens")) {
        wait_for_tokens(method, target, answered);
    }
    return answered;
}

void Caller::wait_for_tokens(std::string_view method, std::string_view target,
                             const Answered& answer) {
    const bool made = method == "POST" && answer.status == 201;
    const bool deleted = method == "DELETE" && answer.status == 204;
    if (!made && !deleted) {
        return;
    }
    const Headers headers =
        made ? Headers{{"Authorization", "Bearer " + answer.text("/secret")}} : headers_;
    const std::string id(target.substr(target.rfind('/') + 1));
    const auto knows = [&](net::Client& client) {
        const Answered seen = send_to(client, "GET", "/v1/tokens?limit=500", {}, headers);
        return made ? seen.status != 401 : seen.body.find(id) == std::string::npos;
    };
    // The promise is about a second; a busy machine gets more.
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (const auto& client : clients_) {
        while (!knows(*client)) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "a node did not hear of it";
        }
    }
}

Answered Caller::send_to(net::Client& client, std::string_view method, std::string_view target,
                         std::string_view body, const Headers& headers) const {
    auto response = client.send(method, target, headers, body, kPatience);
    if (!response) {
        ADD_FAILURE() << method << " " << target << ": " << response.error().message();
        return {};
    }
    Answered answered;
    answered.status = response->status;
    answered.headers = std::move(response->headers);
    answered.body = std::move(response->body);
    if (auto parsed = json::Document::parse(answered.body, json::kAnyNumbers)) {
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
    host_ = std::make_unique<Host>(std::move(*opened), NodeOptions{}, metrics_,
                                   fences_for(store, setup.fences));
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
    server.on_head = [](const net::Request& head) { return net::WholeBody{Api::body_limit(head)}; };
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

bool TestServer::knows_worker(const std::string& tenant, const std::string& type) {
    std::promise<bool> known;
    host_->node().post([&] { known.set_value(host_->node().has_worker({tenant, type})); });
    return known.get_future().get();
}

void TestServer::wait_for_worker(const std::string& tenant, const std::string& type) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline) {
        if (knows_worker(tenant, type)) {
            return;
        }
        std::this_thread::yield();
    }
    ADD_FAILURE() << "no worker asked for " << type;
}

TestServers::TestServers(const std::string& store) {
    for (int i = 0; i < node_count(); ++i) {
        servers_.push_back(std::make_unique<TestServer>(store));
    }
}

std::vector<net::Url> TestServers::urls() const {
    std::vector<net::Url> urls;
    for (const auto& server : servers_) urls.push_back(server->url());
    return urls;
}

void TestServers::wait_for_worker(const std::string& tenant, const std::string& type) {
    for (const auto& server : servers_) server->wait_for_worker(tenant, type);
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

std::vector<std::string> newest_first(std::vector<std::string> ids) {
    std::sort(ids.begin(), ids.end(), std::greater<>());
    return ids;
}

}  // namespace semel::test
