#include "net/connection.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "net/exchange.hpp"
#include "net/request_body.hpp"
#include "net/response_writer.hpp"
#include "net/worker.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

constexpr std::size_t kDiscardBytes = 2048;
// The answer to a request whose handler has answered nothing before the stop.
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

Error client_is_gone() {
    return {ErrorCode::unavailable, "the client has gone before the end of its body"};
}

}  // namespace

Connection::Connection(std::shared_ptr<Worker> worker, Tcp::socket socket)
    : worker_(std::move(worker)),
      stream_(std::move(socket), worker_->state().tls.get()),
      reader_(stream_, worker_->state().options.limits),
      writer_(stream_, worker_->state().options.limits) {
    error_code ignored;
    const Tcp::endpoint endpoint = stream_.socket().remote_endpoint(ignored);
    peer_ = describe(endpoint);
    peer_is_loopback_ = is_loopback(endpoint.address());
    // Answers are written whole, so Nagle's algorithm would only delay them.
    stream_.socket().set_option(Tcp::no_delay(true), ignored);
}

void Connection::start(bool is_over_limit) {
    reader_.set_owner(weak_from_this());
    writer_.set_owner(weak_from_this());
    if (worker_->state().stopping) return close();
    if (is_over_limit) {
        // Over TLS a refusal would cost a handshake, which is too expensive at this limit.
        if (stream_.is_tls()) return close();
        return refuse(503, "Too many connections.");
    }
    if (!stream_.is_tls()) return begin_request();
    phase_ = Phase::handshake;
    deadline_ = Clock::now() + worker_->state().options.limits.header_timeout;
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = shared_from_this()](const error_code& failure) {
                                if (self->phase_ != Phase::handshake) return;
                                if (failure) return self->close();
                                self->begin_request();
                            });
}

bool Connection::awaits_request() const {
    return phase_ == Phase::handshake || phase_ == Phase::head || phase_ == Phase::body;
}

Connection::Clock::time_point Connection::deadline() const {
    if (is_continuing_) return deadline_;
    switch (phase_) {
        case Phase::handshake:
        case Phase::lingering: return deadline_;
        case Phase::head:
        case Phase::body:
        case Phase::handling: return reader_.deadline();
        case Phase::writing: return std::min(reader_.deadline(), writer_.deadline());
        case Phase::closed: return Clock::time_point::max();
    }
    return Clock::time_point::max();
}

void Connection::on_deadline() {
    worker_->state().counters.deadlines_passed.fetch_add(1, std::memory_order_relaxed);
    if (is_continuing_) return close();
    switch (phase_) {
        case Phase::head:
            if (!reader_.has_head_begun()) return close();
            return refuse(408, "The head took too long to arrive.");
        case Phase::body:
        case Phase::handling: return refuse(408, "The body took too long to arrive.");
        case Phase::handshake:
        case Phase::writing:
        case Phase::lingering: return close();
        case Phase::closed: return;
    }
}

void Connection::close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    const auto self = shared_from_this();  // the calls below may drop the last other holder
    error_code ignored;
    stream_.socket().close(ignored);
    reader_.stop();
    writer_.abort();
    early_answer_.reset();
    fail_streamed_body(client_is_gone());
    worker_->forget(*this);
}

// ---- reading ------------------------------------------------------------------------------------

void Connection::begin_request() {
    phase_ = Phase::head;
    is_head_request_ = false;
    is_streamed_ = false;
    if (worker_->state().stopping) return close();
    reader_.read_head([this](std::variant<Head, Refusal, RequestReader::Ended> read) {
        if (auto* head = std::get_if<Head>(&read)) return accept_head(std::move(*head));
        if (const auto* refusal = std::get_if<Refusal>(&read)) {
            return refuse(refusal->status, refusal->detail);
        }
        close();
    });
}

void Connection::accept_head(Head head) {
    ++requests_;
    request_ = Request();
    request_.method = std::move(head.method);
    request_.path = std::move(head.path);
    request_.query = std::move(head.query);
    request_.headers = std::move(head.headers);
    request_.io = &worker_->io_thread();
    request_.peer = peer_;
    request_.peer_is_loopback = peer_is_loopback_;
    request_.tls = stream_.is_tls();
    request_.is_http_1_0 = head.is_http_1_0;
    is_head_request_ = request_.method == "HEAD";
    is_http_1_0_ = head.is_http_1_0;
    closes_after_answer_ = !head.keep_alive;
    expects_continue_ = head.expects_continue;

    HeadVerdict verdict = judge();
    if (phase_ != Phase::head) return;  // refused
    if (auto* answer = std::get_if<Response>(&verdict)) {
        reader_.begin_body(head, 0);
        return write(std::move(*answer));
    }
    const auto* streamed = std::get_if<StreamedBody>(&verdict);
    body_bytes_max_ =
        streamed != nullptr ? streamed->bytes_max : std::get<WholeBody>(verdict).bytes_max;
    if (head.framing == Framing::length && head.content_length > body_bytes_max_) {
        return refuse_body({413, {}});
    }
    reader_.begin_body(head, body_bytes_max_);
    if (reader_.is_body_over()) return call_handler();
    if (streamed == nullptr) {
        phase_ = Phase::body;
        return read_whole_body();
    }
    is_streamed_ = true;
    request_.source = std::make_shared<RequestBody>(
        weak_from_this(), requests_,
        head.framing == Framing::length ? std::optional(head.content_length) : std::nullopt);
    call_handler();
}

HeadVerdict Connection::judge() {
    const ServerOptions& options = worker_->state().options;
    try {
        if (options.on_head) return options.on_head(request_);
    } catch (...) {
        refuse(500, "The request's body could not be judged.");
    }
    return WholeBody{options.limits.body_bytes_max};
}

void Connection::refuse_body(const Refusal& refusal) {
    if (refusal.status != 413) return refuse(refusal.status, refusal.detail);
    refuse(413, fmt::format("The body is larger than the limit of {} bytes here: send several "
                            "requests, or keep large data elsewhere and send a reference to it.",
                            body_bytes_max_));
}

void Connection::read_whole_body() {
    if (worker_->state().stopping) return close();
    read_piece([this](std::variant<std::string_view, Refusal, RequestReader::Ended> read) {
        if (const auto* refusal = std::get_if<Refusal>(&read)) return refuse_body(*refusal);
        if (std::holds_alternative<RequestReader::Ended>(read)) return close();
        request_.body.append(std::get<std::string_view>(read));
        if (reader_.is_body_over()) return call_handler();
        read_whole_body();
    });
}

void Connection::read_piece(RequestReader::OnPiece on_piece) {
    // A client that has begun to send its body does not wait for 100 Continue.
    if (!std::exchange(expects_continue_, false) || reader_.has_input()) {
        return reader_.read_piece(std::move(on_piece));
    }
    send_continue([this, on_piece = std::move(on_piece)] { reader_.read_piece(on_piece); });
}

void Connection::send_continue(std::function<void()> sent) {
    is_continuing_ = true;
    deadline_ = Clock::now() + worker_->state().options.limits.body_timeout;
    stream_.async_write_some(asio::buffer(kContinue),
                             [self = shared_from_this(), sent = std::move(sent)](
                                 const error_code& failure, std::size_t count) {
                                 self->is_continuing_ = false;
                                 if (self->phase_ == Phase::closed) return;
                                 // The socket's send buffer is empty here. A connection that
                                 // does not take 25 bytes is broken.
                                 if (failure || count != kContinue.size()) return self->close();
                                 if (self->early_answer_)
                                     return self->write(*std::exchange(self->early_answer_, {}));
                                 sent();
                             });
}

void Connection::read_body(std::uint64_t request, BodySource::OnPiece on_piece) {
    const bool is_readable = phase_ == Phase::handling || phase_ == Phase::writing;
    if (request != requests_ || !is_readable || !is_streamed_) return on_piece(client_is_gone());
    on_piece_ = std::move(on_piece);
    read_piece([this](std::variant<std::string_view, Refusal, RequestReader::Ended> read) {
        if (const auto* piece = std::get_if<std::string_view>(&read)) {
            if (piece->empty()) watch_for_end();
            return std::exchange(on_piece_, nullptr)(*piece);
        }
        const auto* refusal = std::get_if<Refusal>(&read);
        if (refusal == nullptr || phase_ == Phase::writing) return close();
        refuse_body(*refusal);
    });
}

void Connection::abort_body(std::uint64_t request) {
    if (request != requests_ || !is_streamed_) return;
    is_streamed_ = false;
    if (std::exchange(on_piece_, nullptr)) reader_.stop();
}

void Connection::fail_streamed_body(const Error& error) {
    is_streamed_ = false;
    if (on_piece_) std::exchange(on_piece_, nullptr)(error);
}

// ---- handling -----------------------------------------------------------------------------------

void Connection::call_handler() {
    phase_ = Phase::handling;  // no deadline: the handler limits its own time
    early_answer_.reset();
    gone_ = nullptr;
    request_.when_gone = [self = weak_from_this()](std::function<void()> gone) {
        if (const auto connection = self.lock()) {
            connection->gone_ = std::move(gone);
        }
    };
    ServerState& state = worker_->state();
    state.counters.requests.fetch_add(1, std::memory_order_relaxed);
    is_in_handler_ = true;
    try {
        auto exchange =
            std::make_shared<Exchange>(worker_->io_thread().mailbox(), weak_from_this());
        state.handler(std::move(request_), [exchange = std::move(exchange)](Response response) {
            exchange->answer(std::move(response));
        });
    } catch (...) {
        // The Exchange has answered 500 in its destructor, unless the handler answered or kept a
        // copy.
        state.counters.handler_exceptions.fetch_add(1, std::memory_order_relaxed);
    }
    is_in_handler_ = false;
    if (phase_ != Phase::handling) return;
    if (early_answer_ && !is_continuing_) {
        write(*std::exchange(early_answer_, std::nullopt));
    } else {
        watch_for_end();
    }
}

// Only a read shows whether the client has ended its side, because with TLS that end is a record.
void Connection::watch_for_end() {
    const bool is_awaited = gone_ || phase_ == Phase::writing;
    if (!is_awaited || !reader_.is_body_over() || reader_.has_input()) return;
    reader_.watch([this] { on_client_ended(); });
}

void Connection::on_client_ended() {
    if (phase_ == Phase::handling && gone_) return std::exchange(gone_, nullptr)();
    // The client has ended its side, so no reader is left for the rest of a long answer.
    if (phase_ == Phase::writing && writer_.waits_for_source()) close();
}

void Connection::answer(Response response) {
    if (phase_ != Phase::handling) return;
    if (is_in_handler_ || is_continuing_) {
        early_answer_ = std::move(response);
    } else {
        write(std::move(response));
    }
}

// ---- writing ------------------------------------------------------------------------------------

void Connection::refuse(int status, std::string_view detail) {
    ServerState& state = worker_->state();
    state.counters.bad_requests.fetch_add(1, std::memory_order_relaxed);
    closes_after_answer_ = true;
    phase_ = Phase::writing;
    reader_.stop();
    gone_ = nullptr;
    fail_streamed_body(Error(ErrorCode::invalid, std::string(detail)));
    write(state.render_error(status, detail));
}

void Connection::write(Response response) {
    ServerState& state = worker_->state();
    if (!is_writable(response)) {
        response = state.stopping
                       ? state.render_error(503, kStopping)
                       : state.render_error(500, "The request's handler gave no usable answer.");
    }
    phase_ = Phase::writing;
    gone_ = nullptr;
    closes_after_answer_ |= state.stopping || asks_to_close(response) || !reader_.is_body_taken();
    const bool is_long = response.source != nullptr;
    writer_.send(std::move(response),
                 {.keeps_alive = !closes_after_answer_,
                  .is_for_head = is_head_request_,
                  .is_http_1_0 = is_http_1_0_},
                 worker_->io_thread().date(), [this](AnswerWriter::Sent sent) { on_sent(sent); });
    if (is_long && phase_ == Phase::writing) watch_for_end();
}

void Connection::on_sent(AnswerWriter::Sent sent) {
    if (sent == AnswerWriter::Sent::cut) return close();
    SEMEL_CRASH_POINT(response_written);
    fail_streamed_body(Error(ErrorCode::stopped, "the request was answered"));
    if (closes_after_answer_ || sent == AnswerWriter::Sent::whole_until_close) return linger();
    begin_request();
}

// Closing a socket with unread input makes the kernel reset the connection, and the peer can lose
// the last answer. So this ends the server's side first, and reads until the peer ends its side.
void Connection::linger() {
    phase_ = Phase::lingering;
    deadline_ = Clock::now() + worker_->state().options.limits.linger_timeout;
    if (reader_.has_ended()) return close();
    reader_.release([this] {
        if (phase_ != Phase::lingering) return;
        reader_.has_ended() ? close() : say_goodbye();
    });
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
    discarded_.resize(kDiscardBytes);
    stream_.socket().async_read_some(
        asio::buffer(discarded_),
        [self = shared_from_this()](const error_code& failure, std::size_t) {
            if (self->phase_ != Phase::lingering) return;
            if (failure) return self->close();
            self->discard_input();
        });
}

}  // namespace semel::net
