// The slots ahead that a schedule has had: those of occurrences that were run or cancelled before
// their time. Each is remembered by itself, so that a rule steps over these and no others.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace semel {

// Slots from one to another, both of them included.
struct SlotRange {
    Time first;
    Time last;

    bool operator==(const SlotRange&) const = default;
    [[nodiscard]] bool contains(Time slot) const { return first <= slot && slot <= last; }
};

class SpentSlots {
public:
    // How many are told apart. With more of them the two that are nearest to each other become one
    // range: what lies between is stepped over too, but no slot is had twice.
    static constexpr std::size_t kMax = 1000;

    SpentSlots() = default;
    // From a stored row; apart from one another and in their order.
    explicit SpentSlots(std::vector<SlotRange> ranges) : ranges_(std::move(ranges)) {}

    void add(Time slot);
    // Forgets those before `slot` whose time has come, and answers the last of them.
    std::optional<Time> forget_before(Time slot, Time now);

    [[nodiscard]] bool is_empty() const { return ranges_.empty(); }
    [[nodiscard]] const std::vector<SlotRange>& ranges() const { return ranges_; }
    // The range that the slot lies in; null: it was not had.
    [[nodiscard]] const SlotRange* around(Time slot) const;
    // The last one at or before `time`.
    [[nodiscard]] std::optional<Time> last_until(Time time) const;

    bool operator==(const SpentSlots&) const = default;

private:
    void join_nearest();

    std::vector<SlotRange> ranges_;
};

}  // namespace semel
