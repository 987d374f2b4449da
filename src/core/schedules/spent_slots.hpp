// SpentSlots: the slots of a schedule that were used before their time.
//
// An occurrence uses its slot early if an operator runs or cancels it early. The schedule's rule
// must later skip exactly these slots. A plain value.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace semel {

// The slots from `first` to `last`, both included.
struct SlotRange {
    Time first;
    Time last;

    bool operator==(const SlotRange&) const = default;
    [[nodiscard]] bool contains(Time slot) const { return first <= slot && slot <= last; }
};

class SpentSlots {
public:
    // The number of ranges that are kept apart. With one more, the two nearest ranges become one.
    // The rule then skips the slots between them too, and still uses no slot twice.
    static constexpr std::size_t kMax = 1000;

    SpentSlots() = default;
    // Takes the ranges of a stored row. REQUIRES: they are disjoint and in ascending order.
    explicit SpentSlots(std::vector<SlotRange> ranges) : ranges_(std::move(ranges)) {}

    void add(Time slot);
    // Forgets the ranges that end before `slot` and not after `now`. Returns the last slot of
    // these, or nullopt if no range was forgotten.
    std::optional<Time> forget_before(Time slot, Time now);

    [[nodiscard]] bool is_empty() const { return ranges_.empty(); }
    [[nodiscard]] const std::vector<SlotRange>& ranges() const { return ranges_; }
    // Returns the range that contains the slot, or null if the slot is unused.
    [[nodiscard]] const SlotRange* around(Time slot) const;
    // Returns the end of the last range that ends at or before `time`.
    [[nodiscard]] std::optional<Time> last_until(Time time) const;

    bool operator==(const SpentSlots&) const = default;

private:
    void join_nearest();

    std::vector<SlotRange> ranges_;
};

}  // namespace semel
