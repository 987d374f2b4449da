#include "gateway/outcome.hpp"

#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

TEST(Outcome, EachStatusEndsTheKeyAsItsTableSays) {
    const KeyRule rule;
    for (const int status : {200, 201, 204, 301, 304, 402, 405, 410, 418, 451, 500, 501, 507}) {
        EXPECT_EQ(key_end(status, rule), PassEnd::seal) << status;
    }
    for (const int status : {400, 401, 403, 404, 408, 409, 422, 425, 429, 503}) {
        EXPECT_EQ(key_end(status, rule), PassEnd::release) << status;
    }
    for (const int status : {502, 504}) EXPECT_EQ(key_end(status, rule), PassEnd::doubt) << status;
}

TEST(Outcome, ARouteMayFreeTheKeyAfterAFailureOfItsUpstream) {
    const KeyRule rule{.releases_5xx = true};
    EXPECT_EQ(key_end(500, rule), PassEnd::release);
    EXPECT_EQ(key_end(502, rule), PassEnd::doubt);
    EXPECT_EQ(key_end(410, rule), PassEnd::seal);
}

TEST(GuardOutcome, OnlyASuccessIsSealed) {
    const GuardRule rule;
    for (const int status : {200, 201, 202, 204, 299}) {
        EXPECT_EQ(guard_end(status, "", rule), PassEnd::seal) << status;
    }
    for (const int status : {301, 304, 400, 404, 409, 410, 418, 500, 503}) {
        EXPECT_EQ(guard_end(status, "", rule), PassEnd::release) << status;
    }
    for (const int status : {502, 504}) {
        EXPECT_EQ(guard_end(status, "", rule), PassEnd::doubt) << status;
    }
}

TEST(GuardOutcome, ASuccessWhoseBodySaysThatItFailedIsReleased) {
    const GuardRule by_text{.failed_when = FailedAnswer{"/status", R"("failed")"}};
    EXPECT_EQ(guard_end(200, R"({"status":"failed"})", by_text), PassEnd::release);
    EXPECT_EQ(guard_end(200, R"({"status":"f\u0061iled"})", by_text), PassEnd::release);
    EXPECT_EQ(guard_end(502, R"({"status":"failed"})", by_text), PassEnd::doubt);
    for (const char* body : {R"({"status":"sent"})", "{}", R"({"status":["failed"]})", "failed", "",
                             R"({"status":"failed")", "\xef\xbb\xbf{}"}) {
        EXPECT_EQ(guard_end(200, body, by_text), PassEnd::seal) << body;
    }
    const GuardRule by_value{.failed_when = FailedAnswer{"/ok", "false"}};
    EXPECT_EQ(guard_end(200, R"({"ok":false})", by_value), PassEnd::release);
    EXPECT_EQ(guard_end(200, R"({"ok":"false"})", by_value), PassEnd::seal);
    const GuardRule by_number{.failed_when = FailedAnswer{"/code", "0"}};
    EXPECT_EQ(guard_end(200, R"({"code":0.0})", by_number), PassEnd::release);
}

}  // namespace
}  // namespace semel::gateway
