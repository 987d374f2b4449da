// Dice: choices from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace semel::test {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] int below(int limit) {
        return static_cast<int>(engine_() % static_cast<std::uint64_t>(limit));
    }
    [[nodiscard]] bool one_in(int n) { return below(n) == 0; }
    template <typename T>
    [[nodiscard]] const T& any_of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace semel::test
