#include "unit/net/call_support.hpp"

#include <algorithm>
#include <utility>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace semel::net::test {

RawServer::RawServer(const std::string& address, std::uint16_t port, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer_bytes > 0) {
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                     sizeof receive_buffer_bytes);
    }
    const int on = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_port = htons(port);
    ::inet_pton(AF_INET, address.c_str(), &local.sin_addr);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&local), sizeof local), 0);
    EXPECT_EQ(::listen(socket_, 64), 0);
    socklen_t size = sizeof local;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&local), &size);
    port_ = ntohs(local.sin_port);
}

RawServer::~RawServer() {
    close();
}

void RawServer::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

Origin RawServer::origin() const {
    Origin origin;
    origin.host = "127.0.0.1";
    origin.port = port_;
    origin.idle_max = kPatience;
    return origin;
}

void RawServer::break_writes_of_clients() const {
    constexpr int kDescriptorsMax = 1024;
    for (int i = 0; i < kDescriptorsMax; ++i) {
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        const int outcome = ::getpeername(i, reinterpret_cast<sockaddr*>(&peer), &size);
        if (outcome == 0 && ntohs(peer.sin_port) == port_) ::shutdown(i, SHUT_WR);
    }
}

bool RawServer::is_called() const {
    pollfd waiting{socket_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
}

RawClient RawServer::accept() {
    const bool has_come = eventually([this] { return is_called(); });
    EXPECT_TRUE(has_come) << "no client connects";
    return RawClient::adopt(has_come ? ::accept(socket_, nullptr, nullptr) : -1);
}

CallListener Watched::listener() {
    CallListener out;
    out.on_head = [self = shared_from_this()](CallHead head) {
        {
            const std::lock_guard lock(self->mutex_);
            self->source = std::move(head.body);
            self->head_ = std::move(head);
            self->changed_.notify_all();
        }
        if (self->source && self->reads_body_) self->read_body();
    };
    out.on_end = [self = shared_from_this()](CallEnd end) {
        const std::lock_guard lock(self->mutex_);
        EXPECT_EQ(++self->ends_, 1);
        self->end_ = std::move(end);
        self->changed_.notify_all();
    };
    return out;
}

void Watched::read_body(bool once) {
    source->read([self = shared_from_this(), once](Result<std::string_view> piece) {
        {
            const std::lock_guard lock(self->mutex_);
            if (!piece) {
                self->body_error_ = piece.error().code();
            } else {
                self->largest_piece = std::max(self->largest_piece, piece->size());
                self->body_bytes += piece->size();
                if (self->keeps_body) self->body_.append(*piece);
            }
            self->changed_.notify_all();
        }
        if (piece && !piece->empty() && !once) self->read_body();
    });
}

bool Watched::wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, condition);
}

std::optional<CallEnd> Watched::wait_end() {
    (void)wait([this] { return end_.has_value(); });
    const std::lock_guard lock(mutex_);
    return end_;
}

std::optional<CallResult> Watched::wait_result() {
    const auto end = wait_end();
    return end ? std::optional(end->what) : std::nullopt;
}

bool Watched::wait_head() {
    return wait([this] { return head_ || end_; }) && head_;
}

bool Watched::wait_body_bytes(std::size_t bytes) {
    return wait([&] { return body_bytes >= bytes || end_; }) && body_bytes >= bytes;
}

int Watched::status() {
    const std::lock_guard lock(mutex_);
    return head_ ? head_->status : 0;
}

std::string Watched::body() {
    const std::lock_guard lock(mutex_);
    return body_;
}

std::optional<ErrorCode> Watched::body_error() {
    const std::lock_guard lock(mutex_);
    return body_error_;
}

Calls::Calls(DialOptions options)
    : pool_(std::make_unique<CallPool>(threads_.at(0), std::move(options))) {}

Calls::~Calls() {
    run([this] { pool_.reset(); });
    threads_.stop();
}

void Calls::run(const std::function<void()>& task) {
    std::atomic<bool> is_done{false};
    thread().post([&] {
        task();
        is_done = true;
        is_done.notify_all();
    });
    is_done.wait(false);
}

std::shared_ptr<Acquired> Calls::acquire(const Origin& origin, CallPool::Want want,
                                         std::chrono::milliseconds patience) {
    auto acquired = std::make_shared<Acquired>();
    run([&] {
        pool_->acquire(
            origin, CallPool::Clock::now() + patience,
            [acquired](Result<Reserved> result) {
                acquired->result = std::move(result);
                acquired->is_done = true;
            },
            want);
    });
    return acquired;
}

std::shared_ptr<Watched> Calls::send(const std::shared_ptr<Acquired>& acquired, CallRequest request,
                                     bool reads_body) {
    auto watched = std::make_shared<Watched>(reads_body);
    run([&] {
        watched->call = std::move(**acquired->result).send(std::move(request), watched->listener());
    });
    return watched;
}

std::shared_ptr<Watched> Calls::call(const Origin& origin, CallRequest request, bool reads_body) {
    const auto acquired = acquire(origin);
    EXPECT_TRUE(eventually([&] { return acquired->is_done.load(); }));
    if (!*acquired->result) {
        ADD_FAILURE() << acquired->result->error().message();
        std::abort();
    }
    return send(acquired, std::move(request), reads_body);
}

CallRequest request(std::string method, std::string body) {
    CallRequest out;
    out.method = std::move(method);
    out.target = "/a?b";
    out.headers = {{"Host", "test"}};
    out.body = std::move(body);
    out.head_by = CallPool::Clock::now() + kPatience;
    return out;
}

std::string answer_of(const std::string& body, const std::string& headers) {
    return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

std::optional<std::uint64_t> PatternSource::length() const {
    return tells_ ? std::optional(size_) : std::nullopt;
}

void PatternSource::read(OnPiece on_piece) {
    if (fails_at && given >= *fails_at) {
        return on_piece(Error(ErrorCode::io_error, "the test ends it"));
    }
    piece_.assign(std::min<std::uint64_t>(kPieceBytesMax, size_ - given), 'p');
    given += piece_.size();
    on_piece(std::string_view(piece_));
}

void FakeResolver::resolve(const std::string& host, IoThread& thread, Done done) {
    const auto found = hosts.find(host);
    Addresses addresses = Error(ErrorCode::not_found, "no host " + host);
    if (found != hosts.end()) addresses = found->second;
    thread.post([addresses, done = std::move(done)] { done(addresses); });
}

}  // namespace semel::net::test
