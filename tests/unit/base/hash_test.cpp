#include "base/hash.hpp"

#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::string_literals;

// FIPS 180-4 examples.
TEST(Sha256, MatchesTheStandardsVectors) {
    EXPECT_EQ(sha256("").to_hex(),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc").to_hex(),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").to_hex(),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')).to_hex(),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash256, IsReadBackFromHex) {
    const Hash256 hash = sha256("abc");
    EXPECT_EQ(Hash256::parse(hash.to_hex()), hash);
    EXPECT_FALSE(Hash256::parse(""));
    EXPECT_FALSE(Hash256::parse(hash.to_hex().substr(1)));
    EXPECT_FALSE(Hash256::parse(hash.to_hex() + "0"));
    EXPECT_FALSE(Hash256::parse("g" + hash.to_hex().substr(1)));
    const std::unordered_set<Hash256> set = {hash, sha256("abd"), hash};
    EXPECT_EQ(set.size(), 2U);
}

Hash256 fields(std::initializer_list<std::string_view> values, std::string_view tag = "t") {
    FieldHasher hasher(tag);
    for (const std::string_view value : values) hasher.field(value);
    return hasher.finish();
}

TEST(FieldHasher, KeepsFieldsApart) {
    EXPECT_NE(fields({"ab", "c"}), fields({"a", "bc"}));
    EXPECT_NE(fields({"abc"}), fields({"ab", "c"}));
    EXPECT_NE(fields({"abc", ""}), fields({"abc"}));
    EXPECT_NE(fields({"", "abc"}), fields({"abc", ""}));
    EXPECT_NE(fields({"a"}, "x"), fields({"a"}, "y"));
    EXPECT_NE(fields({"b"}, "a"), fields({}, "ab"));
    EXPECT_EQ(fields({"ab", "c"}), fields({"ab", "c"}));
}

// The grammar is stored in every key: each field after its length in eight bytes, big endian.
TEST(FieldHasher, HashesLengthThenBytes) {
    EXPECT_EQ(fields({"ab"}, "tag"), sha256("\0\0\0\0\0\0\0\3tag\0\0\0\0\0\0\0\2ab"s));
    EXPECT_EQ(fields({std::string(258, 'x')}, ""),
              sha256("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2"s + std::string(258, 'x')));
}

TEST(ConstantTimeEqual, ComparesLikeEquality) {
    EXPECT_TRUE(constant_time_equal("", ""));
    EXPECT_TRUE(constant_time_equal("secret", "secret"));
    EXPECT_FALSE(constant_time_equal("secret", "secreT"));
    EXPECT_FALSE(constant_time_equal("secret", "Secret"));
    EXPECT_FALSE(constant_time_equal("secret", "secre"));
    EXPECT_FALSE(constant_time_equal("secre", "secret"));
    EXPECT_FALSE(constant_time_equal("", "secret"));
    EXPECT_FALSE(constant_time_equal("a\0b"s, "a\0c"s));
}

}  // namespace
}  // namespace semel
