#include "net/connection.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "net/mailbox.hpp"
#include "net/response_writer.hpp"
#include "net/worker.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

// Room for one read of a head: most heads fit, and an idle connection holds no more than this.
constexpr std::size_t kHeadReadBytes = 2048;
// Room for one read of a body. It also bounds what a lying Content-Length makes us allocate.
constexpr std::size_t kBodyReadBytes = std::size_t{64} * 1024;
// TLS sends each buffer as a record of its own, so a body up to a record's size joins the head.
constexpr std::size_t kTlsJoinBytes = std::size_t{16} * 1024;

// Of a file that is an answer's body. Read on the io thread: as small as a disk's hiccup should be.
constexpr std::size_t kFilePieceBytes = std::size_t{256} * 1024;
// For a request that a handler could not answer any more.
constexpr std::string_view kStopping = "The server is stopping.";

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

bool is_loopback(const asio::ip::address& address) {
    if (address.is_loopback()) return true;
    return address.is_v6() && address.to_v6().is_v4_mapped() &&
           asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
}

std::string describe(const Tcp::endpoint& endpoint) {
    const std::string address = endpoint.address().to_string();
    const std::string port = std::to_string(endpoint.port());
    return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

}  // namespace

Connection::Connection(Worker& worker, Tcp::socket socket)
    : worker_(worker), stream_(std::move(socket), worker.state().tls.get()) {
    error_code ignored;
    const Tcp::endpoint endpoint = stream_.socket().remote_endpoint(ignored);
    peer_ = describe(endpoint);
    peer_is_loopback_ = is_loopback(endpoint.address());
    // Answers are written whole; waiting for more to send would only delay them.
    stream_.socket().set_option(Tcp::no_delay(true), ignored);
}

void Connection::start(bool is_over_limit) {
    if (worker_.state().stopping) return close();
    if (is_over_limit) {
        // Over TLS a refusal would cost a handshake, which is what there is no room for.
        if (stream_.is_tls()) return close();
        return refuse(503, "Too many connections.");
    }
    if (!stream_.is_tls()) return begin_request();
    phase_ = Phase::handshake;
    set_deadline(worker_.state().options.limits.header_timeout);
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = shared_from_this()](const error_code& failure) {
                                if (self->phase_ != Phase::handshake) return;
                                if (failure) return self->close();
                                self->begin_request();
                            });
}

bool Connection::awaits_request() const {
    switch (phase_) {
        case Phase::handshake:
        case Phase::head:
        case Phase::continuing:
        case Phase::body: return true;
        case Phase::handling:
        case Phase::writing:
        case Phase::lingering:
        case Phase::closed: return false;
    }
    return false;
}

void Connection::on_deadline() {
    switch (phase_) {
        case Phase::head:
            if (!head_has_begun_) return close();
            return refuse(408, "The head took too long to arrive.");
        case Phase::body: return refuse(408, "The body took too long to arrive.");
        case Phase::handshake:
        case Phase::continuing:
        case Phase::handling:
        case Phase::writing:
        case Phase::lingering: return close();
        case Phase::closed: return;
    }
}

void Connection::close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    deadline_ = Clock::time_point::max();
    error_code ignored;
    stream_.socket().close(ignored);
    file_.reset();
    worker_.forget(*this);
}

void Connection::begin_request() {
    phase_ = Phase::head;
    scanner_ = HeadScanner();
    head_has_begun_ = false;
    is_head_request_ = false;
    continue_head();
}

void Connection::continue_head() {
    const Limits& limits = worker_.state().options.limits;
    const std::string_view bytes = input_.unread().substr(0, limits.head_bytes_max);
    const HeadScanner::Step step = scanner_.scan(bytes);
    if (const auto* refusal = std::get_if<Refusal>(&step)) {
        return refuse(refusal->status, refusal->detail);
    }
    if (const auto* complete = std::get_if<HeadScanner::Complete>(&step)) {
        auto head = parse_head(bytes.substr(0, complete->size), limits.headers_max);
        if (const auto* refusal = std::get_if<Refusal>(&head)) {
            return refuse(refusal->status, refusal->detail);
        }
        input_.consume(complete->size);
        return accept_head(std::move(std::get<Head>(head)));
    }
    if (bytes.size() == limits.head_bytes_max) {
        return refuse(431, "The request line and the headers are too large.");
    }
    if (input_.empty()) {
        set_deadline(limits.idle_timeout);
    } else if (!head_has_begun_) {
        head_has_begun_ = true;
        set_deadline(limits.header_timeout);
    }
    read_head();
}

void Connection::read_head() {
    if (worker_.state().stopping) return close();
    if (is_watching_) return;        // what began beside the handler reads on
    if (has_ended_) return close();  // to read again would wait for ever: the end is told once
    const ReadBuffer::Space space = input_.prepare(kHeadReadBytes);
    stream_.async_read_some(
        asio::buffer(space.data, space.size),
        [self = shared_from_this()](const error_code& failure, std::size_t count) {
            if (self->phase_ != Phase::head) return;
            if (failure) return self->close();
            self->input_.commit(count);
            self->continue_head();
        });
}

void Connection::accept_head(Head head) {
    request_.method = std::move(head.method);
    request_.path = std::move(head.path);
    request_.query = std::move(head.query);
    request_.headers = std::move(head.headers);
    request_.body.clear();
    request_.peer = peer_;
    request_.peer_is_loopback = peer_is_loopback_;
    request_.tls = stream_.is_tls();
    is_head_request_ = request_.method == "HEAD";
    closes_after_answer_ = !head.keep_alive;
    framing_ = head.framing;

    const ServerOptions& options = worker_.state().options;
    std::size_t limit = options.limits.body_bytes_max;
    try {
        if (options.body_limit) limit = options.body_limit(request_);
    } catch (...) {
        return refuse(500, "The body limit could not be found.");
    }
    if (framing_ == Framing::length && head.content_length > limit) {
        return refuse_body(limit);
    }
    body_size_ = static_cast<std::size_t>(head.content_length);
    if (framing_ == Framing::none || (framing_ == Framing::length && body_size_ == 0)) {
        return call_handler();
    }
    begin_body(limit, head.expects_continue);
}

void Connection::refuse_body(std::size_t limit) {
    refuse(413, fmt::format("The body is larger than the limit of {} bytes here: send several "
                            "requests, or keep large data elsewhere and send a reference to it.",
                            limit));
}

void Connection::begin_body(std::size_t limit, bool expects_continue) {
    phase_ = Phase::body;
    phase_began_ = Clock::now();
    body_bytes_ = 0;
    body_limit_ = limit;
    set_transfer_deadline(worker_.state().options.limits.body_timeout, 0);
    if (framing_ == Framing::chunked) chunks_ = ChunkDecoder(limit);
    // A client that has begun to send its body waits for nothing.
    if (expects_continue && input_.empty()) return send_continue();
    continue_body();
}

void Connection::send_continue() {
    phase_ = Phase::continuing;
    stream_.async_write_some(
        asio::buffer(kContinue),
        [self = shared_from_this()](const error_code& failure, std::size_t count) {
            if (self->phase_ != Phase::continuing) return;
            // The socket's send buffer is empty here; one that takes no 25 bytes is broken.
            if (failure || count != kContinue.size()) return self->close();
            self->phase_ = Phase::body;
            self->continue_body();
        });
}

void Connection::continue_body() {
    if (framing_ == Framing::chunked) {
        const auto [state, consumed] = chunks_.feed(input_.unread(), request_.body);
        input_.consume(consumed);
        body_bytes_ += consumed;
        if (const auto* refusal = std::get_if<Refusal>(&state)) {
            if (refusal->status == 413) return refuse_body(body_limit_);
            return refuse(refusal->status, refusal->detail);
        }
        if (std::holds_alternative<ChunkDecoder::Done>(state)) return call_handler();
        return read_chunks();
    }
    if (!input_.empty()) {
        const auto bytes = input_.unread().substr(0, body_size_ - body_bytes_);
        request_.body.append(bytes);
        body_bytes_ += bytes.size();
        input_.consume(bytes.size());
    }
    if (body_bytes_ == body_size_) return call_handler();
    read_body();
}

// Reads a body of known length into its place. The string grows as bytes arrive, not as promised.
void Connection::read_body() {
    if (worker_.state().stopping) return close();
    set_transfer_deadline(worker_.state().options.limits.body_timeout, body_bytes_);
    std::string& body = request_.body;
    if (body.size() == body_bytes_) {
        const std::size_t step = std::max(kBodyReadBytes, body.size());
        body.resize(body.size() + std::min(step, body_size_ - body_bytes_));
    }
    stream_.async_read_some(
        asio::buffer(body.data() + body_bytes_, body.size() - body_bytes_),
        [self = shared_from_this()](const error_code& failure, std::size_t count) {
            if (self->phase_ != Phase::body) return;
            if (failure) return self->close();
            self->body_bytes_ += count;
            if (self->body_bytes_ == self->body_size_) return self->call_handler();
            self->read_body();
        });
}

void Connection::read_chunks() {
    if (worker_.state().stopping) return close();
    set_transfer_deadline(worker_.state().options.limits.body_timeout, body_bytes_);
    const ReadBuffer::Space space = input_.prepare(kHeadReadBytes);
    stream_.async_read_some(
        asio::buffer(space.data, space.size),
        [self = shared_from_this()](const error_code& failure, std::size_t count) {
            if (self->phase_ != Phase::body) return;
            if (failure) return self->close();
            self->input_.commit(count);
            self->continue_body();
        });
}

void Connection::call_handler() {
    phase_ = Phase::handling;
    deadline_ = Clock::time_point::max();  // how long an answer may take is the handler's to say
    early_answer_.reset();
    gone_ = nullptr;
    request_.when_gone = [self = weak_from_this()](std::function<void()> gone) {
        if (const auto connection = self.lock()) {
            connection->gone_ = std::move(gone);
        }
    };
    ServerState& state = worker_.state();
    state.counters.requests.fetch_add(1, std::memory_order_relaxed);
    is_in_handler_ = true;
    try {
        auto exchange = std::make_shared<Exchange>(worker_.mailbox(), weak_from_this());
        state.handler(std::move(request_), [exchange = std::move(exchange)](Response response) {
            exchange->answer(std::move(response));
        });
    } catch (...) {
        // The exchange has answered 500 as it died, unless the handler answered or kept a copy.
        state.counters.handler_exceptions.fetch_add(1, std::memory_order_relaxed);
    }
    is_in_handler_ = false;
    if (phase_ != Phase::handling) return;
    if (early_answer_) {
        write(std::move(*early_answer_));
    } else if (gone_ && input_.empty()) {
        watch_for_end();
    }
}

// Reads beside the handler: whether the peer has ended its side only a read can tell, since with
// TLS that end is a record among others. What it sends instead belongs to the next request.
void Connection::watch_for_end() {
    is_watching_ = true;
    const ReadBuffer::Space space = input_.prepare(kHeadReadBytes);
    stream_.async_read_some(
        asio::buffer(space.data, space.size),
        [self = shared_from_this()](const error_code& failure, std::size_t count) {
            self->is_watching_ = false;
            self->has_ended_ = failure && failure != asio::error::operation_aborted;
            self->input_.commit(count);
            self->on_watched();
        });
}

// The watch may outlast the request that it was begun for.
void Connection::on_watched() {
    switch (phase_) {
        case Phase::handling:
            if (has_ended_ && gone_) std::exchange(gone_, nullptr)();
            return;
        case Phase::head: return has_ended_ ? close() : continue_head();
        case Phase::lingering: return has_ended_ ? close() : say_goodbye();
        case Phase::handshake:
        case Phase::continuing:
        case Phase::body:
        case Phase::writing:
        case Phase::closed: return;
    }
}

void Connection::answer(Response response) {
    if (phase_ != Phase::handling) return;
    if (is_in_handler_) {
        early_answer_ = std::move(response);
    } else {
        write(std::move(response));
    }
}

void Connection::refuse(int status, std::string_view detail) {
    ServerState& state = worker_.state();
    state.counters.bad_requests.fetch_add(1, std::memory_order_relaxed);
    closes_after_answer_ = true;
    phase_ = Phase::writing;
    // After a deadline a read is still under way; its handler sees that the phase has changed.
    error_code ignored;
    stream_.socket().cancel(ignored);
    write(state.render_error(status, detail));
}

void Connection::write(Response response) {
    ServerState& state = worker_.state();
    if (!is_writable(response)) {
        response = state.stopping
                       ? state.render_error(503, kStopping)
                       : state.render_error(500, "The request's handler gave no usable answer.");
    }
    phase_ = Phase::writing;
    phase_began_ = Clock::now();
    set_transfer_deadline(state.options.limits.write_timeout, 0);
    closes_after_answer_ |= state.stopping || asks_to_close(response);
    write_head(response, !closes_after_answer_, worker_.date(), output_head_);
    output_body_.clear();
    file_.reset();
    if (may_have_body(response.status) && !is_head_request_) {
        file_ = std::move(response.file);
        file_offset_ = 0;
        if (stream_.is_tls() && response.body.size() <= kTlsJoinBytes) {
            output_head_.append(response.body);
        } else {
            output_body_ = std::move(response.body);
        }
    }
    written_ = 0;
    answered_ = 0;
    write_more();
}

void Connection::write_more() {
    const std::array<asio::const_buffer, 2> buffers = {
        asio::buffer(output_head_) + written_,
        asio::buffer(output_body_) +
            (std::max(written_, output_head_.size()) - output_head_.size())};
    stream_.async_write_some(
        buffers, [self = shared_from_this()](const error_code& failure, std::size_t count) {
            if (self->phase_ != Phase::writing) return;
            if (failure) return self->close();
            self->on_written(count);
        });
}

void Connection::on_written(std::size_t count) {
    written_ += count;
    answered_ += count;
    set_transfer_deadline(worker_.state().options.limits.write_timeout, answered_);
    if (written_ < output_head_.size() + output_body_.size()) return write_more();
    if (file_ && file_offset_ < file_->size()) return write_next_piece();
    file_.reset();
    SEMEL_CRASH_POINT(response_written);
    output_body_ = std::string();
    if (closes_after_answer_) return linger();
    begin_request();
}

void Connection::write_next_piece() {
    const std::uint64_t left = file_->size() - file_offset_;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kFilePieceBytes, left));
    auto piece = file_->read(file_offset_, size);
    if (!piece || piece->size() != size) return close();  // the peer sees that it is too short
    file_offset_ += size;
    output_head_.clear();
    output_body_ = *std::move(piece);
    written_ = 0;
    write_more();
}

// Closing a socket with unread input makes the kernel reset the connection, and the peer may lose
// our last answer. So we say that we are done, and read until the peer says so too.
void Connection::linger() {
    phase_ = Phase::lingering;
    set_deadline(worker_.state().options.limits.linger_timeout);
    if (has_ended_) return close();
    if (!is_watching_) return say_goodbye();
    error_code ignored;
    stream_.socket().cancel(ignored);  // its handler goes on from here
}

void Connection::say_goodbye() {
    if (!stream_.is_tls()) return discard_input();
    stream_.async_close_notify([self = shared_from_this()](const error_code&) {
        if (self->phase_ == Phase::lingering) self->discard_input();
    });
}

void Connection::discard_input() {
    error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    input_.consume(input_.size());
    const ReadBuffer::Space space = input_.prepare(kHeadReadBytes);
    stream_.socket().async_read_some(
        asio::buffer(space.data, space.size),
        [self = shared_from_this()](const error_code& failure, std::size_t) {
            if (self->phase_ != Phase::lingering) return;
            if (failure) return self->close();
            self->discard_input();
        });
}

void Connection::set_transfer_deadline(std::chrono::milliseconds timeout, std::size_t moved) {
    const std::size_t rate =
        std::max<std::size_t>(worker_.state().options.limits.bytes_per_second_min, 1);
    const std::chrono::milliseconds earned(moved * 1000 / rate);
    // The second bound: what the kernel's buffers swallow at once must not earn a long silence.
    deadline_ = std::min(phase_began_ + timeout + earned, Clock::now() + timeout);
}

}  // namespace semel::net
