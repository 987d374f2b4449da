// Client: a blocking HTTP/1.1 client on one connection, with a timeout for each call. For the
// command line, tests and benchmarks.
//
// Errors: see class Client. An HTTP status is not an error.
// Threads: one at a time, except hang_up().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "net/http.hpp"

namespace semel::net {

// A URL of the form http://host[:port][/path][?query], or https, without user name or fragment.
struct Url {
    std::string scheme;  // "http" or "https"
    std::string host;    // without the brackets of an IPv6 address
    std::uint16_t port = 0;
    std::string path;   // raw; at least "/"
    std::string query;  // raw, without the '?'

    // Errors: `invalid`, with the reason.
    [[nodiscard]] static Result<Url> parse(std::string_view text);

    // Returns host and port as a Host header has them: IPv6 in brackets, no default port.
    [[nodiscard]] std::string authority() const;
    [[nodiscard]] bool is_tls() const { return scheme == "https"; }
};

struct ClientOptions {
    std::string ca_path;      // PEM to trust instead of the system's certificates
    bool verify_peer = true;  // false: any certificate is accepted
    std::size_t body_bytes_max = std::size_t{256} * 1024 * 1024;  // of send(), not of download()
};

// Receives a body piece by piece, with the size of the whole body if the answer has a
// Content-Length. An error ends the call and is its result.
using BodySink =
    std::function<Result<void>(std::string_view piece, std::optional<std::uint64_t> size)>;

// Keeps its connection alive between calls, and opens a new one if the server has closed it. It
// follows no redirects, and does not repeat a request that might have arrived.
//
// Errors:
//   invalid      HTTP does not allow a method, target or header, or a certificate file is bad
//   not_found    the host name has no address
//   unavailable  no connection, or it was lost
//   timeout      the deadline passed
//   io_error     the answer is not HTTP/1.1, or its body is above the limit
//   stopped      hang_up() was called
// Every call blocks.
class Client {
public:
    explicit Client(Url base, ClientOptions options = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&& other) noexcept;
    Client& operator=(Client&& other) noexcept;

    // Sends a request and returns the answer with its whole body. Adds Host and Content-Length.
    // `target` is the raw path and query, like "/v1/actions?limit=5"; the base's path is not
    // prefixed. The timeout covers the whole call, except the resolution of the host name, which
    // the system limits.
    [[nodiscard]] Result<Response> send(std::string_view method, std::string_view target,
                                        const std::vector<Header>& headers, std::string_view body,
                                        std::chrono::milliseconds timeout);

    // Sends a request without a body. `sink` receives the body of a 2xx, of any size, on this
    // thread; the returned body is then empty. The timeout covers the head, and then each piece.
    [[nodiscard]] Result<Response> download(std::string_view method, std::string_view target,
                                            const std::vector<Header>& headers,
                                            std::chrono::milliseconds timeout,
                                            const BodySink& sink);

    // Ends the client's side of the connection. A running call still receives the server's answer
    // within `patience`, otherwise `timeout`. Every later call returns `stopped`. Any thread, once.
    void hang_up(std::chrono::milliseconds patience);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::net
