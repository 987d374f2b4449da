#include "base/ip_range.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

struct Question {
    const char* range;
    const char* address;
    bool is_inside;
};

TEST(IpRange, ContainsTheAddressesOfItsPrefix) {
    constexpr Question kQuestions[] = {
        {"127.0.0.1/32", "127.0.0.1", true},
        {"127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "127.0.0.2", false},
        {"10.0.0.0/8", "10.255.255.255", true},
        {"10.0.0.0/8", "11.0.0.0", false},
        {"192.168.4.0/22", "192.168.7.255", true},
        {"192.168.4.0/22", "192.168.8.0", false},
        {"0.0.0.0/0", "203.0.113.9", true},
        {"0.0.0.0/0", "::1", false},
        {"::1/128", "::1", true},
        {"::1", "::2", false},
        {"2001:db8::/32", "2001:db8:ffff::1", true},
        {"2001:db8::/32", "2001:db9::1", false},
        // A listener of both families sees IPv4 clients in the IPv6 form.
        {"10.0.0.0/8", "::ffff:10.1.2.3", true},
        {"::ffff:10.0.0.0/104", "10.1.2.3", true},
        {"10.0.0.0/8", "no address", false},
        {"0.0.0.0/0", "", false},
    };
    for (const Question& question : kQuestions) {
        const auto range = IpRange::parse(question.range);
        ASSERT_TRUE(range) << question.range;
        EXPECT_EQ(range->contains(question.address), question.is_inside)
            << question.range << " and " << question.address;
    }
}

TEST(IpRange, AnotherFormIsNoRange) {
    for (const char* text :
         {"", "/8", "localhost", "127.0.0.1/", "127.0.0.1/33", "127.0.0.1/-1", "127.1", "0x7f.1",
          "10.1.0.0/8", "::1/129", "::1/64", "[::1]/128", "10.0.0.0/8/8", "10.0.0.0 /8"}) {
        EXPECT_FALSE(IpRange::parse(text)) << text;
    }
}

TEST(IpRange, TheHostOfAPeerHasNeitherPortNorBrackets) {
    EXPECT_EQ(host_of_peer("192.0.2.1:5555"), "192.0.2.1");
    EXPECT_EQ(host_of_peer("[::1]:5555"), "::1");
    EXPECT_EQ(host_of_peer("[::1]"), "::1");
    EXPECT_EQ(host_of_peer("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(host_of_peer("2001:db8::1"), "2001:db8::1");
    EXPECT_EQ(host_of_peer(""), "");
}

}  // namespace
}  // namespace semel
