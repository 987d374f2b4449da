#include "config/listen_address.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

struct Case {
    const char* text;
    const char* written;
    bool is_loopback;
    const char* reachable;
};

TEST(ListenAddress, FormsThatAreUnderstood) {
    const Case cases[] = {
        {"127.0.0.1:7363", "127.0.0.1:7363", true, "127.0.0.1:7363"},
        {"127.8.9.1:1", "127.8.9.1:1", true, "127.8.9.1:1"},
        {"[::1]:7363", "[::1]:7363", true, "[::1]:7363"},
        {"localhost:0", "localhost:0", true, "localhost:0"},
        {":7363", "0.0.0.0:7363", false, "127.0.0.1:7363"},
        {"0.0.0.0:80", "0.0.0.0:80", false, "127.0.0.1:80"},
        {"[::]:80", "[::]:80", false, "[::1]:80"},
        {"192.168.1.2:80", "192.168.1.2:80", false, "192.168.1.2:80"},
        // A name may mean anything to a resolver, so it is not taken for loopback.
        {"127.0.0.1.example.com:80", "127.0.0.1.example.com:80", false, "127.0.0.1.example.com:80"},
        {"[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", false, "[::ffff:127.0.0.1]:80"},
    };
    for (const Case& expected : cases) {
        const auto address = ListenAddress::parse(expected.text);
        ASSERT_TRUE(address) << expected.text;
        EXPECT_EQ(address->to_string(), expected.written);
        EXPECT_EQ(address->is_loopback(), expected.is_loopback) << expected.text;
        EXPECT_EQ(address->reachable(), expected.reachable);
    }
}

TEST(ListenAddress, WhatIsNoneIsRefused) {
    for (const char* text : {"", "7363", "localhost", "127.0.0.1:", "127.0.0.1:65536",
                             "127.0.0.1:-1", "127.0.0.1:http", "::1:7363", "http://127.0.0.1:80",
                             "[::1:80", "a b:80", "user@host:80"}) {
        const auto address = ListenAddress::parse(text);
        ASSERT_FALSE(address) << text;
        EXPECT_NE(address.error().message().find("write host:port"), std::string::npos);
    }
}

}  // namespace
}  // namespace semel
