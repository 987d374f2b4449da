#include "net/sockets.hpp"

#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

namespace semel::net {

namespace {

using boost::system::error_code;

error_code last_error() {
    return {errno, boost::system::system_category()};
}

template <typename Socket>
void assign(Socket& socket, const Tcp& protocol, int descriptor, error_code& failure) {
    socket.assign(protocol, descriptor, failure);
    if (failure) ::close(descriptor);
}

}  // namespace

template <typename Socket>
void open_socket(Socket& socket, const Tcp& protocol, error_code& failure) {
    const int descriptor =
        ::socket(protocol.family(), protocol.type() | SOCK_CLOEXEC, protocol.protocol());
    if (descriptor < 0) {
        failure = last_error();
        return;
    }
    assign(socket, protocol, descriptor, failure);
}

template void open_socket(Tcp::socket&, const Tcp&, error_code&);
template void open_socket(Tcp::acceptor&, const Tcp&, error_code&);

void accept_socket(Tcp::acceptor& acceptor, Tcp::socket& socket, error_code& failure) {
    const Tcp::endpoint endpoint = acceptor.local_endpoint(failure);
    if (failure) return;
    const int descriptor = ::accept4(acceptor.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) {
        failure = last_error();
        return;
    }
    assign(socket, endpoint.protocol(), descriptor, failure);
}

}  // namespace semel::net
