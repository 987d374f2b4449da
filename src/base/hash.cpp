#include "base/hash.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/assert.hpp"
#include "base/mutation.hpp"
#include "base/text.hpp"

namespace semel {
namespace {

// Fetched once: looking the algorithm up for each digest costs more than the digest.
const EVP_MD* sha256_algorithm() {
    static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    SEMEL_ASSERT(kAlgorithm != nullptr);
    return kAlgorithm;
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

struct FieldHasher::Context {
    EVP_MD_CTX* md = EVP_MD_CTX_new();
    Context() {
        SEMEL_ASSERT(md != nullptr && EVP_DigestInit_ex(md, sha256_algorithm(), nullptr) == 1);
    }
    ~Context() { EVP_MD_CTX_free(md); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

FieldHasher::FieldHasher(std::string_view domain_tag) : context_(std::make_unique<Context>()) {
    field(domain_tag);
}

FieldHasher::~FieldHasher() = default;

FieldHasher& FieldHasher::field(std::string_view value) {
    std::array<std::uint8_t, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] =
            static_cast<std::uint8_t>(static_cast<std::uint64_t>(value.size()) >> (8 * (7 - i)));
    }
    if (!SEMEL_MUTATION(no_length_prefix)) {
        SEMEL_ASSERT(EVP_DigestUpdate(context_->md, length.data(), length.size()) == 1);
    }
    SEMEL_ASSERT(EVP_DigestUpdate(context_->md, value.data(), value.size()) == 1);
    return *this;
}

Hash256 FieldHasher::finish() {
    Hash256 hash;
    SEMEL_ASSERT(EVP_DigestFinal_ex(context_->md, hash.bytes.data(), nullptr) == 1);
    return hash;
}

Hash256 sha256(std::string_view data) {
    Hash256 hash;
    SEMEL_ASSERT(EVP_Digest(data.data(), data.size(), hash.bytes.data(), nullptr,
                            sha256_algorithm(), nullptr) == 1);
    return hash;
}

bool constant_time_equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace semel
