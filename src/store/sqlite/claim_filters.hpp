// ClaimFilters: finds the segments of the claim table that might have a claim (see ClaimTable).
//
// Each segment has a Bloom filter. The filters are stored transposed: one row per bit position, one
// bit per segment. So a lookup in thousands of segments reads only 14 rows.
//
// Errors: none. It only uses memory. Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/actions/job.hpp"

namespace semel::sqlite {

// Bits of one filter: 20 for each claim of a full segment. With thousands of segments, one in six
// lookups of an absent id finds a candidate.
inline constexpr std::size_t kFilterBits = 81'920;
inline constexpr std::size_t kFilterBytes = kFilterBits / 8;

// The filter of a segment with these ids.
[[nodiscard]] std::string make_filter(const std::vector<ClaimId>& ids);

class ClaimFilters {
public:
    // Adds a segment's filter and returns its column. Columns of removed segments are used again.
    // REQUIRES: `filter` has kFilterBytes.
    std::size_t add(std::string_view filter);
    void remove(std::size_t column);

    // Returns the columns that can have the id. All others do not have it.
    [[nodiscard]] std::vector<std::size_t> candidates(const ClaimId& id) const;

private:
    void widen();
    [[nodiscard]] std::uint64_t& word(std::size_t position, std::size_t column) {
        return rows_[position * words_ + column / 64];
    }

    std::size_t words_ = 0;            // words per row
    std::vector<std::uint64_t> rows_;  // kFilterBits rows, one after another
    std::size_t columns_ = 0;
    std::vector<std::size_t> free_;  // columns of removed segments
};

}  // namespace semel::sqlite
