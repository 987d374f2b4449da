// Whatever text comes as a cursor: it is refused, or it is the one cursor of the place that it
// leads to. So two texts never mean the same walk.
#include <cstddef>
#include <cstdint>
#include <string>

#include "api/base64.hpp"
#include "api/cursor.hpp"
#include "base/assert.hpp"

// The input is a cursor's text; and again the bytes inside one, whose head is made right.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace semel;
    static const WalkFields kWalk = {"actions", "default", "pending"};
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::string head = from_base64url(make_cursor(kWalk, Uuid{}))->substr(0, 9);
    for (const std::string& cursor : {text, base64url(head + text)}) {
        const auto id = read_id_cursor(cursor, kWalk);
        if (const auto* found = std::get_if<Uuid>(&id)) {
            SEMEL_ASSERT(make_cursor(kWalk, *found) == cursor);
        }
        const auto number = read_number_cursor(cursor, kWalk);
        if (const auto* found = std::get_if<std::int64_t>(&number)) {
            SEMEL_ASSERT(make_cursor(kWalk, *found) == cursor);
        }
        SEMEL_ASSERT(std::holds_alternative<Problem>(id) ||
                     std::holds_alternative<Problem>(number));
    }
    return 0;
}
