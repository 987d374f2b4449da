// TCP sockets that no child process inherits: close-on-exec from their first moment, which Asio's
// own are not. A child that kept one would keep its port or its peer.
#pragma once

#include "net/stream.hpp"

namespace semel::net {

// Opens `socket`, a Tcp::socket or a Tcp::acceptor, for this protocol.
template <typename Socket>
void open_socket(Socket& socket, const Tcp& protocol, boost::system::error_code& failure);

// One connection that waits at the acceptor, into `socket`. would_block where none waits.
// REQUIRES: the acceptor is non-blocking.
void accept_socket(Tcp::acceptor& acceptor, Tcp::socket& socket,
                   boost::system::error_code& failure);

}  // namespace semel::net
