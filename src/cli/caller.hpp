// Caller: sends requests to the API of a server or, with --store, of a node in this process.
// CallerFactory makes a Caller for each thread. Errors, threads and lifetime: see the classes.
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

// A request. Its timeout is that of net::Client.
struct ApiCall {
    std::string method = "GET";
    std::string target;  // path and query, percent-encoded
    std::string body = {};
    std::vector<net::Header> headers = {};
    Millis timeout = std::chrono::seconds(30);
};

// A connection to the API. Calls block.
//
// Threads: one, except hang_up(). CallerFactory makes a Caller for each thread.
class Caller {
public:
    virtual ~Caller() = default;
    // Sends a request and returns the answer, of any status.
    // Errors: no answer arrived. The request might have been executed, except after `invalid`.
    [[nodiscard]] virtual Result<net::Response> call(const ApiCall& call) = 0;
    // Sends a request, and gives the body of a 2xx to `sink`, piece by piece. The timeout covers
    // the head, and then each piece.
    [[nodiscard]] virtual Result<net::Response> download(const ApiCall& call,
                                                         const net::BodySink& sink) = 0;
    // Ends a waiting call: it returns its answer soon, or an error. Later calls return errors. Any
    // thread.
    virtual void hang_up() = 0;
};

struct ConnectionOptions {
    std::string url;     // --url, SEMEL_URL
    std::string token;   // --token, SEMEL_TOKEN: the secret or a reference to it
    std::string tenant;  // --tenant, SEMEL_TENANT
    std::string ca;      // --ca, SEMEL_CA
    std::string store;   // --store: a store to open in this process; empty: calls the server
    IfMissing if_missing =
        IfMissing::refuse;  // of the store; only commands that write a row create it
};

// Makes the callers of one server or store. Any thread may call make(). A store that open() opened
// is closed when the last copy of the factory and the last of its callers are destroyed.
class CallerFactory {
public:
    // Opens the store, or checks the options of a server without connecting. Errors: `invalid` if
    // an option is wrong, otherwise those of the store.
    [[nodiscard]] static Result<CallerFactory> open(const ConnectionOptions& options);

    [[nodiscard]] std::unique_ptr<Caller> make() const { return make_(); }
    [[nodiscard]] const std::string& where() const { return where_; }

private:
    std::function<std::unique_ptr<Caller>()> make_;
    std::string where_;  // the URL, or the store's path
};

}  // namespace semel::cli
