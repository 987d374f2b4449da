// A blocking HTTP/1.1 client for the command line, tests and benchmarks.
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

// http://host[:port][/path][?query], or https. No user name, no fragment.
struct Url {
    std::string scheme;  // "http" or "https"
    std::string host;    // without the brackets of an IPv6 address
    std::uint16_t port = 0;
    std::string path;   // raw; at least "/"
    std::string query;  // raw, without the '?'

    [[nodiscard]] static Result<Url> parse(std::string_view text);

    // As in a Host header: brackets around IPv6, no port where it is the scheme's own.
    [[nodiscard]] std::string authority() const;
    [[nodiscard]] bool is_tls() const { return scheme == "https"; }
};

struct ClientOptions {
    std::string ca_path;      // PEM to trust instead of the system's certificates
    bool verify_peer = true;  // false: TLS without knowing who answers
    std::size_t body_bytes_max = std::size_t{256} * 1024 * 1024;
};

// Takes a large body piece by piece, with the size of the whole where the server tells it. An error
// ends the call.
using BodySink =
    std::function<Result<void>(std::string_view piece, std::optional<std::uint64_t> size)>;

// One connection, kept alive between calls and opened again when it has died. Not thread-safe but
// for hang_up(): one client per thread. Never follows redirects and never repeats a request that
// may have arrived.
class Client {
public:
    explicit Client(Url base, ClientOptions options = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&& other) noexcept;
    Client& operator=(Client&& other) noexcept;

    // `target` is the raw path and query, "/v1/actions?limit=5"; the base's path is not prefixed.
    // Host and Content-Length are added here. The timeout covers the whole call but the look-up of
    // a host name, which the system bounds.
    [[nodiscard]] Result<Response> send(std::string_view method, std::string_view target,
                                        const std::vector<Header>& headers, std::string_view body,
                                        std::chrono::milliseconds timeout);

    // The same, but the body of a 2xx goes to `sink`, whatever its size, and the timeout is for the
    // head and then for each piece of the body.
    [[nodiscard]] Result<Response> download(std::string_view method, std::string_view target,
                                            const std::vector<Header>& headers,
                                            std::chrono::milliseconds timeout,
                                            const BodySink& sink);

    // From any thread, once: tells the server that nothing more will be asked. The call under way
    // gets the server's last answer if that comes within `patience`, else an error; every later
    // call is an error.
    void hang_up(std::chrono::milliseconds patience);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::net
