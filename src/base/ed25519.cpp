#include "base/ed25519.hpp"

#include <memory>
#include <utility>

#include <openssl/evp.h>

#include "base/assert.hpp"

namespace semel {
namespace {

constexpr std::size_t kPublicBytes = 32;
constexpr std::size_t kSignatureBytes = 64;

struct FreeOpenssl {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Pkey = std::unique_ptr<EVP_PKEY, FreeOpenssl>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeOpenssl>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

Pkey private_key(std::string_view secret) {
    Pkey key(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(secret), secret.size()));
    SEMEL_ASSERT(key != nullptr);
    return key;
}

}  // namespace

SigningKey::SigningKey(std::string secret) : secret_(std::move(secret)) {
    SEMEL_ASSERT(secret_.size() == kSecretBytes);
    const Pkey key = private_key(secret_);
    public_key_.resize(kPublicBytes);
    std::size_t size = kPublicBytes;
    SEMEL_ASSERT(EVP_PKEY_get_raw_public_key(key.get(), bytes_of(public_key_), &size) == 1);
    SEMEL_ASSERT(size == kPublicBytes);
}

std::string SigningKey::sign(std::string_view message) const {
    const Pkey key = private_key(secret_);
    const Context context(EVP_MD_CTX_new());
    SEMEL_ASSERT(context != nullptr);
    SEMEL_ASSERT(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
    std::string signature(kSignatureBytes, '\0');
    std::size_t size = signature.size();
    SEMEL_ASSERT(EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(message),
                                message.size()) == 1);
    SEMEL_ASSERT(size == kSignatureBytes);
    return signature;
}

bool is_signed_by(std::string_view public_key, std::string_view message,
                  std::string_view signature) {
    if (public_key.size() != kPublicBytes || signature.size() != kSignatureBytes) {
        return false;
    }
    const Pkey key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(public_key),
                                               public_key.size()));
    const Context context(EVP_MD_CTX_new());
    return key != nullptr && context != nullptr &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                            message.size()) == 1;
}

}  // namespace semel
