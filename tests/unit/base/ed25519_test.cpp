#include "base/ed25519.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/text.hpp"

namespace semel {
namespace {

std::string bytes(std::string_view hex) {
    std::string out(hex.size() / 2, '\0');
    EXPECT_TRUE(from_hex(hex, reinterpret_cast<std::uint8_t*>(out.data()), out.size())) << hex;
    return out;
}

// RFC 8032, section 7.1, tests 1 and 2.
TEST(Ed25519, MatchesTheStandardsVectors) {
    const SigningKey empty(
        bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
    EXPECT_EQ(empty.public_key(),
              bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    EXPECT_EQ(empty.sign(""),
              bytes("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"));
    const SigningKey one(bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
    EXPECT_EQ(one.public_key(),
              bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
    EXPECT_EQ(one.sign("\x72"),
              bytes("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
}

TEST(Ed25519, OnlyTheSameMessageUnderTheSameKeyIsSigned) {
    const SigningKey key(random_bytes(SigningKey::kSecretBytes));
    const SigningKey other(random_bytes(SigningKey::kSecretBytes));
    const std::string signature = key.sign("message");
    EXPECT_TRUE(is_signed_by(key.public_key(), "message", signature));
    EXPECT_EQ(key.sign("message"), signature);
    EXPECT_FALSE(is_signed_by(key.public_key(), "massage", signature));
    EXPECT_FALSE(is_signed_by(other.public_key(), "message", signature));
    for (std::size_t i = 0; i < signature.size(); ++i) {
        std::string changed = signature;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(is_signed_by(key.public_key(), "message", changed)) << i;
    }
}

TEST(Ed25519, WhatIsNoKeyAndNoSignatureSignsNothing) {
    const SigningKey key(random_bytes(SigningKey::kSecretBytes));
    const std::string signature = key.sign("m");
    EXPECT_FALSE(is_signed_by("", "m", signature));
    EXPECT_FALSE(is_signed_by(key.public_key() + "x", "m", signature));
    EXPECT_FALSE(is_signed_by(key.public_key(), "m", ""));
    EXPECT_FALSE(is_signed_by(key.public_key(), "m", signature + "x"));
    EXPECT_FALSE(is_signed_by(key.public_key(), "m", signature.substr(1)));
    EXPECT_FALSE(is_signed_by(std::string(32, '\xFF'), "m", signature)) << "no point of the curve";
}

}  // namespace
}  // namespace semel
