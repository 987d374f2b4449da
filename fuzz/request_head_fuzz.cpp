// Whatever bytes come: the head is found wherever they are cut, is refused with a status, or has
// the parts that the server goes on with, none of which could be read otherwise by somebody else.
#include <cstddef>
#include <cstdint>
#include <string>

#include "head_input.hpp"

namespace {

using namespace semel::net;

constexpr std::size_t kHeadersMax = 100;

std::size_t count_of(const Head& head, std::string_view name) {
    return static_cast<std::size_t>(
        std::count_if(head.headers.begin(), head.headers.end(),
                      [name](const Header& header) { return iequals(header.name, name); }));
}

void check(const Head& head) {
    SEMEL_ASSERT(is_token(head.method));
    SEMEL_ASSERT(head.path.starts_with('/'));
    SEMEL_ASSERT(head.path.find_first_of("?# \t") == std::string::npos);
    SEMEL_ASSERT(head.query.find_first_of("# \t") == std::string::npos);
    SEMEL_ASSERT(head.headers.size() <= kHeadersMax);
    check_headers(head.headers);
    SEMEL_ASSERT(count_of(head, "host") <= 1);
    const std::size_t lengths = count_of(head, "content-length");
    const std::size_t encodings = count_of(head, "transfer-encoding");
    SEMEL_ASSERT(lengths + encodings <= 1);
    SEMEL_ASSERT((head.framing == Framing::length) == (lengths == 1));
    SEMEL_ASSERT((head.framing == Framing::chunked) == (encodings == 1));
    static_cast<void>(percent_decode(head.path));
    static_cast<void>(parse_query(head.query));
}

}  // namespace

// The first byte says where the rest is cut.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto head = scan_head(bytes, data[0]);
    if (!head) return 0;
    const auto parsed = parse_head(*head, kHeadersMax);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
        SEMEL_ASSERT(refusal->status >= 400 && refusal->status < 600 && !refusal->detail.empty());
    } else {
        check(std::get<Head>(parsed));
    }
    return 0;
}
