// Stream: a TCP connection with or without TLS, behind one interface, so that its users are written
// once. A thin layer over Asio, with Asio's rules for errors, threads, buffers and handlers.
#pragma once

#include <memory>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace semel::net {

using Tcp = boost::asio::ip::tcp;

class Stream {
public:
    using TlsStream = boost::asio::ssl::stream<Tcp::socket&>;

    // `tls` is nullptr for plain TCP and must outlive the stream.
    Stream(Tcp::socket socket, boost::asio::ssl::context* tls) : socket_(std::move(socket)) {
        if (tls != nullptr) tls_ = std::make_unique<TlsStream>(socket_, *tls);
    }
    // Not movable: the TLS stream refers to `socket_`.
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() = default;

    [[nodiscard]] bool is_tls() const { return tls_ != nullptr; }
    [[nodiscard]] Tcp::socket& socket() { return socket_; }

    // REQUIRES (all three): is_tls().
    [[nodiscard]] TlsStream& tls() { return *tls_; }
    template <typename Handler>
    void async_handshake(boost::asio::ssl::stream_base::handshake_type side, Handler&& handler) {
        tls_->async_handshake(side, std::forward<Handler>(handler));
    }
    template <typename Handler>
    void async_close_notify(Handler&& handler) {
        tls_->async_shutdown(std::forward<Handler>(handler));
    }

    template <typename Buffers, typename Handler>
    void async_read_some(const Buffers& buffers, Handler&& handler) {
        if (tls_) {
            tls_->async_read_some(buffers, std::forward<Handler>(handler));
        } else {
            socket_.async_read_some(buffers, std::forward<Handler>(handler));
        }
    }
    template <typename Buffers, typename Handler>
    void async_write_some(const Buffers& buffers, Handler&& handler) {
        if (tls_) {
            tls_->async_write_some(buffers, std::forward<Handler>(handler));
        } else {
            socket_.async_write_some(buffers, std::forward<Handler>(handler));
        }
    }

private:
    Tcp::socket socket_;
    std::unique_ptr<TlsStream> tls_;
};

}  // namespace semel::net
