// ClaimFilters: in which of many segments a claim may lie, asked of all of them at once.
//
// Each segment has a Bloom filter. They are kept crosswise: a row for each position, with a bit for
// each segment. So an id is looked up in thousands of them by reading a few rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.hpp"

namespace semel::sqlite {

// Of one filter: 20 for each claim of a full segment. Of thousands of segments that do not hold an
// id, the filters of one in six look-ups let one pass.
inline constexpr std::size_t kFilterBits = 81'920;
inline constexpr std::size_t kFilterBytes = kFilterBits / 8;

[[nodiscard]] std::string make_filter(const std::vector<ClaimId>& ids);

class ClaimFilters {
public:
    // Answers the segment's column, which may be one that was removed before.
    // REQUIRES: kFilterBytes of them.
    std::size_t add(std::string_view filter);
    void remove(std::size_t column);

    // The columns that may hold it; no other does.
    [[nodiscard]] std::vector<std::size_t> candidates(const ClaimId& id) const;

private:
    void widen();
    [[nodiscard]] std::uint64_t& word(std::size_t position, std::size_t column) {
        return rows_[position * words_ + column / 64];
    }

    std::size_t words_ = 0;            // in a row
    std::vector<std::uint64_t> rows_;  // kFilterBits rows, one behind the other
    std::size_t columns_ = 0;
    std::vector<std::size_t> free_;  // columns that were removed
};

}  // namespace semel::sqlite
