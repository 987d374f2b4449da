#include "net/client.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

#include "net/chunks.hpp"
#include "net/client_tls.hpp"
#include "net/head.hpp"
#include "net/read_buffer.hpp"
#include "net/sockets.hpp"
#include "net/stream.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;

// The limit of a response's head. The user chose the server, so it guards against accidents, not
// attacks.
constexpr std::size_t kHeadBytesMax = std::size_t{64} * 1024;
constexpr std::size_t kReadBytes = std::size_t{16} * 1024;

bool has_body(const StatusHead& head, std::string_view method) {
    return method != "HEAD" && head.status != 204 && head.status != 304;
}

}  // namespace

class Client::Impl {
public:
    Impl(Url base, ClientOptions options) : base_(std::move(base)), options_(std::move(options)) {}

    Result<Response> send(std::string_view method, std::string_view target,
                          const std::vector<Header>& headers, std::string_view body,
                          std::chrono::milliseconds timeout, const BodySink* sink) {
        deadline_ = std::chrono::steady_clock::now() + timeout;
        piece_timeout_ = timeout;
        sink_ = sink;
        auto answered = exchange(method, target, headers, body);
        if (!answered) stream_.reset();
        return answered;
    }

    void hang_up(std::chrono::milliseconds patience) {
        is_hung_up_ = true;
        // Closes only this side: the answer can already be sent, and a server that holds a long
        // poll for this client then answers it.
        asio::post(io_, [this, patience] {
            deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + patience);
            error_code ignored;
            if (stream_) stream_->socket().shutdown(Tcp::socket::shutdown_send, ignored);
        });
    }

private:
    Result<Response> exchange(std::string_view method, std::string_view target,
                              const std::vector<Header>& headers, std::string_view body) {
        SEMEL_TRY(head, make_head(method, target, headers, body));
        if (!is_hung_up_ && !is_reusable()) SEMEL_CHECK(connect());
        if (is_hung_up_) return Error(ErrorCode::stopped, "the connection has been hung up");
        const std::array<asio::const_buffer, 2> buffers = {asio::buffer(head),
                                                           asio::buffer(body.data(), body.size())};
        std::size_t sent = 0;
        SEMEL_CHECK(await(
            "sending",
            [&](auto handler) {
                if (stream_->is_tls()) {
                    asio::async_write(stream_->tls(), buffers, std::move(handler));
                } else {
                    asio::async_write(stream_->socket(), buffers, std::move(handler));
                }
            },
            sent));
        return read_response(method);
    }

    [[nodiscard]] Result<std::string> make_head(std::string_view method, std::string_view target,
                                                const std::vector<Header>& headers,
                                                std::string_view body) const {
        std::string out;
        out.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: ");
        out.append(base_.authority()).append("\r\n");
        bool is_sound = is_token(method) && !target.empty() && target.front() == '/' &&
                        target.find(' ') == std::string_view::npos && is_field_value(target);
        for (const Header& header : headers) {
            is_sound = is_sound && is_token(header.name) && is_field_value(header.value);
            out.append(header.name).append(": ").append(header.value).append("\r\n");
        }
        if (!is_sound) {
            return Error(ErrorCode::invalid,
                         "a method, target or header cannot be sent: HTTP does not allow one of "
                         "its characters");
        }
        if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH") {
            out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
        }
        return out.append("\r\n");
    }

    // Returns false if bytes wait to be read on the kept connection: the peer has closed it.
    [[nodiscard]] bool is_reusable() {
        if (!stream_ || !input_.empty()) return false;
        char byte = 0;
        const ssize_t got =
            ::recv(stream_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }

    Result<void> connect() {
        input_ = ReadBuffer();
        stream_.reset();
        if (base_.is_tls() && !tls_) {
            SEMEL_TRY(context, make_client_context({options_.ca_path, {}, {}}));
            tls_ = std::move(context);
        }
        Tcp::resolver resolver(io_);
        error_code failure;
        const auto found = resolver.resolve(base_.host, std::to_string(base_.port), failure);
        if (failure) {
            return Error(ErrorCode::not_found, "host " + base_.host + ": " + failure.message());
        }
        stream_.emplace(Tcp::socket(io_), tls_.get());
        SEMEL_CHECK(connect_to_one_of(found));
        error_code no_matter;
        stream_->socket().set_option(Tcp::no_delay(true), no_matter);
        return base_.is_tls() ? handshake() : Result<void>();
    }

    // Connects to the first address that answers.
    Result<void> connect_to_one_of(const Tcp::resolver::results_type& found) {
        Result<void> connected = Error(ErrorCode::not_found, "host " + base_.host);
        for (const auto& entry : found) {
            error_code failure;
            stream_->socket().close(failure);
            open_socket(stream_->socket(), entry.endpoint().protocol(), failure);
            if (failure) return Error(ErrorCode::io_error, "a socket: " + failure.message());
            std::size_t ignored = 0;
            connected = await(
                "connecting to",
                [&](auto handler) {
                    stream_->socket().async_connect(
                        entry.endpoint(),
                        [handler](const error_code& outcome) mutable { handler(outcome, 0); });
                },
                ignored);
            if (connected || connected.error().code() == ErrorCode::timeout) break;
        }
        return connected;
    }

    Result<void> handshake() {
        expect_server(*stream_, base_.host, options_.verify_peer);
        std::size_t ignored = 0;
        return await(
            "TLS handshake with",
            [&](auto handler) {
                stream_->async_handshake(
                    ssl::stream_base::client,
                    [handler](const error_code& outcome) mutable { handler(outcome, 0); });
            },
            ignored);
    }

    Result<Response> read_response(std::string_view method) {
        for (;;) {
            SEMEL_TRY(head, read_head());
            if (head.status < 200) continue;  // 100 Continue and its like
            Response response;
            response.status = head.status;
            bool ends_by_itself = true;
            if (has_body(head, method)) {
                ends_by_itself = head.framing != Framing::none;
                const bool to_sink = sink_ != nullptr && head.status < 300;
                SEMEL_CHECK(to_sink ? pass_body_on(head) : read_body(head, response.body));
            }
            response.headers = std::move(head.headers);
            if (!head.keep_alive || !ends_by_itself) stream_.reset();
            return response;
        }
    }

    Result<StatusHead> read_head() {
        HeadScanner scanner;
        for (;;) {
            const auto step = scanner.scan(input_.unread());
            if (const auto* refusal = std::get_if<Refusal>(&step)) return bad(*refusal);
            if (const auto* complete = std::get_if<HeadScanner::Complete>(&step)) {
                auto head = parse_status_head(input_.unread().substr(0, complete->size));
                input_.consume(complete->size);
                if (const auto* refusal = std::get_if<Refusal>(&head)) return bad(*refusal);
                return std::move(std::get<StatusHead>(head));
            }
            if (input_.size() > kHeadBytesMax) return bad({502, "The head is too large."});
            SEMEL_CHECK(read_more());
        }
    }

    Result<void> read_body(const StatusHead& head, std::string& body) {
        ChunkDecoder chunks(options_.body_bytes_max);
        if (head.content_length > options_.body_bytes_max) return too_large();
        for (;;) {
            if (head.framing == Framing::chunked) {
                const auto [state, consumed] = chunks.feed(input_.unread(), body);
                input_.consume(consumed);
                if (const auto* refusal = std::get_if<Refusal>(&state)) return bad(*refusal);
                if (std::holds_alternative<ChunkDecoder::Done>(state)) return {};
            } else {
                std::string_view bytes = input_.unread();
                if (head.framing == Framing::length) {
                    bytes = bytes.substr(0, head.content_length - body.size());
                }
                body.append(bytes);
                input_.consume(bytes.size());
                if (body.size() > options_.body_bytes_max) return too_large();
                if (head.framing == Framing::length && body.size() == head.content_length) {
                    return {};
                }
            }
            auto more = read_more();
            if (!more && head.framing == Framing::none && is_at_end_) return {};
            SEMEL_CHECK(std::move(more));
        }
    }

    // Like read_body, but with one piece in memory at a time.
    Result<void> pass_body_on(const StatusHead& head) {
        ChunkDecoder chunks(std::numeric_limits<std::size_t>::max());
        std::optional<std::uint64_t> size;
        if (head.framing == Framing::length) size = head.content_length;
        std::string piece;
        for (std::uint64_t passed = 0;;) {
            bool is_last = false;
            if (head.framing == Framing::chunked) {
                const auto [state, consumed] = chunks.feed(input_.unread(), piece);
                input_.consume(consumed);
                if (const auto* refusal = std::get_if<Refusal>(&state)) return bad(*refusal);
                is_last = std::holds_alternative<ChunkDecoder::Done>(state);
            } else {
                const std::uint64_t left = size ? *size - passed : input_.size();
                piece = input_.unread().substr(0, static_cast<std::size_t>(left));
                input_.consume(piece.size());
                passed += piece.size();
                is_last = size && passed == *size;
            }
            if (!piece.empty()) SEMEL_CHECK((*sink_)(piece, size));
            piece.clear();
            if (is_last) return {};
            if (!is_hung_up_) deadline_ = std::chrono::steady_clock::now() + piece_timeout_;
            auto more = read_more();
            if (!more && head.framing == Framing::none && is_at_end_) return {};
            SEMEL_CHECK(std::move(more));
        }
    }

    Result<void> read_more() {
        const ReadBuffer::Space space = input_.prepare(kReadBytes);
        std::size_t count = 0;
        SEMEL_CHECK(await(
            "reading the answer of",
            [&](auto handler) {
                stream_->async_read_some(asio::buffer(space.data, space.size), std::move(handler));
            },
            count));
        input_.commit(count);
        return {};
    }

    // Starts one operation and runs it to its end or to the deadline.
    template <typename Start>
    Result<void> await(const char* doing, Start start, std::size_t& count) {
        std::optional<error_code> outcome;
        io_.restart();
        start([&outcome, &count](const error_code& failure, std::size_t transferred) {
            outcome = failure;
            count = transferred;
        });
        while (!outcome && io_.run_one_until(deadline_) > 0) {
        }
        if (!outcome) {
            error_code ignored;
            stream_->socket().close(ignored);
            io_.run();  // the handler refers to this frame
            return Error(ErrorCode::timeout,
                         std::string(doing) + " " + base_.authority() + ": the deadline passed");
        }
        is_at_end_ = *outcome == asio::error::eof;
        if (!*outcome) return {};
        return Error(ErrorCode::unavailable,
                     std::string(doing) + " " + base_.authority() + ": " + outcome->message());
    }

    [[nodiscard]] Error bad(const Refusal& refusal) const {
        return {ErrorCode::io_error, base_.authority() + " gave an answer that is not HTTP/1.1: " +
                                         std::string(refusal.detail)};
    }
    [[nodiscard]] Error too_large() const {
        return {ErrorCode::io_error, base_.authority() + " gave an answer larger than " +
                                         std::to_string(options_.body_bytes_max) + " bytes"};
    }

    Url base_;
    ClientOptions options_;
    std::atomic<bool> is_hung_up_{false};
    std::chrono::steady_clock::time_point deadline_;
    std::chrono::milliseconds piece_timeout_{0};  // with a sink: for each piece of the body
    const BodySink* sink_ = nullptr;              // of the running call
    asio::io_context io_{1};
    std::unique_ptr<ssl::context> tls_;
    std::optional<Stream> stream_;
    ReadBuffer input_;
    bool is_at_end_ = false;  // the last operation ended because the peer had closed
};

Client::Client(Url base, ClientOptions options)
    : impl_(std::make_unique<Impl>(std::move(base), std::move(options))) {}
Client::~Client() = default;
Client::Client(Client&& other) noexcept = default;
Client& Client::operator=(Client&& other) noexcept = default;

void Client::hang_up(std::chrono::milliseconds patience) {
    impl_->hang_up(patience);
}

Result<Response> Client::send(std::string_view method, std::string_view target,
                              const std::vector<Header>& headers, std::string_view body,
                              std::chrono::milliseconds timeout) {
    try {
        return impl_->send(method, target, headers, body, timeout, nullptr);
    } catch (const std::exception& failure) {
        return Error(ErrorCode::io_error, std::string("HTTP client: ") + failure.what());
    }
}

Result<Response> Client::download(std::string_view method, std::string_view target,
                                  const std::vector<Header>& headers,
                                  std::chrono::milliseconds timeout, const BodySink& sink) {
    try {
        return impl_->send(method, target, headers, {}, timeout, &sink);
    } catch (const std::exception& failure) {
        return Error(ErrorCode::io_error, std::string("HTTP client: ") + failure.what());
    }
}

}  // namespace semel::net
