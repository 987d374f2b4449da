// An HTTP/1.1 server with strict framing and bounded everything. It knows nothing of what it
// serves: each request goes to one handler, each answer comes back through its responder.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "net/http.hpp"

namespace semel::net {

// Answers one request. Callable from any thread, also during the handler's call; the first call
// counts, later ones are ignored. Harmless once the client has gone or the server has stopped or
// been destroyed. If every copy dies without a call, the client gets a 500, or a 503 while
// stopping.
using Responder = std::function<void(Response)>;

// Called on an io thread, which serves many connections: it must not block. An exception that
// leaves it is answered with a 500.
using RequestHandler = std::function<void(Request, Responder)>;

struct Tls {
    std::string cert_path;  // PEM, the leaf first, then its chain
    std::string key_path;   // PEM, without a passphrase
};

// A deadline that passes closes the connection, after a 408 where a request had begun to arrive.
struct Limits {
    std::size_t head_bytes_max =
        std::size_t{8} * 1024;      // request line and headers with the last CRLFCRLF
    std::size_t headers_max = 100;  // header lines in one head
    std::size_t body_bytes_max =
        std::size_t{1024} * 1024;          // where ServerOptions::body_limit says nothing
    std::size_t connections_max = 10'000;  // the next one is answered 503 and closed

    std::chrono::milliseconds header_timeout{10'000};  // from a head's first byte to its last
    std::chrono::milliseconds body_timeout{30'000};    // for a body, see bytes_per_second_min
    std::chrono::milliseconds idle_timeout{75'000};    // between requests, and before the first
    std::chrono::milliseconds write_timeout{30'000};   // for an answer, see below
    std::chrono::milliseconds linger_timeout{1'000};   // for the peer to close after our last byte
    std::chrono::milliseconds stop_timeout{10'000};    // for requests in progress when stop() comes

    // A body or an answer fails when nothing moves for its timeout, and when it takes longer than
    // its timeout and this rate allow. So a large one needs no long timeout, and a peer that
    // trickles cannot hold a connection for ever.
    std::size_t bytes_per_second_min = std::size_t{64} * 1024;
};

struct ServerOptions {
    std::string address = "127.0.0.1";  // an address, "[::1]" or "::1", or a name like localhost
    std::uint16_t port = 0;             // 0: any free one, see Server::port()
    std::optional<Tls> tls;
    Limits limits;
    int threads = 1;  // io threads; a connection stays on one of them

    // The body limit of one request in bytes. Gets the head (its body is empty), on an io thread.
    std::function<std::size_t(const Request& head)> body_limit;

    // Renders what the server itself refuses: 400 (framing), 408, 413, 417, 431, 500, 503, 505.
    // Called on an io thread. Without one: text/plain with the detail.
    std::function<Response(int status, std::string_view detail)> error_response;
};

struct ConnectionStats {
    std::size_t open = 0;            // connections now
    std::uint64_t accepted = 0;      // connections since the start
    std::uint64_t refused = 0;       // connections over the limit
    std::uint64_t requests = 0;      // requests given to the handler
    std::uint64_t bad_requests = 0;  // requests that the server answered itself
    std::uint64_t handler_exceptions = 0;
    std::uint64_t deadlines_passed = 0;  // connections closed because a deadline passed
};

// Owns its listener, io threads and connections. start, stop and the destructor are for one
// controlling thread, never an io thread; port() and stats() may be called from any thread.
class Server {
public:
    // Listens before it returns. The error names the address or the file, and what is wrong.
    [[nodiscard]] static Result<std::unique_ptr<Server>> start(ServerOptions options,
                                                               RequestHandler handler);
    ~Server();  // stop()
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;

    // Stops accepting, closes connections that have no whole request, lets requests in progress be
    // answered within Limits::stop_timeout, then closes what is left and joins the threads.
    // Idempotent.
    void stop();

    [[nodiscard]] ConnectionStats stats() const;

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::net
