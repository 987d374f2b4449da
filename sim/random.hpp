// Random: a small generator that gives the same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>

namespace semel::sim {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // 64 bits (splitmix64).
    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        return mixed ^ (mixed >> 31);
    }

    // 0 … limit − 1.
    int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
    // low … high, both included.
    int between(int low, int high) { return low + below(high - low + 1); }
    bool one_in(int n) { return below(n) == 0; }
    bool chance(double probability) {
        return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability;
    }
    template <typename T>
    const T& any_of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

private:
    std::uint64_t state_;
};

}  // namespace semel::sim
