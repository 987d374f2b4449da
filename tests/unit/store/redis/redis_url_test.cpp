// The URL of a Redis server: what it says, and what is said of one that is none.
#include "store/redis/redis_url.hpp"

#include <gmock/gmock.h>

namespace semel::redis {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RedisUrl, SaysWhereTheServerIsAndWhoWeAre) {
    const std::pair<const char*, RedisUrl> cases[] = {
        {kDefaultUrl, {.host = "127.0.0.1", .shown = "redis://127.0.0.1:6379/0"}},
        {"redis://cache", {.host = "cache", .shown = "redis://cache:6379/0"}},
        {"redis://cache/", {.host = "cache", .shown = "redis://cache:6379/0"}},
        {"redis://cache:7000/3",
         {.host = "cache", .port = 7000, .database = 3, .shown = "redis://cache:7000/3"}},
        {"redis://[::1]:7000", {.host = "::1", .port = 7000, .shown = "redis://[::1]:7000/0"}},
        {"redis://[::1]", {.host = "::1", .shown = "redis://[::1]:6379/0"}},
        {"redis://:se%40c%2Fr:et@cache",
         {.host = "cache", .password = "se@c/r:et", .shown = "redis://cache:6379/0"}},
        {"redis://semel:hush@cache:1",
         {.host = "cache",
          .port = 1,
          .user = "semel",
          .password = "hush",
          .shown = "redis://semel@cache:1/0"}},
    };
    for (const auto& [url, expected] : cases) {
        const auto parsed = parse_url(url);
        ASSERT_TRUE(parsed.has_value()) << url << ": " << parsed.error().message();
        EXPECT_EQ(*parsed, expected) << url << " " << parsed->shown;
    }
}

TEST(RedisUrl, AnErrorSaysWhatIsWrongAndNeverAPassword) {
    const std::pair<const char*, const char*> cases[] = {
        {"cache:6379", "must begin with redis://"},
        {"postgres://:hush@host/db", "must begin with redis://"},
        {"rediss://:hush@cache", "TLS"},
        {"redis://", "the host is missing"},
        {"redis://:hush@", "the host is missing"},
        {"redis://hush@cache", "a password stands behind a colon"},
        {"redis://:@cache", "the password is empty"},
        {"redis://:hush%zz@cache", "two hexadecimal digits"},
        {"redis://:hush%4", "the host is missing"},
        {"redis://:hush/more@cache:x", "the port must be a number"},
        {"redis://cache:0", "the port must be a number from 1 to 65535"},
        {"redis://cache:70000", "the port must be a number"},
        {"redis://cache/hush", "the database must be a number from 0"},
        {"redis://cache/-1", "the database must be a number"},
        {"redis://cache/0?db=hush", "nothing may follow the database"},
        {"redis://[::1", "brackets"},
        {"redis://[::1]7000", "behind a colon"},
        {"redis://ca che", "the host is missing, or is none"},
    };
    for (const auto& [url, words] : cases) {
        const auto parsed = parse_url(url);
        ASSERT_FALSE(parsed.has_value()) << url;
        EXPECT_EQ(parsed.error().code(), ErrorCode::invalid);
        EXPECT_THAT(parsed.error().message(), HasSubstr(words)) << url;
        EXPECT_THAT(parsed.error().message(), HasSubstr("in `stores.url`")) << url;
        EXPECT_THAT(parsed.error().message(), Not(HasSubstr("hush"))) << url;
    }
}

}  // namespace
}  // namespace semel::redis
