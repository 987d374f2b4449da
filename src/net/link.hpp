// Link: one connection to another server, on which calls run one after another. While no call uses
// it, a read is pending, so that a close by the server or an unexpected byte closes it at once.
//
// Errors: `on_read` and `on_written` receive the error of the connection.
// Threads: the io thread.
// Lifetime: a pending read or write keeps it alive.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/buffer.hpp>

#include "net/read_buffer.hpp"
#include "net/stream.hpp"

namespace semel::net {

class Link : public std::enable_shared_from_this<Link> {
public:
    using OnRead = std::function<void(const boost::system::error_code&)>;
    using OnWritten = std::function<void(const boost::system::error_code&, std::size_t)>;

    // REQUIRES: `stream` is connected.
    explicit Link(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}

    // Begins to watch for a close by the server. A link that ends, or receives a byte, while no
    // call reads is closed.
    void watch();

    enum class Health {
        usable,
        unsure,  // TLS bytes have arrived which OpenSSL has not seen: perhaps a session ticket
        dead,
    };
    // Checks whether a request can be sent. REQUIRES: no call uses the link.
    [[nodiscard]] Health check();

    // Reads into input(), at least one byte, then calls `on_read`. REQUIRES: no `on_read` waits.
    void read(std::size_t bytes, OnRead on_read);
    // Writes some of the bytes. REQUIRES: no `on_written` waits; the bytes live until it is called
    // and until the link is destroyed.
    void write(const std::array<boost::asio::const_buffer, 2>& bytes, OnWritten on_written);
    // Closes the connection and drops the functions that wait. Idempotent.
    void close();

    [[nodiscard]] bool is_open() const { return is_open_; }
    [[nodiscard]] bool is_tls() const { return stream_->is_tls(); }
    [[nodiscard]] ReadBuffer& input() { return input_; }
    [[nodiscard]] Tcp::socket::executor_type executor() { return stream_->socket().get_executor(); }

    // Notes the end of a call, and how long the server keeps an idle connection by its Keep-Alive
    // header.
    void end_call(std::optional<std::chrono::seconds> kept_for) {
        idle_since_ = std::chrono::steady_clock::now();
        kept_for_ = kept_for;
    }
    // Returns when the last call ended, or when the connection was made.
    [[nodiscard]] std::chrono::steady_clock::time_point idle_since() const { return idle_since_; }
    [[nodiscard]] std::optional<std::chrono::seconds> kept_for() const { return kept_for_; }

    // Registers a function that is called, at most once, if the link closes while it is watched.
    void when_lost(std::function<void()> lost) { on_lost_ = std::move(lost); }

private:
    void begin_read(std::size_t bytes);
    void on_read(const boost::system::error_code& failure, std::size_t count);

    std::unique_ptr<Stream> stream_;
    ReadBuffer input_;
    OnRead on_read_;
    std::function<void()> on_lost_;
    std::chrono::steady_clock::time_point idle_since_ = std::chrono::steady_clock::now();
    std::optional<std::chrono::seconds> kept_for_;
    bool is_reading_ = false;
    bool is_open_ = true;
};

}  // namespace semel::net
