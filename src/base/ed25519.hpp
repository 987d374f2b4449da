// SigningKey and is_signed_by: sign and verify bytes with Ed25519 (RFC 8032).
//
// A public key has 32 bytes, a signature 64. One key and one message always give the same
// signature. Anyone with the public key can verify it.
//
// Errors: none. If OpenSSL fails while signing, an assertion ends the process.
// Threads: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace semel {

class SigningKey {
public:
    static constexpr std::size_t kSecretBytes = 32;

    // REQUIRES: kSecretBytes bytes from a secure generator, such as random_bytes().
    explicit SigningKey(std::string secret);

    [[nodiscard]] const std::string& public_key() const { return public_key_; }  // 32 bytes
    // Returns the signature, 64 bytes.
    [[nodiscard]] std::string sign(std::string_view message) const;

private:
    std::string secret_;
    std::string public_key_;
};

// Returns true only if the owner of `public_key` signed `message`. A key or signature that is
// malformed or has the wrong length gives false.
[[nodiscard]] bool is_signed_by(std::string_view public_key, std::string_view message,
                                std::string_view signature);

}  // namespace semel
