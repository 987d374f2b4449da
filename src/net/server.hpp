// Server: an HTTP/1.1 server with strict framing, in which every size and duration has a limit. One
// handler receives every request, and answers it through the request's Responder. Errors and
// threads: see the types below.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "net/http.hpp"

namespace semel::net {

class IoThreads;

// Answers one request. The first call counts, later ones are ignored. A call has no effect once the
// client has disconnected or the server is stopped or destroyed. If every copy is destroyed without
// a call, the client gets a 500, or a 503 while the server stops.
// Threads: any, also inside the handler's call.
using Responder = std::function<void(Response)>;

// Handles one request. Called on an io thread, which serves many connections: it must not block. If
// it throws, the client gets a 500.
using RequestHandler = std::function<void(Request, Responder)>;

// The server's TLS identity.
struct Tls {
    std::string cert_path;  // PEM, the leaf first, then its chain
    std::string key_path;   // PEM, without a passphrase
};

// A deadline that passes closes the connection, after a 408 if a request had begun to arrive.
struct Limits {
    std::size_t head_bytes_max =
        std::size_t{8} * 1024;      // request line and headers with the last CRLFCRLF
    std::size_t headers_max = 100;  // header lines in one head
    std::size_t body_bytes_max =
        std::size_t{1024} * 1024;          // used if ServerOptions::on_head is empty
    std::size_t connections_max = 10'000;  // the next one is answered 503 and closed

    std::chrono::milliseconds header_timeout{10'000};  // from a head's first byte to its last
    std::chrono::milliseconds body_timeout{30'000};    // for a body; see bytes_per_second_min
    std::chrono::milliseconds idle_timeout{75'000};    // between requests, and before the first
    std::chrono::milliseconds write_timeout{30'000};   // for an answer; see below
    std::chrono::milliseconds linger_timeout{1'000};   // for the peer to close after our last byte
    std::chrono::milliseconds stop_timeout{10'000};    // for requests that run during stop()

    // A body or an answer fails if no byte moves for its timeout. It also fails if it takes longer
    // than its timeout plus the time for its bytes at this rate. So a large body needs no long
    // timeout, and a slow peer cannot hold a connection without limit.
    std::size_t bytes_per_second_min = std::size_t{64} * 1024;
};

// How the server treats a request's body, decided by on_head from the request's head.
struct WholeBody {  // it is read before the handler is called
    std::size_t bytes_max = 0;
};
struct StreamedBody {  // the handler is called now, and reads Request::source
    std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max();
};
// A Response refuses the request: it is the answer, and the handler is not called.
using HeadVerdict = std::variant<WholeBody, StreamedBody, Response>;

struct ServerOptions {
    std::string address = "127.0.0.1";  // an address, "[::1]" or "::1", or a name like localhost
    std::uint16_t port = 0;             // 0: any free port, see Server::port()
    std::optional<Tls> tls;             // nullopt: plain HTTP
    Limits limits;
    // The io threads of its connections. A connection stays on one of them. If it is empty, the
    // server starts `threads` io threads.
    std::shared_ptr<IoThreads> io;
    int threads = 1;

    // Decides on a request before its body is read, on an io thread. Empty: WholeBody with
    // Limits::body_bytes_max.
    std::function<HeadVerdict(const Request& head)> on_head;

    // Renders the server's own refusals: 400 (framing), 408, 413, 417, 431, 500, 503, 505. Called
    // on an io thread. If empty or if it throws: text/plain with the detail.
    std::function<Response(int status, std::string_view detail)> error_response;
};

// Counts since the start, except `open`.
struct ConnectionStats {
    std::size_t open = 0;            // connections now
    std::uint64_t accepted = 0;      // connections since the start
    std::uint64_t refused = 0;       // connections over the limit
    std::uint64_t requests = 0;      // requests given to the handler
    std::uint64_t bad_requests = 0;  // requests that the server answered itself
    std::uint64_t handler_exceptions = 0;
    std::uint64_t deadlines_passed = 0;  // connections closed because a deadline passed
};

// Owns its listener and connections.
//
// Threads: one controlling thread, not an io thread, calls start(), stop() and the destructor. Any
// thread may call port() and stats().
class Server {
public:
    // Starts a server. When it returns, the port is open and requests are served.
    // Errors: an address, a certificate or a key cannot be used; the text names it and the reason.
    [[nodiscard]] static Result<std::unique_ptr<Server>> start(ServerOptions options,
                                                               RequestHandler handler);
    ~Server();  // stop()
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;

    // Stops accepting, and closes connections without a complete request. Requests in progress have
    // Limits::stop_timeout to be answered. Then it closes all connections and joins the threads.
    // Blocks. Idempotent.
    void stop();

    [[nodiscard]] ConnectionStats stats() const;

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::net
