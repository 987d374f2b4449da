// ApiTest: a whole server on a socket, on the embedded store in a folder of its own. What a client
// sees is what the tests see.
//
// SEMEL_TEST_STORE=postgres or pgbouncer puts the same tests on PostgreSQL, and SEMEL_TEST_NODES=3
// on several servers of one database, between which every caller goes round.
// SEMEL_TEST_FENCES=redis keeps fences in Redis beside any of them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "api/api.hpp"
#include "api/metrics.hpp"
#include "core/json/json.hpp"
#include "net/client.hpp"
#include "net/server.hpp"
#include "runtime/host.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {

using Headers = std::vector<net::Header>;

inline constexpr std::chrono::seconds kPatience{30};

// An answer, with its JSON where it has any.
struct Answered {
    int status = 0;
    Headers headers;
    std::string body;
    std::shared_ptr<const json::Document> document;

    [[nodiscard]] const std::string* header(std::string_view name) const {
        return net::find_header(headers, name);
    }
    // By JSON pointer; empty, or 0, where there is no such value.
    [[nodiscard]] std::optional<json::Value> at(std::string_view pointer) const;
    [[nodiscard]] std::string text(std::string_view pointer) const;
    [[nodiscard]] std::int64_t integer(std::string_view pointer) const;
    [[nodiscard]] std::string raw(std::string_view pointer) const;
    [[nodiscard]] std::size_t size(std::string_view pointer) const;
    [[nodiscard]] std::string code() const { return text("/code"); }
};

// One connection to each server, with the headers that all its requests carry.
class Caller {
public:
    Caller(const net::Url& url, Headers headers, const net::ClientOptions& options = {})
        : Caller(std::vector{url}, std::move(headers), options) {}
    // The next request goes to the next server.
    Caller(const std::vector<net::Url>& urls, Headers headers,
           const net::ClientOptions& options = {});

    Answered send(std::string_view method, std::string_view target, std::string_view body = {},
                  Headers headers = {});
    Answered get(std::string_view target, Headers headers = {}) {
        return send("GET", target, {}, std::move(headers));
    }
    // With Content-Type: application/json.
    Answered post(std::string_view target, std::string_view body, Headers headers = {});

private:
    Answered send_to(net::Client& client, std::string_view method, std::string_view target,
                     std::string_view body, const Headers& headers) const;
    // Returns when every server knows of a change to the API tokens.
    void wait_for_tokens(std::string_view method, std::string_view target, const Answered& answer);

    std::vector<std::unique_ptr<net::Client>> clients_;
    std::size_t next_ = 0;
    Headers headers_;
};

struct ServerSetup {
    std::optional<net::Tls> tls = {};
    std::vector<std::string> hosts = {};
    int threads = 2;
    std::string cron_secret = {};
    std::string fences = {};        // URL of the Redis that has them; empty: as the program is told
    std::string handler_type = {};  // handled here: the payload "bad" fails, others complete
};

class TestServer {
public:
    explicit TestServer(const std::string& store, ServerSetup setup = {});
    ~TestServer();
    TestServer(const TestServer&) = delete;
    TestServer& operator=(const TestServer&) = delete;

    [[nodiscard]] net::Url url() const;
    [[nodiscard]] Api& api() { return *api_; }
    [[nodiscard]] Host& host() { return *host_; }

    [[nodiscard]] bool knows_worker(const std::string& tenant, const std::string& type);
    // Blocks until a worker is known to wait for this type.
    void wait_for_worker(const std::string& tenant, const std::string& type);

private:
    Metrics metrics_;
    std::unique_ptr<Host> host_;
    std::unique_ptr<Api> api_;
    std::unique_ptr<net::Server> server_;
    bool is_tls_;
};

// The servers of one test: one, or as many as SEMEL_TEST_NODES says, on one store.
class TestServers {
public:
    explicit TestServers(const std::string& store);

    [[nodiscard]] std::vector<net::Url> urls() const;
    [[nodiscard]] Api& api() { return servers_.front()->api(); }
    [[nodiscard]] Host& host() { return servers_.front()->host(); }
    // Blocks until each of them knows that a worker waits for this type.
    void wait_for_worker(const std::string& tenant, const std::string& type);

private:
    std::vector<std::unique_ptr<TestServer>> servers_;
};

class ApiTest : public testing::Test {
protected:
    ApiTest() : server_(folder_.file("semel.db")), client_(caller()) {}

    [[nodiscard]] Caller caller(Headers headers = {}) {
        return {server_.urls(), std::move(headers)};
    }
    [[nodiscard]] Caller tenant_caller(const std::string& tenant) {
        return caller({{"Semel-Tenant", tenant}});
    }
    // A caller with a new token of these scopes, as a JSON array. The secret must never be seen in
    // a log: the program checks that at its end.
    [[nodiscard]] Caller token_caller(Caller& admin, const std::string& scopes,
                                      const std::string& tenant = "default");

    // The action's id; expects 201.
    std::string schedule(const std::string& body);
    // One job of this type; expects that there is one.
    Answered claim(const std::string& type, const std::string& more = {});

    TempFolder folder_;
    TestServers server_;
    Caller client_;
};

// What the servers of this program call their store: "sqlite" or "postgres".
[[nodiscard]] std::string store_kind();
// How many servers there are in a test of ApiTest.
[[nodiscard]] int node_count();

// A secret that no log may contain.
void remember_secret(const std::string& secret);

// {"token":N} with more members.
[[nodiscard]] std::string token_body(std::int64_t token, const std::string& more = {});

// As lists show them: by id. What several nodes make in one millisecond is not in the order of the
// calls.
std::vector<std::string> newest_first(std::vector<std::string> ids);

}  // namespace semel::test
