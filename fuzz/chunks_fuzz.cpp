// Whatever bytes come: a chunked body is the same however it is cut on its way, never larger than
// its limit, and ends where the next request begins.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.hpp"
#include "net/chunks.hpp"

namespace {

using namespace semel::net;

constexpr std::size_t kBodyBytesMax = 512;

struct Decoded {
    std::size_t state = 0;  // of ChunkDecoder::State
    std::size_t consumed = 0;
    std::string body;
};

Decoded decode(const std::string& bytes, std::size_t piece) {
    ChunkDecoder decoder(kBodyBytesMax);
    Decoded decoded;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const std::string part = bytes.substr(at, piece);
        const auto step = decoder.feed(part, decoded.body);
        SEMEL_ASSERT(step.consumed <= part.size());
        decoded.consumed += step.consumed;
        decoded.state = step.state.index();
        if (!std::holds_alternative<ChunkDecoder::NeedMore>(step.state)) break;
        SEMEL_ASSERT(step.consumed == part.size());
    }
    return decoded;
}

}  // namespace

// The first byte is the size of the pieces.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const Decoded whole = decode(bytes, std::max<std::size_t>(bytes.size(), 1));
    const Decoded parts = decode(bytes, std::max<std::size_t>(data[0], 1));
    SEMEL_ASSERT(whole.state == parts.state);
    SEMEL_ASSERT(whole.body == parts.body);
    SEMEL_ASSERT(whole.body.size() <= kBodyBytesMax);
    const bool is_done = whole.state == 1;
    if (is_done) {
        SEMEL_ASSERT(whole.consumed == parts.consumed);
        SEMEL_ASSERT(bytes.substr(0, whole.consumed).ends_with("\r\n\r\n"));
    }
    return 0;
}
