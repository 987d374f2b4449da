#include "net/request_reader.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/buffer.hpp>

#include "net/body_source.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

// The size of one read of a head: most heads fit.
constexpr std::size_t kHeadReadBytes = 2048;
// The largest buffer of an idle connection.
constexpr std::size_t kKeptBytesMax = 2 * kHeadReadBytes;

}  // namespace

void RequestReader::read_head(OnHead on_head) {
    scanner_ = HeadScanner();
    has_head_begun_ = false;
    if (!is_reading_ && input_.empty() && input_.capacity() > kKeptBytesMax) input_ = ReadBuffer();
    on_head_ = std::move(on_head);
    wanted_ = Wanted::head;
    pump();
}

void RequestReader::read_piece(OnPiece on_piece) {
    on_piece_ = std::move(on_piece);
    wanted_ = Wanted::piece;
    transfer_.resume();
    pump();
}

void RequestReader::watch(std::function<void()> on_ended) {
    on_ended_ = std::move(on_ended);
    wanted_ = Wanted::end;
    pump();
}

void RequestReader::stop() {
    wanted_ = Wanted::nothing;
    on_head_ = nullptr;
    on_piece_ = nullptr;
    on_ended_ = nullptr;
}

void RequestReader::release(std::function<void()> released) {
    stop();
    if (!is_reading_) {
        input_ = ReadBuffer();
        return released();
    }
    on_released_ = std::move(released);
    error_code ignored;
    stream_.socket().cancel(ignored);
}

void RequestReader::pump() {
    switch (wanted_) {
        case Wanted::nothing: return;
        case Wanted::head: return pump_head();
        case Wanted::piece: return pump_piece();
        case Wanted::end:
            if (has_ended_) {
                wanted_ = Wanted::nothing;
                return std::exchange(on_ended_, nullptr)();
            }
            if (input_.empty()) read_more(kHeadReadBytes);
            return;
    }
}

void RequestReader::pump_head() {
    const std::string_view bytes = input_.unread().substr(0, limits_.head_bytes_max);
    const HeadScanner::Step step = scanner_.scan(bytes);
    if (const auto* refusal = std::get_if<Refusal>(&step)) return give_head(*refusal);
    if (const auto* complete = std::get_if<HeadScanner::Complete>(&step)) {
        auto head = parse_head(bytes.substr(0, complete->size), limits_.headers_max);
        if (const auto* refusal = std::get_if<Refusal>(&head)) return give_head(*refusal);
        input_.consume(complete->size);
        return give_head(std::move(std::get<Head>(head)));
    }
    if (bytes.size() == limits_.head_bytes_max) {
        return give_head(Refusal{431, "The request line and the headers are too large."});
    }
    if (has_ended_) return give_head(Ended{});  // another read would never end
    if (input_.empty()) {
        head_deadline_ = Clock::now() + limits_.idle_timeout;
    } else if (!has_head_begun_) {
        has_head_begun_ = true;
        head_deadline_ = Clock::now() + limits_.header_timeout;
    }
    read_more(kHeadReadBytes);
}

void RequestReader::begin_body(const Head& head, std::uint64_t bytes_max) {
    framing_ = head.framing;
    bytes_left_ = head.content_length;
    is_body_over_ = framing_ == Framing::none || (framing_ == Framing::length && bytes_left_ == 0);
    if (framing_ == Framing::chunked) {
        chunks_ = ChunkDecoder(bytes_max);
        decoded_.clear();
    }
    transfer_.begin(limits_.body_timeout, limits_.bytes_per_second_min);
    transfer_.pause();  // until it is read
}

void RequestReader::pump_piece() {
    auto taken = take_piece();
    if (const auto* refusal = std::get_if<Refusal>(&taken)) return give_piece(*refusal);
    const std::string_view piece = std::get<std::string_view>(taken);
    if (!piece.empty() || is_body_over_) return give_piece(piece);
    if (has_ended_) return give_piece(Ended{});
    read_more(framing_ == Framing::chunked ? kHeadReadBytes
                                           : static_cast<std::size_t>(std::clamp<std::uint64_t>(
                                                 bytes_left_, kHeadReadBytes, kPieceBytesMax)));
}

// Returns the next piece of the body that has arrived. Empty: none has, or the body has ended.
std::variant<std::string_view, Refusal> RequestReader::take_piece() {
    if (framing_ == Framing::length) {
        const auto size =
            std::min<std::uint64_t>({bytes_left_, input_.size(), std::uint64_t{kPieceBytesMax}});
        const std::string_view piece = input_.unread().substr(0, static_cast<std::size_t>(size));
        input_.consume(piece.size());
        is_body_over_ = bytes_left_ == 0;
        bytes_left_ -= piece.size();
        transfer_.move(piece.size());
        return piece;
    }
    decoded_.clear();
    if (framing_ == Framing::none) {
        is_body_over_ = true;
        return std::string_view();
    }
    const auto [state, consumed] =
        chunks_.feed(input_.unread().substr(0, kPieceBytesMax), decoded_);
    input_.consume(consumed);
    transfer_.move(consumed);
    if (const auto* refusal = std::get_if<Refusal>(&state)) return *refusal;
    // If the last piece arrives together with the end, the next read gives the end.
    if (std::holds_alternative<ChunkDecoder::Done>(state)) framing_ = Framing::none;
    is_body_over_ = framing_ == Framing::none && decoded_.empty();
    return std::string_view(decoded_);
}

void RequestReader::read_more(std::size_t bytes) {
    if (is_reading_) return;
    is_reading_ = true;
    const ReadBuffer::Space space = input_.prepare(bytes);
    stream_.async_read_some(
        asio::buffer(space.data, space.size),
        [this, owner = owner_.lock()](const error_code& failure, std::size_t count) {
            is_reading_ = false;
            has_ended_ |= failure && failure != asio::error::operation_aborted;
            input_.commit(count);
            if (!on_released_) return pump();
            input_ = ReadBuffer();
            std::exchange(on_released_, nullptr)();
        });
}

void RequestReader::give_head(std::variant<Head, Refusal, Ended> head) {
    wanted_ = Wanted::nothing;
    std::exchange(on_head_, nullptr)(std::move(head));
}

void RequestReader::give_piece(std::variant<std::string_view, Refusal, Ended> piece) {
    wanted_ = Wanted::nothing;
    transfer_.pause();
    std::exchange(on_piece_, nullptr)(piece);
}

RequestReader::Clock::time_point RequestReader::deadline() const {
    switch (wanted_) {
        case Wanted::head: return head_deadline_;
        case Wanted::piece: return transfer_.value();
        case Wanted::nothing:
        case Wanted::end: return Clock::time_point::max();
    }
    return Clock::time_point::max();
}

}  // namespace semel::net
