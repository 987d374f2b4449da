// Opens TCP sockets that child processes do not inherit: they are close-on-exec from the start,
// which Asio's own are not. A child with a copy would keep the port or the peer's connection open.
//
// Errors: in `failure`. Threads: that of the socket.
#pragma once

#include "net/stream.hpp"

namespace semel::net {

// Opens `socket`, a Tcp::socket or a Tcp::acceptor, for this protocol. On failure sets `failure`.
template <typename Socket>
void open_socket(Socket& socket, const Tcp& protocol, boost::system::error_code& failure);

// Accepts one waiting connection into `socket`. Sets `failure` to would_block if no connection
// waits, or to the system's error. REQUIRES: the acceptor is non-blocking.
void accept_socket(Tcp::acceptor& acceptor, Tcp::socket& socket,
                   boost::system::error_code& failure);

}  // namespace semel::net
