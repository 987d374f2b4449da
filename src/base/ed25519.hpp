// Ed25519 (RFC 8032): signatures that anyone can check who has the public key.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace semel {

class SigningKey {
public:
    static constexpr std::size_t kSecretBytes = 32;

    // REQUIRES: so many bytes; any will do, if nobody can guess them (base/random.hpp).
    explicit SigningKey(std::string secret);

    [[nodiscard]] const std::string& public_key() const { return public_key_; }  // 32 bytes
    // 64 bytes, and the same ones each time. Thread-safe.
    [[nodiscard]] std::string sign(std::string_view message) const;

private:
    std::string secret_;
    std::string public_key_;
};

// False also where a key or a signature has the wrong length, or is none.
[[nodiscard]] bool is_signed_by(std::string_view public_key, std::string_view message,
                                std::string_view signature);

}  // namespace semel
