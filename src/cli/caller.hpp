// Caller: the API as commands see it, whether a server answers or a store in this process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "net/client.hpp"
#include "net/http.hpp"
#include "runtime/open_store.hpp"

namespace semel::cli {

struct ApiCall {
    std::string method = "GET";
    std::string target;  // path and query, escaped
    std::string body = {};
    std::vector<net::Header> headers = {};
    Millis timeout = std::chrono::seconds(30);
};

// For one thread but for hang_up(); see CallerFactory for more.
class Caller {
public:
    virtual ~Caller() = default;
    // An error: no answer came. It may have been acted upon all the same.
    [[nodiscard]] virtual Result<net::Response> call(const ApiCall& call) = 0;
    // The same, but the body of a 2xx goes to `sink`, piece by piece. The timeout is for the head
    // and then for each piece.
    [[nodiscard]] virtual Result<net::Response> download(const ApiCall& call,
                                                         const net::BodySink& sink) = 0;
    // From any thread: ends a call that waits. Its answer may come all the same, at once or not at
    // all; later calls are errors.
    virtual void hang_up() = 0;
};

struct ConnectionOptions {
    std::string url;     // --url, SEMEL_URL
    std::string token;   // --token, SEMEL_TOKEN: the secret, or where it stands
    std::string tenant;  // --tenant, SEMEL_TENANT
    std::string ca;      // --ca, SEMEL_CA
    std::string store;   // --store: opens it here instead
    IfMissing if_missing =
        IfMissing::refuse;  // of the store: only what writes a first row makes it
};

// Makes callers that speak to the same place, one for each thread. Opens the store when that is
// what the options say; it is closed with the last of its callers and copies.
class CallerFactory {
public:
    [[nodiscard]] static Result<CallerFactory> open(const ConnectionOptions& options);

    [[nodiscard]] std::unique_ptr<Caller> make() const { return make_(); }
    [[nodiscard]] const std::string& where() const { return where_; }

private:
    std::function<std::unique_ptr<Caller>()> make_;
    std::string where_;  // the URL, or the store's path
};

}  // namespace semel::cli
