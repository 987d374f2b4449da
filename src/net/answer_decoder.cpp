#include "net/answer_decoder.hpp"

#include <algorithm>
#include <limits>

#include "net/body_source.hpp"

namespace semel::net {

bool answer_has_body(const StatusHead& head, std::string_view method) {
    return method != "HEAD" && head.status != 204 && head.status != 304;
}

AnswerDecoder::AnswerDecoder(const StatusHead& head)
    : framing_(head.framing), chunks_(std::numeric_limits<std::size_t>::max(), ChunkExtras::skip) {
    if (framing_ != Framing::length) return;
    length_ = head.content_length;
    left_ = head.content_length;
}

AnswerDecoder::Step AnswerDecoder::take(ReadBuffer& input) {
    if (framing_ == Framing::chunked) return take_chunks(input);
    std::string_view bytes = input.unread().substr(0, kPieceBytesMax);
    if (framing_ == Framing::length) {
        if (left_ == 0) return End{};
        bytes =
            bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
        left_ -= bytes.size();
    }
    if (bytes.empty()) return NeedMore{};
    input.consume(bytes.size());
    return bytes;
}

AnswerDecoder::Step AnswerDecoder::take_chunks(ReadBuffer& input) {
    piece_.clear();
    while (!has_ended_ && piece_.empty()) {
        if (input.empty()) return NeedMore{};
        const auto [state, consumed] =
            chunks_.feed(input.unread().substr(0, kPieceBytesMax), piece_);
        input.consume(consumed);
        if (const auto* refusal = std::get_if<Refusal>(&state)) return *refusal;
        has_ended_ = std::holds_alternative<ChunkDecoder::Done>(state);
    }
    if (piece_.empty()) return End{};
    return std::string_view(piece_);
}

std::size_t AnswerDecoder::read_bytes() const {
    if (framing_ != Framing::length) return kPieceBytesMax;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(left_, 1, kPieceBytesMax));
}

}  // namespace semel::net
