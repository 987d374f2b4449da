// Whatever bytes a peer answers: the client finds a head wherever they are cut, refuses it, or has
// a status and one way to find the body's end.
#include <cstddef>
#include <cstdint>
#include <string>

#include "head_input.hpp"

// The first byte says where the rest is cut.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace semel::net;
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto head = scan_head(bytes, data[0]);
    if (!head) return 0;
    const auto parsed = parse_status_head(*head);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
        SEMEL_ASSERT(!refusal->detail.empty());
        return 0;
    }
    const auto& accepted = std::get<StatusHead>(parsed);
    SEMEL_ASSERT(accepted.status >= 100 && accepted.status <= 999);
    check_headers(accepted.headers);
    return 0;
}
