#include "net/chunks.hpp"

#include <algorithm>

namespace semel::net {

namespace {

// As many as fit 64 bits.
constexpr int kSizeDigitsMax = 16;

constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

// Returns what is wrong, or nullptr.
const char* ChunkDecoder::take_size_byte(char c) {
    if (c == '\r' && digits_ > 0) {
        place_ = Place::size_lf;
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

ChunkDecoder::Step ChunkDecoder::feed(std::string_view bytes, std::string& body) {
    std::size_t i = 0;
    const auto refuse = [&i](int status, std::string_view detail) {
        return Step{Refusal{status, detail}, i};
    };
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
        const char c = bytes[i++];
        const bool expects_lf =
            place_ == Place::size_lf || place_ == Place::data_lf || place_ == Place::end_lf;
        if (place_ == Place::size) {
            if (const char* wrong = take_size_byte(c)) return refuse(400, wrong);
        } else if (c != (expects_lf ? '\n' : '\r')) {
            if (place_ == Place::end_cr) return refuse(400, "Trailers are not accepted.");
            return refuse(400, "A chunk does not end with CRLF where its size says.");
        } else if (place_ == Place::size_lf) {
            if (left_ > body_bytes_max_ - decoded_) {
                return refuse(413, "The body is larger than the limit.");
            }
            place_ = left_ == 0 ? Place::end_cr : Place::data;
        } else if (place_ == Place::data_cr) {
            place_ = Place::data_lf;
        } else if (place_ == Place::data_lf) {
            place_ = Place::size;
            digits_ = 0;
        } else if (place_ == Place::end_cr) {
            place_ = Place::end_lf;
        } else {
            return Step{Done{}, i};
        }
    }
    return Step{NeedMore{}, i};
}

}  // namespace semel::net
