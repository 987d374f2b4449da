// Whatever text comes as an interval: it is refused with words, or it is from a second to a century
// and its slots keep the contract's rules at any two times.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "core/limits.hpp"
#include "core/schedules/recurrence.hpp"
#include "core/schedules/rule_words.hpp"

namespace {

using namespace semel;

void check_missed(const Rule& rule, Time slot, Time now) {
    SEMEL_ASSERT(apply_missed_policy(rule, Missed::all, slot, now) == slot);
    const auto latest = apply_missed_policy(rule, Missed::latest, slot, now);
    const auto skip = apply_missed_policy(rule, Missed::skip, slot, now);
    SEMEL_ASSERT(latest);
    SEMEL_ASSERT(*latest >= slot);
    if (*latest == slot) return;
    // It was missed: the latest is due, the one after it is not, and it lies on the grid.
    SEMEL_ASSERT(*latest <= now);
    SEMEL_ASSERT((*latest - slot) % *rule.interval() == Millis(0));
    SEMEL_ASSERT(rule.after(*latest) == skip);
    SEMEL_ASSERT(!skip || *skip > now);
    SEMEL_ASSERT(apply_missed_policy(rule, Missed::latest, *latest, now) == latest);
}

}  // namespace

// The input is two times of 8 bytes and an interval.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t raw[2] = {};
    if (size < sizeof raw) return 0;
    std::memcpy(raw, data, sizeof raw);
    const Time slot = from_ms(static_cast<std::int64_t>(raw[0] % (kTimeMaxMs + 1)));
    const Time now = from_ms(static_cast<std::int64_t>(raw[1] % (kTimeMaxMs + 1)));
    const std::string text(reinterpret_cast<const char*>(data) + sizeof raw, size - sizeof raw);
    const auto rule = Rule::every(text);
    if (!rule) {
        SEMEL_ASSERT(is_valid_utf8(rule.error().message()));
        return 0;
    }
    SEMEL_ASSERT(*rule->interval() >= Millis(1000));
    SEMEL_ASSERT(*rule->interval() <= kDelayMax);
    SEMEL_ASSERT(!rule_in_words(*rule, now).empty());
    check_missed(*rule, slot, now);
    SEMEL_ASSERT(next_runs(*rule, slot, 3).front() == slot);
    return 0;
}
