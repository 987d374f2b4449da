#include "store/sqlite/claim_filters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/assert.hpp"

namespace semel::sqlite {
namespace {

constexpr std::size_t kBitsOfId = 14;  // the best number for 20 bits a claim
constexpr std::size_t kWordBits = 64;

// Takes the positions from the bytes of the id, which is a hash already. Skips the first eight
// bytes, by which segments are sorted.
std::array<std::size_t, kBitsOfId> positions(const ClaimId& id) {
    std::uint64_t start = 0;
    std::uint64_t step = 0;
    std::memcpy(&start, &id.bytes[8], sizeof(start));
    std::memcpy(&step, &id.bytes[16], sizeof(step));
    std::array<std::size_t, kBitsOfId> found{};
    for (std::size_t& position : found) {
        position = start % kFilterBits;
        start += step;
    }
    return found;
}

bool has_bit(std::string_view filter, std::size_t position) {
    return (static_cast<unsigned char>(filter[position / 8]) >> (position % 8) & 1U) != 0;
}

}  // namespace

std::string make_filter(const std::vector<ClaimId>& ids) {
    std::string filter(kFilterBytes, '\0');
    for (const ClaimId& id : ids) {
        for (const std::size_t position : positions(id)) {
            char& byte = filter[position / 8];
            byte = static_cast<char>(static_cast<unsigned char>(byte) | (1U << (position % 8)));
        }
    }
    return filter;
}

void ClaimFilters::widen() {
    const std::size_t wider = std::max<std::size_t>(1, words_ * 2);
    std::vector<std::uint64_t> rows(kFilterBits * wider);
    for (std::size_t position = 0; position < kFilterBits && words_ > 0; ++position) {
        std::copy_n(&rows_[position * words_], words_, &rows[position * wider]);
    }
    rows_ = std::move(rows);
    words_ = wider;
}

std::size_t ClaimFilters::add(std::string_view filter) {
    SEMEL_ASSERT(filter.size() == kFilterBytes);
    std::size_t column = columns_;
    if (!free_.empty()) {
        column = free_.back();
        free_.pop_back();
    } else if (++columns_ > words_ * kWordBits) {
        widen();
    }
    const std::uint64_t bit = std::uint64_t{1} << (column % kWordBits);
    for (std::size_t position = 0; position < kFilterBits; ++position) {
        if (has_bit(filter, position)) word(position, column) |= bit;
    }
    return column;
}

void ClaimFilters::remove(std::size_t column) {
    const std::uint64_t bit = std::uint64_t{1} << (column % kWordBits);
    for (std::size_t position = 0; position < kFilterBits; ++position) {
        word(position, column) &= ~bit;
    }
    free_.push_back(column);
}

std::vector<std::size_t> ClaimFilters::candidates(const ClaimId& id) const {
    std::vector<std::size_t> columns;
    if (words_ == 0) {
        return columns;
    }
    std::vector<std::uint64_t> left(words_, ~std::uint64_t{0});
    for (const std::size_t position : positions(id)) {
        const std::uint64_t* row = &rows_[position * words_];
        std::transform(left.begin(), left.end(), row, left.begin(), std::bit_and<>());
    }
    for (std::size_t i = 0; i < words_; ++i) {
        for (std::uint64_t word = left[i]; word != 0; word &= word - 1) {
            columns.push_back(i * kWordBits + static_cast<std::size_t>(std::countr_zero(word)));
        }
    }
    return columns;
}

}  // namespace semel::sqlite
