#include "net/chunks.hpp"

#include <algorithm>

namespace semel::net {

namespace {

// The digits that fit 64 bits.
constexpr int kSizeDigitsMax = 16;

constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

// Returns the fault, or nullptr.
const char* ChunkDecoder::take_size_byte(char c) {
    if (c == '\r' && digits_ > 0) {
        place_ = Place::size_lf;
        return nullptr;
    }
    if (skips_extras_ && digits_ > 0 && (c == ';' || c == ' ' || c == '\t')) {
        place_ = Place::extension;
        return nullptr;
    }
    const int digit = hex_digit(c);
    if (c == ';') return "Chunk extensions are not accepted.";
    if (digit < 0 || digits_ == kSizeDigitsMax) {
        return "A chunk's size must be up to 16 hex digits and CRLF.";
    }
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
    ++digits_;
    return nullptr;
}

// Returns the fault, or nullptr. A line of an extra ends with CR, after which comes `after_cr`.
const char* ChunkDecoder::take_extra_byte(char c, Place after_cr) {
    if (++extra_bytes_ > kChunkExtraBytesMax) return "Chunk extensions or trailers are too long.";
    if (c == '\r') {
        place_ = after_cr;
    } else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) {
        return "A chunk extension or trailer contains a control byte.";
    }
    return nullptr;
}

// Consumes a byte of the framing.
std::optional<Refusal> ChunkDecoder::take_byte(char c) {
    const auto bad = [](const char* wrong) {
        return wrong == nullptr ? std::nullopt : std::optional(Refusal{400, wrong});
    };
    if (place_ == Place::size) return bad(take_size_byte(c));
    if (place_ == Place::extension) return bad(take_extra_byte(c, Place::size_lf));
    if (place_ == Place::trailer) return bad(take_extra_byte(c, Place::trailer_lf));
    if (place_ == Place::end_cr && skips_extras_ && c != '\r') {
        place_ = Place::trailer;
        return bad(take_extra_byte(c, Place::trailer_lf));
    }
    const bool expects_cr = place_ == Place::data_cr || place_ == Place::end_cr;
    if (c != (expects_cr ? '\r' : '\n')) {
        if (place_ == Place::end_cr) return Refusal{400, "Trailers are not accepted."};
        return Refusal{400, "A chunk does not end with CRLF where its size says."};
    }
    switch (place_) {
        case Place::size_lf:
            if (left_ > body_bytes_max_ - decoded_) {
                return Refusal{413, "The body is larger than the limit."};
            }
            place_ = left_ == 0 ? Place::end_cr : Place::data;
            extra_bytes_ = 0;
            break;
        case Place::data_cr: place_ = Place::data_lf; break;
        case Place::data_lf:
            place_ = Place::size;
            digits_ = 0;
            break;
        case Place::end_cr: place_ = Place::end_lf; break;
        case Place::trailer_lf: place_ = Place::end_cr; break;
        case Place::end_lf: is_done_ = true; break;
        case Place::size:
        case Place::extension:
        case Place::data:
        case Place::trailer: break;
    }
    return std::nullopt;
}

ChunkDecoder::Step ChunkDecoder::feed(std::string_view bytes, std::string& body) {
    std::size_t i = 0;
    while (i < bytes.size()) {
        if (place_ == Place::data) {
            const std::size_t taken =
                static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - i));
            body.append(bytes.substr(i, taken));
            i += taken;
            left_ -= taken;
            decoded_ += taken;
            if (left_ == 0) place_ = Place::data_cr;
            continue;
        }
        if (const auto refusal = take_byte(bytes[i++])) return Step{*refusal, i};
        if (is_done_) return Step{Done{}, i};
    }
    return Step{NeedMore{}, i};
}

}  // namespace semel::net
