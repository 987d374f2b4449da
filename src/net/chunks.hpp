// ChunkDecoder: decodes a chunked body strictly, from bytes that arrive in pieces.
//
//   body  = *chunk 1*"0" CRLF CRLF
//   chunk = 1*16HEXDIG CRLF bytes CRLF
//
// Chunk extensions and trailers are refused: no code here uses them, and parsers disagree about
// them. The decoder does no I/O. One decoder reads one body, on one thread.
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
        std::size_t consumed = 0;  // how many of the given bytes belong to this body
    };

    // `body_bytes_max` limits the decoded body.
    explicit ChunkDecoder(std::uint64_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

    // Appends the decoded bytes to `body`. After NeedMore, call it again with the bytes after the
    // consumed ones; after Done or a Refusal, stop. A chunk whose size would pass the limit is
    // refused with 413 before its bytes arrive, any other error with 400. The caller may empty `body`
    // between calls: the limit counts all bytes.
    [[nodiscard]] Step feed(std::string_view bytes, std::string& body);

private:
    enum class Place { size, size_lf, data, data_cr, data_lf, end_cr, end_lf };

    [[nodiscard]] const char* take_size_byte(char c);

    std::uint64_t body_bytes_max_;
    std::uint64_t decoded_ = 0;
    Place place_ = Place::size;
    int digits_ = 0;
    std::uint64_t left_ = 0;  // the chunk's size, while it is read; then its bytes still to come
};

}  // namespace semel::net
