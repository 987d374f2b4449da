#include "net/link.hpp"

#include <cerrno>
#include <utility>

#include <sys/socket.h>

namespace semel::net {

namespace {

// Enough for the head of most answers.
constexpr std::size_t kWatchBytes = 4096;

}  // namespace

void Link::watch() {
    if (is_open_ && !is_reading_) begin_read(kWatchBytes);
}

Link::Health Link::check() {
    if (!is_open_ || !input_.empty()) return Health::dead;
    char byte = 0;
    const ssize_t got =
        ::recv(stream_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Health::usable;
    return got > 0 && is_tls() ? Health::unsure : Health::dead;
}

void Link::read(std::size_t bytes, OnRead on_read) {
    on_read_ = std::move(on_read);
    if (!is_reading_) begin_read(bytes);
}

void Link::begin_read(std::size_t bytes) {
    is_reading_ = true;
    const ReadBuffer::Space space = input_.prepare(bytes);
    stream_->async_read_some(
        boost::asio::buffer(space.data, space.size),
        [self = shared_from_this()](const boost::system::error_code& failure, std::size_t count) {
            self->on_read(failure, count);
        });
}

void Link::on_read(const boost::system::error_code& failure, std::size_t count) {
    is_reading_ = false;
    if (!is_open_) return;
    input_.commit(count);
    if (const auto on_read = std::exchange(on_read_, nullptr)) return on_read(failure);
    const auto lost = std::exchange(on_lost_, nullptr);
    close();
    if (lost) lost();
}

void Link::write(const std::array<boost::asio::const_buffer, 2>& bytes, OnWritten on_written) {
    stream_->async_write_some(bytes,
                              [self = shared_from_this(), on_written = std::move(on_written)](
                                  const boost::system::error_code& failure, std::size_t count) {
                                  if (self->is_open_) on_written(failure, count);
                              });
}

void Link::close() {
    if (!std::exchange(is_open_, false)) return;
    boost::system::error_code ignored;
    stream_->socket().close(ignored);
    on_lost_ = nullptr;
    const auto dropped = std::exchange(on_read_, nullptr);  // may hold the last owner of this link
}

}  // namespace semel::net
