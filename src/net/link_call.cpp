#include "net/link_call.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "net/request_head.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;

// The limit of an answer's head, with the 1xx heads before it.
constexpr std::size_t kAnswerHeadBytesMax = std::size_t{64} * 1024;
// Room for one read of a head.
constexpr std::size_t kAnswerReadBytes = 4096;
// A body up to a TLS record's size is sent in one record with its head.
constexpr std::size_t kJoinBytes = std::size_t{16} * 1024;
// How long to read after a failed write: a server that refuses an upload can answer and then reset.
constexpr std::chrono::seconds kReadOnAfterWriteFailure{1};

std::optional<std::chrono::seconds> kept_for(const std::vector<Header>& headers) {
    const std::string* const value = find_header(headers, "Keep-Alive");
    if (value == nullptr) return std::nullopt;
    constexpr std::string_view kName = "timeout=";
    const std::size_t at = value->find(kName);
    if (at == std::string::npos) return std::nullopt;
    const std::string_view digits = std::string_view(*value).substr(at + kName.size());
    const auto seconds = parse_decimal(digits.substr(0, digits.find_first_not_of("0123456789")));
    if (!seconds) return std::nullopt;
    constexpr std::int64_t kSecondsMax = 3600;
    return std::chrono::seconds(std::min<std::int64_t>(*seconds, kSecondsMax));
}

}  // namespace

// The body of the answer, for its reader.
class LinkCall::Body : public BodySource {
public:
    Body(std::shared_ptr<LinkCall> call, std::optional<std::uint64_t> length)
        : call_(std::move(call)), length_(length) {}
    ~Body() override { Body::abort(); }

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return length_; }
    void read(OnPiece on_piece) override { call_->read_body(std::move(on_piece)); }
    void abort() override {
        if (const auto call = call_) call->give_up_body();
    }

private:
    const std::shared_ptr<LinkCall> call_;
    const std::optional<std::uint64_t> length_;
};

std::shared_ptr<LinkCall> LinkCall::start(std::shared_ptr<Link> link,
                                          std::shared_ptr<DeadlineSweep> sweep,
                                          std::shared_ptr<const CallRequest> request,
                                          CallListener listener) {
    const std::shared_ptr<LinkCall> call(
        new LinkCall(std::move(link), std::move(sweep), std::move(request), std::move(listener)));
    call->begin();
    return call;
}

LinkCall::LinkCall(std::shared_ptr<Link> link, std::shared_ptr<DeadlineSweep> sweep,
                   std::shared_ptr<const CallRequest> request, CallListener listener)
    : link_(std::move(link)),
      sweep_(std::move(sweep)),
      request_(std::move(request)),
      listener_(std::move(listener)) {}

void LinkCall::begin() {
    touch();
    sweep_->add(shared_from_this());
    const RequestFraming framing = framing_of(*request_);
    auto head = render_request_head(*request_, framing);
    if (!head || !link_->is_open()) {
        std::string why = head ? "the server closed the connection" : head.error().message();
        boost::asio::post(link_->executor(), [self = shared_from_this(), why = std::move(why)] {
            self->end(CallResult::not_sent, why);
        });
        return;
    }
    output_ = *std::move(head);
    if (request_->source) {
        source_left_ = framing.length;
    } else if (request_->body.size() <= kJoinBytes) {
        output_.append(request_->body);
    } else {
        piece_ = request_->body;
    }
    is_first_write_pending_ = true;
    write_more();
    read_head();
}

// --- The request ---

void LinkCall::write_more() {
    const std::size_t of_piece = std::max(written_, output_.size()) - output_.size();
    link_->write({boost::asio::buffer(output_) + written_,
                  boost::asio::buffer(piece_.data(), piece_.size()) + of_piece},
                 [self = shared_from_this()](const error_code& failure, std::size_t count) {
                     if (!self->has_ended()) self->on_written(failure, count);
                 });
}

void LinkCall::on_written(const error_code& failure, std::size_t count) {
    is_first_write_pending_ = false;
    has_written_ |= count > 0;
    if (failure) return on_write_failure(failure);
    if (lost_) return on_lost(*std::exchange(lost_, std::nullopt));
    touch();
    written_ += count;
    if (written_ < output_.size() + piece_.size()) return write_more();
    if (!request_->source || is_last_) {
        sending_ = Sending::done;
        return;
    }
    pull();
}

void LinkCall::on_write_failure(const error_code& failure) {
    if (!has_written_) return end(CallResult::not_sent, "sending: " + failure.message());
    sending_ = Sending::broken;
    broken_at_ = Clock::now();
    if (request_->source) request_->source->abort();
}

void LinkCall::pull() {
    sending_ = Sending::pulling;
    request_->source->read([weak = weak_from_this()](Result<std::string_view> piece) {
        const auto self = weak.lock();
        if (self && self->sending_ == Sending::pulling && !self->has_ended()) {
            self->on_piece(piece);
        }
    });
}

void LinkCall::on_piece(const Result<std::string_view>& piece) {
    if (!piece) {
        return end(CallResult::cancelled, "the request's body: " + piece.error().message());
    }
    const bool is_end = piece->empty();
    if (source_left_ && (is_end ? *source_left_ > 0 : piece->size() > *source_left_)) {
        return end(CallResult::cancelled, "the request's body has another length than it said");
    }
    if (source_left_ && is_end) {
        sending_ = Sending::done;
        return;
    }
    sending_ = Sending::writing;
    output_.clear();
    piece_ = {};
    written_ = 0;
    if (source_left_) {
        *source_left_ -= piece->size();
        piece_ = *piece;
    } else if (is_end) {
        output_ = "0\r\n\r\n";
        is_last_ = true;
    } else {
        // Joined, so that TLS sends a chunk as one record instead of three.
        output_ = fmt::format("{:x}\r\n{}\r\n", piece->size(), *piece);
    }
    touch();
    write_more();
}

// --- The answer's head ---

void LinkCall::read_head() {
    link_->read(kAnswerReadBytes, [self = shared_from_this()](const error_code& failure) {
        if (!self->has_ended()) self->on_head_read(failure);
    });
}

void LinkCall::on_head_read(const error_code& failure) {
    if (failure) return on_lost(failure);
    if (sending_ != Sending::writing) return continue_head();
    // The write can have ended, with its handler queued behind this one.
    boost::asio::post(link_->executor(), [self = shared_from_this()] {
        if (!self->has_ended()) self->continue_head();
    });
}

void LinkCall::on_lost(const error_code& failure) {
    if (is_first_write_pending_) {
        lost_ = failure;  // the end of the write shows whether a byte was sent
        return;
    }
    if (skipped_bytes_ > 0 || !link_->input().empty()) {
        return end(CallResult::bad_answer, "the answer's head was cut: " + failure.message());
    }
    end(CallResult::maybe_sent, "waiting for the answer: " + failure.message());
}

void LinkCall::continue_head() {
    while (take_head()) {
    }
}

// Returns whether the next head may be in the input.
bool LinkCall::take_head() {
    ReadBuffer& input = link_->input();
    const auto refuse = [this](std::string_view why) {
        end(CallResult::bad_answer, std::string(why));
        return false;
    };
    const auto step = scanner_.scan(input.unread());
    if (const auto* refusal = std::get_if<Refusal>(&step)) return refuse(refusal->detail);
    const auto* complete = std::get_if<HeadScanner::Complete>(&step);
    const std::size_t size = complete != nullptr ? complete->size : input.size();
    if (skipped_bytes_ + size > kAnswerHeadBytesMax) {
        return refuse("The answer's head is too large.");
    }
    if (complete == nullptr) {
        read_head();
        return false;
    }
    auto parsed = parse_status_head(input.unread().substr(0, size));
    input.consume(size);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return refuse(refusal->detail);
    auto& head = std::get<StatusHead>(parsed);
    if (head.status == 101) return refuse("The server switched to another protocol.");
    if (head.status < 200) {
        skipped_bytes_ += size;
        scanner_ = HeadScanner();
        return true;
    }
    give_head(std::move(head));
    return false;
}

void LinkCall::give_head(StatusHead head) {
    answer_ = Answer::body;
    touch();
    came_early_ = sending_ != Sending::done;
    keep_alive_ = head.keep_alive;
    kept_for_ = net::kept_for(head.headers);
    CallHead given{head.status, {}, nullptr};
    if (answer_has_body(head, request_->method)) {
        decoder_.emplace(head);
        given.body = std::make_shared<Body>(shared_from_this(), decoder_->length());
    }
    given.headers = std::move(head.headers);
    const bool has_body = given.body != nullptr;
    const auto self = shared_from_this();
    if (const auto on_head = std::exchange(listener_.on_head, nullptr)) on_head(std::move(given));
    if (!has_body && !has_ended()) end(CallResult::answered, {});
}

// --- The answer's body ---

void LinkCall::read_body(BodySource::OnPiece on_piece) {
    if (has_ended()) return on_piece(Error(ErrorCode::stopped, "the call has ended"));
    on_piece_ = std::move(on_piece);
    touch();
    continue_body();
}

void LinkCall::continue_body() {
    const auto step = decoder_->take(link_->input());
    if (const auto* refusal = std::get_if<Refusal>(&step)) {
        return end(CallResult::bad_answer, std::string(refusal->detail));
    }
    if (std::holds_alternative<AnswerDecoder::End>(step)) return finish_body();
    if (const auto* piece = std::get_if<std::string_view>(&step)) {
        return std::exchange(on_piece_, nullptr)(*piece);
    }
    link_->read(decoder_->read_bytes(), [self = shared_from_this()](const error_code& failure) {
        if (!self->has_ended()) self->on_body_read(failure);
    });
}

void LinkCall::on_body_read(const error_code& failure) {
    touch();
    if (!failure) return continue_body();
    if (decoder_->ends_with_connection() && failure == boost::asio::error::eof) {
        return finish_body();
    }
    end(CallResult::bad_answer, "the answer's body was cut: " + failure.message());
}

void LinkCall::finish_body() {
    const auto self = shared_from_this();
    std::exchange(on_piece_, nullptr)(std::string_view());
    end(CallResult::answered, {});
}

void LinkCall::give_up_body() {
    if (has_ended()) return;
    on_piece_ = nullptr;
    end(CallResult::cancelled, "the answer's body was given up");
}

// --- The end ---

void LinkCall::cancel() {
    end(CallResult::cancelled, "cancelled");
}

Timed::Clock::time_point LinkCall::deadline() const {
    if (has_ended()) return Clock::time_point::max();
    auto by = Clock::time_point::max();
    if (answer_ == Answer::head) {
        by = request_->head_by;
        if (sending_ == Sending::broken) by = std::min(by, broken_at_ + kReadOnAfterWriteFailure);
    }
    // Only the server's silence counts here. A slow source or reader has its own limits.
    if (sending_ == Sending::writing || on_piece_) by = std::min(by, progress_at_ + request_->idle);
    return by;
}

void LinkCall::on_deadline() {
    if (has_ended() || deadline() > Clock::now()) return;
    const bool is_head_due = Clock::now() >= request_->head_by;
    if (answer_ == Answer::head && sending_ == Sending::broken && !is_head_due) {
        return end(CallResult::maybe_sent, "the connection was lost while the request was sent");
    }
    end(CallResult::timed_out, answer_ == Answer::head ? "no answer in time" : "a body was silent");
}

bool LinkCall::link_can_be_reused() const {
    return sending_ == Sending::done && !came_early_ && keep_alive_ && link_->input().empty() &&
           !(decoder_ && decoder_->ends_with_connection());
}

void LinkCall::end(CallResult what, std::string detail) {
    if (has_ended()) return;
    const auto self = shared_from_this();
    answer_ = Answer::ended;
    if (what == CallResult::answered && link_can_be_reused()) {
        link_->end_call(kept_for_);
    } else {
        link_->close();
    }
    // A source that was not begun can serve another attempt.
    if (request_->source && sending_ != Sending::done && what != CallResult::not_sent) {
        request_->source->abort();
    }
    sweep_->remove(*this);
    const auto on_piece = std::exchange(on_piece_, nullptr);
    const CallListener listener = std::exchange(listener_, {});
    if (on_piece) {
        const ErrorCode code = what == CallResult::timed_out   ? ErrorCode::timeout
                               : what == CallResult::cancelled ? ErrorCode::stopped
                                                               : ErrorCode::io_error;
        on_piece(Error(code, detail));
    }
    if (listener.on_end) listener.on_end({what, may_have_left(), false, std::move(detail)});
}

}  // namespace semel::net
