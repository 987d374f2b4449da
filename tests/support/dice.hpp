// Dice: choices from a seed, or from the bytes of a fuzzer, one after another.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace semel::test {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    // The bytes outlive the dice. When they are used up, every choice is the first.
    explicit Dice(std::string_view bytes) : has_bytes_(true), bytes_(bytes) {}

    [[nodiscard]] int below(int limit) {
        const auto count = static_cast<std::uint64_t>(limit);
        return static_cast<int>((has_bytes_ ? read(count) : engine_()) % count);
    }
    [[nodiscard]] bool one_in(int n) { return below(n) == 0; }
    template <typename T>
    [[nodiscard]] const T& any_of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    [[nodiscard]] bool is_used_up() const { return has_bytes_ && bytes_.empty(); }

private:
    // As many bytes as the choice needs: a fuzzer that changes one changes one choice.
    std::uint64_t read(std::uint64_t count) {
        std::uint64_t number = 0;
        for (std::uint64_t reach = 1; reach < count && !bytes_.empty(); reach <<= 8U) {
            number = (number << 8U) | static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
        }
        return number;
    }

    bool has_bytes_ = false;
    std::string_view bytes_;
    std::mt19937_64 engine_;
};

}  // namespace semel::test
