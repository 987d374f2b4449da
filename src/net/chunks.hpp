// The strict decoder of chunked bodies: pure code over bytes that arrive bit by bit.
//
//   body  = *chunk 1*"0" CRLF CRLF
//   chunk = 1*16HEXDIG CRLF bytes CRLF
//
// Chunk extensions and trailers are refused: nothing here reads them, and what nobody reads is
// where parsers disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "net/head.hpp"

namespace semel::net {

class ChunkDecoder {
public:
    struct NeedMore {};
    struct Done {};
    using State = std::variant<NeedMore, Done, Refusal>;
    struct Step {
        State state;
        std::size_t consumed = 0;  // bytes of `bytes` that belong to this body
    };

    explicit ChunkDecoder(std::size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

    // Appends what it decodes to `body`. 413 as soon as a chunk's size passes the limit.
    [[nodiscard]] Step feed(std::string_view bytes, std::string& body);

private:
    enum class Place { size, size_lf, data, data_cr, data_lf, end_cr, end_lf };

    [[nodiscard]] const char* take_size_byte(char c);

    std::size_t body_bytes_max_;
    Place place_ = Place::size;
    int digits_ = 0;
    std::uint64_t left_ = 0;  // of the chunk's size while it is read, then of its bytes
};

}  // namespace semel::net
