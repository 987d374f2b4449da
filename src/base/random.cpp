#include "base/random.hpp"

#include <openssl/rand.h>

#include "base/assert.hpp"

namespace semel {

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    SEMEL_ASSERT(
        RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) == 1);
    return bytes;
}

std::uint64_t random_u64() {
    std::uint64_t value = 0;
    SEMEL_ASSERT(RAND_bytes(reinterpret_cast<unsigned char*>(&value), sizeof(value)) == 1);
    return value;
}

}  // namespace semel
