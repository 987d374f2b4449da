// Whatever text comes as a cron expression: it is refused with words, or it has runs, and next and
// last agree about them; in zones whose clocks change by an hour, by half an hour, and by a day.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "core/schedules/rule_words.hpp"
#include "core/time/cron.hpp"

namespace {

using namespace semel;

// A zone file without transitions, but with this last line.
std::shared_ptr<const TimeZone> ruled(const std::string& rule) {
    std::string header("TZif2");
    header.resize(44, '\0');
    header[39] = 1;  // one type
    const std::string type(6, '\0');
    auto zone = TimeZone::parse("Fuzz/Zone", header + type + header + type + "\n" + rule + "\n");
    SEMEL_ASSERT(zone);
    return *zone;
}

const std::array<std::shared_ptr<const TimeZone>, 5>& zones() {
    static const std::array<std::shared_ptr<const TimeZone>, 5> kAll = {
        TimeZone::utc(), ruled("CET-1CEST,M3.5.0,M10.5.0/3"),
        ruled("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"), ruled("AAA12BBB-12,M6.1.0/0,M9.1.0/0"),
        ruled("EET-2EEST,M3.4.4/50,M10.4.4/50")};
    return kAll;
}

void check(const Rule& rule, Time time) {
    const auto& [cron, zone] = *rule.in_zone();
    const auto next = cron.next_after(time, *zone);
    const auto last = cron.last_at_or_before(time, *zone);
    if (next) {
        SEMEL_ASSERT(*next > time);
        SEMEL_ASSERT(cron.last_at_or_before(*next, *zone) == next);
        SEMEL_ASSERT(cron.last_at_or_before(*next - Millis(1), *zone) == last);
    }
    if (last) {
        SEMEL_ASSERT(*last <= time);
        SEMEL_ASSERT(cron.next_after(*last, *zone) == next);
    }
    SEMEL_ASSERT(is_valid_utf8(rule_in_words(rule, time)));
}

}  // namespace

// The input is a time of 8 bytes and an expression.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t raw = 0;
    if (size < sizeof raw) return 0;
    std::memcpy(&raw, data, sizeof raw);
    const Time time = from_ms(static_cast<std::int64_t>(raw % (kTimeMaxMs + 1)));
    const std::string text(reinterpret_cast<const char*>(data) + sizeof raw, size - sizeof raw);
    for (const auto& zone : zones()) {
        const auto rule = Rule::cron(text, zone);
        if (!rule) {
            SEMEL_ASSERT(is_valid_utf8(rule.error().message()));
            return 0;
        }
        check(*rule, time);
    }
    return 0;
}
