// AnswerDecoder: finds the body of a server's answer in the bytes of its connection. One decoder
// reads one body. It does no I/O.
//
// Errors: take() returns a Refusal if the framing is wrong.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "net/chunks.hpp"
#include "net/head.hpp"
#include "net/read_buffer.hpp"

namespace semel::net {

// Returns whether the answer to a request with this method has a body.
[[nodiscard]] bool answer_has_body(const StatusHead& head, std::string_view method);

class AnswerDecoder {
public:
    // REQUIRES: answer_has_body().
    explicit AnswerDecoder(const StatusHead& head);

    struct NeedMore {};
    struct End {};
    // The piece is valid until the next take() and until the input's next prepare().
    using Step = std::variant<std::string_view, NeedMore, End, Refusal>;

    // Consumes the next piece, of at most kPieceBytesMax bytes. After End or a Refusal, stop.
    [[nodiscard]] Step take(ReadBuffer& input);

    // Whether the end of the connection is the end of the body.
    [[nodiscard]] bool ends_with_connection() const { return framing_ == Framing::none; }
    // Returns how many bytes to read at once.
    [[nodiscard]] std::size_t read_bytes() const;
    // The size of the whole body, if the head says it.
    [[nodiscard]] std::optional<std::uint64_t> length() const { return length_; }

private:
    [[nodiscard]] Step take_chunks(ReadBuffer& input);

    Framing framing_;
    std::optional<std::uint64_t> length_;
    std::uint64_t left_ = 0;  // with Framing::length
    ChunkDecoder chunks_;
    std::string piece_;       // with Framing::chunked
    bool has_ended_ = false;  // with Framing::chunked
};

}  // namespace semel::net
