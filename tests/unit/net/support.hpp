// What the tests of net share: a client that sends exactly the bytes it is told to, and servers
// whose requests the test itself answers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/server.hpp"

namespace semel::net::test {

// Far above what any step takes: it only turns a hang into a failure.
inline constexpr std::chrono::seconds kPatience{20};

// Looks at a condition until it holds; false after kPatience.
[[nodiscard]] bool eventually(const std::function<bool()>& condition);

// A plain TCP connection to 127.0.0.1.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, int receive_buffer_bytes = 0);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    RawClient(RawClient&& other) noexcept;
    // Takes over a connected socket, as that of a server.
    [[nodiscard]] static RawClient adopt(int socket) { return RawClient(Adopted{socket}); }
    RawClient& operator=(RawClient&&) = delete;

    // False if the server has closed.
    bool send(std::string_view bytes);
    void finish_sending();
    void close();
    // Closes with a reset instead of a polite end.
    void reset();

    // Everything until the server closes; nullopt if it does not within kPatience.
    [[nodiscard]] std::optional<std::string> read_to_end();
    // One response with a Content-Length; what was read beyond it stays for the next call.
    // nullopt if the connection ends first.
    [[nodiscard]] std::optional<std::string> read_response();
    // Everything up to an empty line, with it; nullopt if the connection ends first.
    [[nodiscard]] std::optional<std::string> read_head();
    // Exactly so many bytes.
    [[nodiscard]] std::optional<std::string> read_bytes(std::size_t count);
    // Whether the connection ended in a reset, which may destroy an answer on its way.
    [[nodiscard]] bool was_reset() const { return was_reset_; }
    [[nodiscard]] int descriptor() const { return socket_; }

private:
    struct Adopted {
        int socket;
    };
    explicit RawClient(Adopted adopted);

    // False at the end of the stream, and after kPatience with `timed_out_` set.
    bool read_some();

    int socket_ = -1;
    std::string input_;
    bool timed_out_ = false;
    bool was_reset_ = false;
};

[[nodiscard]] int status_of(std::string_view response);
[[nodiscard]] std::string_view body_of(std::string_view response);
// How many responses these bytes hold. Every response of the server has one Date header.
[[nodiscard]] std::size_t count_responses(std::string_view bytes);

// A request in the test's hands.
struct Pending {
    Request request;
    Responder respond;
};

// Collects requests for the test to answer.
class Inbox {
public:
    [[nodiscard]] RequestHandler handler();
    // Waits for the next request; nullopt after kPatience.
    [[nodiscard]] std::optional<Pending> next();
    [[nodiscard]] std::size_t waiting();

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Pending> requests_;
};

// Starts a server or fails the test.
[[nodiscard]] std::unique_ptr<Server> start(ServerOptions options, RequestHandler handler);

// Answers "METHOD path?query\nbody" at once.
void echo(const Request& request, const Responder& respond);
[[nodiscard]] Response text(std::string body, int status = 200);

// A folder that goes with the test.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    [[nodiscard]] std::string path(const std::string& name) const { return (dir_ / name).string(); }

private:
    std::filesystem::path dir_;
};

}  // namespace semel::net::test
