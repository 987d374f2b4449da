#include "core/schedules/spent_slots.hpp"

#include <algorithm>

namespace semel {
namespace {

using Ranges = std::vector<SlotRange>;

// Returns the first range that does not end before the time.
Ranges::const_iterator first_until(const Ranges& ranges, Time time) {
    return std::partition_point(ranges.begin(), ranges.end(),
                                [&](const SlotRange& range) { return range.last < time; });
}

}  // namespace

void SpentSlots::add(Time slot) {
    if (around(slot) != nullptr) {
        return;
    }
    ranges_.insert(first_until(ranges_, slot), SlotRange{slot, slot});
    if (ranges_.size() > kMax) {
        join_nearest();
    }
}

void SpentSlots::join_nearest() {
    std::size_t nearest = 1;
    for (std::size_t i = 2; i < ranges_.size(); ++i) {
        const Millis gap = ranges_[i].first - ranges_[i - 1].last;
        if (gap < ranges_[nearest].first - ranges_[nearest - 1].last) nearest = i;
    }
    ranges_[nearest - 1].last = ranges_[nearest].last;
    ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(nearest));
}

std::optional<Time> SpentSlots::forget_before(Time slot, Time now) {
    std::optional<Time> last;
    while (!ranges_.empty() && ranges_.front().last <= now && ranges_.front().last < slot) {
        last = ranges_.front().last;
        ranges_.erase(ranges_.begin());
    }
    return last;
}

const SlotRange* SpentSlots::around(Time slot) const {
    const auto range = first_until(ranges_, slot);
    return range != ranges_.end() && range->contains(slot) ? &*range : nullptr;
}

std::optional<Time> SpentSlots::last_until(Time time) const {
    const auto behind = first_until(ranges_, time + Millis(1));
    return behind == ranges_.begin() ? std::nullopt : std::optional(std::prev(behind)->last);
}

}  // namespace semel
