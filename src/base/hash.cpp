#include "base/hash.hpp"

#include <array>
#include <memory>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace semel {
namespace {

// Fetched once, because a search of the algorithm for each digest costs more than the digest.
const EVP_MD* sha256_algorithm() {
    static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    SEMEL_ASSERT(kAlgorithm != nullptr);
    return kAlgorithm;
}

// One for each thread, for the same reason.
EVP_MD_CTX* sha256_context() {
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    thread_local const std::unique_ptr<EVP_MD_CTX, Free> kContext(EVP_MD_CTX_new());
    SEMEL_ASSERT(kContext != nullptr);
    return kContext.get();
}

}  // namespace

std::string Hash256::to_hex() const {
    return semel::to_hex(bytes.data(), bytes.size());
}

std::optional<Hash256> Hash256::parse(std::string_view hex) {
    Hash256 hash;
    if (!from_hex(hex, hash.bytes.data(), hash.bytes.size())) {
        return std::nullopt;
    }
    return hash;
}

Hash256 sha256(std::string_view data) {
    Hash256 hash;
    EVP_MD_CTX* const context = sha256_context();
    SEMEL_ASSERT(EVP_DigestInit_ex(context, sha256_algorithm(), nullptr) == 1);
    SEMEL_ASSERT(EVP_DigestUpdate(context, data.data(), data.size()) == 1);
    SEMEL_ASSERT(EVP_DigestFinal_ex(context, hash.bytes.data(), nullptr) == 1);
    return hash;
}

FieldHasher& FieldHasher::field(std::string_view value) {
    std::array<char, sizeof(std::uint64_t)> size{};
    for (std::size_t i = 0; i < size.size(); ++i) {
        size[i] = static_cast<char>(std::uint64_t{value.size()} >> (56 - 8 * i));
    }
    input_.append(size.data(), size.size());
    input_ += value;
    return *this;
}

bool constant_time_equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace semel
