// ChunkDecoder: decodes a chunked body strictly, from bytes that arrive in pieces.
//
//   body  = *chunk 1*"0" CRLF CRLF
//   chunk = 1*16HEXDIG CRLF bytes CRLF
//
// Chunk extensions and trailers are refused in requests: no code here uses them, and parsers
// disagree about them. In answers they are skipped, because correct servers send them. The decoder
// does no I/O. One decoder reads one body.
//
// Errors: feed() returns a Refusal.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "net/head.hpp"

namespace semel::net {

// What to do with chunk extensions and trailers.
enum class ChunkExtras { refuse, skip };

// The most bytes that are skipped as the extension of one chunk, and as all trailers.
inline constexpr std::size_t kChunkExtraBytesMax = std::size_t{8} * 1024;

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
    explicit ChunkDecoder(std::uint64_t body_bytes_max, ChunkExtras extras = ChunkExtras::refuse)
        : body_bytes_max_(body_bytes_max), skips_extras_(extras == ChunkExtras::skip) {}

    // Appends the decoded bytes to `body`. After NeedMore, call it again with the bytes after the
    // consumed ones; after Done or a Refusal, stop. A chunk whose size would pass the limit is
    // refused with 413 before its bytes arrive, any other error with 400. The caller may empty
    // `body` between calls: the limit counts all bytes.
    [[nodiscard]] Step feed(std::string_view bytes, std::string& body);

private:
    enum class Place {
        size,
        extension,
        size_lf,
        data,
        data_cr,
        data_lf,
        end_cr,
        trailer,
        trailer_lf,
        end_lf,
    };

    [[nodiscard]] std::optional<Refusal> take_byte(char c);
    [[nodiscard]] const char* take_size_byte(char c);
    [[nodiscard]] const char* take_extra_byte(char c, Place after_cr);

    std::uint64_t body_bytes_max_;
    std::uint64_t decoded_ = 0;
    bool skips_extras_;
    std::size_t extra_bytes_ = 0;  // of this chunk's extension, or of the trailers
    bool is_done_ = false;
    Place place_ = Place::size;
    int digits_ = 0;
    std::uint64_t left_ = 0;  // the chunk's size, while it is read; then its bytes still to come
};

}  // namespace semel::net
