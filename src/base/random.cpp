#include "base/random.hpp"

#include <array>
#include <cstddef>
#include <span>

#include <openssl/rand.h>
#include <unistd.h>

#include "base/assert.hpp"

namespace semel {
namespace {

// The numbers that one call fetches, because a call of the generator costs more than its numbers.
constexpr std::size_t kNumbersFetched = 64;

void fill(std::span<std::byte> room) {
    SEMEL_ASSERT(RAND_bytes(reinterpret_cast<unsigned char*>(room.data()),
                            static_cast<int>(room.size())) == 1);
}

}  // namespace

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    fill(std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

std::uint64_t random_u64() {
    static thread_local std::array<std::uint64_t, kNumbersFetched> numbers;
    static thread_local std::size_t left = 0;
    static thread_local pid_t process = 0;  // a forked child must not use its parent's numbers
    if (left == 0 || process != getpid()) {
        fill(std::as_writable_bytes(std::span(numbers)));
        left = numbers.size();
        process = getpid();
    }
    return numbers[--left];
}

}  // namespace semel
