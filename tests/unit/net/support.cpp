#include "unit/net/support.hpp"

#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace semel::net::test {

bool eventually(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::yield();
    }
    return true;
}

namespace {

// The tests decide which bytes arrive together.
void send_at_once(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

RawClient::RawClient(Adopted adopted) : socket_(adopted.socket) {
    send_at_once(socket_);
}

RawClient::RawClient(std::uint16_t port, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    send_at_once(socket_);
    if (receive_buffer_bytes > 0) {
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                     sizeof receive_buffer_bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int outcome =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    EXPECT_EQ(outcome, 0) << "connecting to port " << port;
}

RawClient::~RawClient() {
    close();
}

RawClient::RawClient(RawClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), input_(std::move(other.input_)) {}

bool RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void RawClient::finish_sending() {
    ::shutdown(socket_, SHUT_WR);
}

void RawClient::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void RawClient::reset() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
}

bool RawClient::read_some() {
    pollfd waiting{socket_, POLLIN, 0};
    const auto patience_ms = std::chrono::duration_cast<std::chrono::milliseconds>(kPatience);
    if (::poll(&waiting, 1, static_cast<int>(patience_ms.count())) != 1) {
        timed_out_ = true;
        return false;
    }
    std::array<char, 65536> bytes{};
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    was_reset_ = count < 0;
    if (count <= 0) return false;
    input_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

std::optional<std::string> RawClient::read_to_end() {
    while (read_some()) {
    }
    if (timed_out_) return std::nullopt;
    return std::exchange(input_, {});
}

std::optional<std::string> RawClient::read_response() {
    std::size_t end = std::string::npos;
    while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
        if (!read_some()) return std::nullopt;
    }
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    const std::size_t length = input_.find(kLength);
    const std::size_t body_size =
        length < end ? std::strtoull(input_.c_str() + length + kLength.size(), nullptr, 10) : 0;
    return read_bytes(end + 4 + body_size);
}

std::optional<std::string> RawClient::read_head() {
    constexpr std::string_view kEnd = "\r\n\r\n";
    std::size_t end = std::string::npos;
    while ((end = input_.find(kEnd)) == std::string::npos) {
        if (!read_some()) return std::nullopt;
    }
    return read_bytes(end + kEnd.size());
}

std::optional<std::string> RawClient::read_bytes(std::size_t count) {
    while (input_.size() < count) {
        if (!read_some()) return std::nullopt;
    }
    std::string out = input_.substr(0, count);
    input_.erase(0, count);
    return out;
}

int status_of(std::string_view response) {
    if (response.substr(0, 9) != "HTTP/1.1 ") return 0;
    return std::atoi(std::string(response.substr(9, 3)).c_str());
}

std::string_view body_of(std::string_view response) {
    const std::size_t end = response.find("\r\n\r\n");
    return end == std::string_view::npos ? std::string_view() : response.substr(end + 4);
}

std::size_t count_responses(std::string_view bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = bytes.find("\r\nDate: ", at)) != std::string_view::npos; ++at) {
        ++count;
    }
    return count;
}

RequestHandler Inbox::handler() {
    return [this](Request request, Responder respond) {
        const std::lock_guard lock(mutex_);
        requests_.push_back({std::move(request), std::move(respond)});
        arrived_.notify_all();
    };
}

std::optional<Pending> Inbox::next() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, kPatience, [this] { return !requests_.empty(); })) {
        return std::nullopt;
    }
    Pending pending = std::move(requests_.front());
    requests_.pop_front();
    return pending;
}

std::size_t Inbox::waiting() {
    const std::lock_guard lock(mutex_);
    return requests_.size();
}

std::unique_ptr<Server> start(ServerOptions options, RequestHandler handler) {
    auto server = Server::start(std::move(options), std::move(handler));
    if (!server) {
        ADD_FAILURE() << server.error().message();
        std::abort();
    }
    return std::move(server).value();
}

void echo(const Request& request, const Responder& respond) {
    std::string body = request.method + " " + request.path;
    if (!request.query.empty()) body += "?" + request.query;
    respond(text(body + "\n" + request.body));
}

Response text(std::string body, int status) {
    Response response;
    response.status = status;
    response.body = std::move(body);
    return response;
}

TempDir::TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "semel-net-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    dir_ = pattern;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
}

}  // namespace semel::net::test
