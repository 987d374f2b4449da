// Whatever bytes come as a zone file: it is refused with words, or it is a zone whose answers agree
// with each other at any time.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "core/time/time_zone.hpp"

namespace {

using namespace semel;
using std::chrono::local_seconds;
using std::chrono::seconds;
using std::chrono::sys_seconds;

void check_at(const TimeZone& zone, sys_seconds time) {
    const OffsetSpan span = zone.span_at(time);
    SEMEL_ASSERT(span.begin <= time);
    SEMEL_ASSERT(time < span.end);
    SEMEL_ASSERT(span.offset == zone.offset_at(time));

    const local_seconds local = zone.local_at(time);
    const TimeZone::Instants instants = zone.instants_of(local);
    SEMEL_ASSERT(instants.kind != TimeZone::Instants::Kind::gap);
    SEMEL_ASSERT(instants.first <= time);
    SEMEL_ASSERT(time <= instants.last);
    SEMEL_ASSERT(zone.local_at(instants.first) == local);

    const sys_seconds reached = zone.first_reaching(local);
    SEMEL_ASSERT(reached <= instants.first);
    SEMEL_ASSERT(zone.local_at(reached) >= local);
    const local_seconds latest = zone.latest_shown(time);
    SEMEL_ASSERT(latest >= local);
    SEMEL_ASSERT(zone.first_reaching(latest) <= time);
    SEMEL_ASSERT(zone.first_reaching(latest + seconds(1)) > time);
}

}  // namespace

// The input is a zone file.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto zone = TimeZone::parse("Fuzz/Zone", bytes);
    if (!zone) {
        SEMEL_ASSERT(!zone.error().message().empty());
        return 0;
    }
    std::uint64_t mixed = size;
    for (const std::uint8_t byte : std::basic_string_view<std::uint8_t>(data, size)) {
        mixed = mixed * 1099511628211ULL + byte;
    }
    for (int n = 0; n < 8; ++n) {
        mixed = mixed * 6364136223846793005ULL + 1442695040888963407ULL;
        // 1969 to 10000, and around the changes near there.
        const sys_seconds time(seconds(static_cast<std::int64_t>(mixed >> 16U) % 253'402'300'800));
        check_at(**zone, time);
        const OffsetSpan span = (*zone)->span_at(time);
        if (span.begin > sys_seconds()) {
            check_at(**zone, span.begin);
            check_at(**zone, span.begin - seconds(1));
        }
    }
    return 0;
}
