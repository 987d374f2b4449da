// ApiTest: a whole server on a socket, on the embedded store in a folder of its own. What a client
// sees is what the tests see.
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
#include "core/json.hpp"
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

// One connection, with the headers that all its requests carry.
class Caller {
public:
    Caller(net::Url url, Headers headers, net::ClientOptions options = {});

    Answered send(std::string_view method, std::string_view target, std::string_view body = {},
                  Headers headers = {});
    Answered get(std::string_view target, Headers headers = {}) {
        return send("GET", target, {}, std::move(headers));
    }
    // With Content-Type: application/json.
    Answered post(std::string_view target, std::string_view body, Headers headers = {});

private:
    net::Client client_;
    Headers headers_;
};

struct ServerSetup {
    std::optional<net::Tls> tls = {};
    std::vector<std::string> hosts = {};
    int threads = 2;
    std::string cron_secret = {};
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

    // Blocks until a worker is known to wait for this type.
    void wait_for_worker(const std::string& tenant, const std::string& type);

private:
    Metrics metrics_;
    std::unique_ptr<Host> host_;
    std::unique_ptr<Api> api_;
    std::unique_ptr<net::Server> server_;
    bool is_tls_;
};

class ApiTest : public testing::Test {
protected:
    ApiTest() : server_(folder_.file("semel.db")), client_(caller()) {}

    [[nodiscard]] Caller caller(Headers headers = {}) {
        return {server_.url(), std::move(headers)};
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
    TestServer server_;
    Caller client_;
};

// Which store the servers of this program are on: SEMEL_TEST_STORE, or "sqlite".
[[nodiscard]] std::string store_kind();

// A secret that no log may contain.
void remember_secret(const std::string& secret);

// {"token":N} with more members.
[[nodiscard]] std::string token_body(std::int64_t token, const std::string& more = {});

}  // namespace semel::test
