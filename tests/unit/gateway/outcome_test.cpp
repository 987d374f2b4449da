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

}  // namespace
}  // namespace semel::gateway
