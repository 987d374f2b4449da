#include "support/reply_thief.hpp"

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/assert.hpp"

namespace semel::test {
namespace {

sockaddr_in address_of(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

UniqueFd connect_to(int port) {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = address_of(port);
    (void)connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    return fd;
}

// What has come; empty: the other end is gone.
std::string read_some(int fd) {
    std::array<char, 65536> bytes{};
    const ssize_t size = recv(fd, bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

void write_all(int fd, const std::string& bytes) {
    (void)!send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace

ReplyThief::ReplyThief(int server_port)
    : server_port_(server_port), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = address_of(0);
    socklen_t size = sizeof(address);
    SEMEL_ASSERT(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    SEMEL_ASSERT(listen(listener_.get(), SOMAXCONN) == 0);
    SEMEL_ASSERT(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

ReplyThief::~ReplyThief() {
    shutdown(listener_.get(), SHUT_RDWR);
    acceptor_.join();
    for (Link& link : links_) {
        shutdown(link.client.get(), SHUT_RDWR);
        link.thread.join();
    }
}

std::string ReplyThief::url(const std::string& server_url) const {
    const std::string from = ":" + std::to_string(server_port_) + "/";
    return std::string(server_url)
        .replace(server_url.find(from), from.size(), ":" + std::to_string(port_) + "/");
}

void ReplyThief::steal_reply_to(const std::string& word) {
    const std::lock_guard lock(mutex_);
    word_ = word;
    takes_request_ = false;
}

void ReplyThief::steal_request(const std::string& word) {
    const std::lock_guard lock(mutex_);
    word_ = word;
    takes_request_ = true;
}

void ReplyThief::accept_all() {
    while (true) {
        UniqueFd client(accept(listener_.get(), nullptr, nullptr));
        if (client.get() < 0) {
            return;
        }
        const std::lock_guard lock(mutex_);
        Link& link = links_.emplace_back();
        link.client = std::move(client);
        link.server = connect_to(server_port_);
        link.thread = std::thread([this, &link] { pass(link); });
    }
}

bool ReplyThief::steals(const Link& link, const std::string& request) {
    bool takes_request = false;
    {
        const std::lock_guard lock(mutex_);
        if (word_.empty() || request.find(word_) == std::string::npos) {
            return false;
        }
        word_.clear();
        takes_request = takes_request_;
    }
    if (!takes_request) {
        write_all(link.server.get(), request);
        (void)read_some(link.server.get());  // it was done
    }
    ++stolen_;
    return true;
}

void ReplyThief::pass(Link& link) {
    while (true) {
        std::array<pollfd, 2> ends = {
            {{link.client.get(), POLLIN, 0}, {link.server.get(), POLLIN, 0}}};
        (void)poll(ends.data(), ends.size(), -1);
        const bool from_client = ends[0].revents != 0;
        const std::string bytes = read_some(from_client ? link.client.get() : link.server.get());
        if (bytes.empty() || (from_client && steals(link, bytes))) {
            break;
        }
        write_all(from_client ? link.server.get() : link.client.get(), bytes);
    }
    shutdown(link.client.get(), SHUT_RDWR);
    shutdown(link.server.get(), SHUT_RDWR);
}

}  // namespace semel::test
