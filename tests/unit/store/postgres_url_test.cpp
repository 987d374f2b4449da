#include "store/postgres/postgres_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::postgres {
namespace {

using testing::HasSubstr;

PostgresUrl parsed(const std::string& url) {
    return parse_url(url).value();
}
std::string refusal(const std::string& url) {
    const auto result = parse_url(url);
    return result ? "accepted" : result.error().message();
}

TEST(PostgresUrl, IsLibpqsAndAsksForTheHostThatTakesWrites) {
    const PostgresUrl url = parsed("postgres://semel@db1,db2/app?sslmode=verify-full");
    EXPECT_EQ(url.url,
              "postgres://semel@db1,db2/app?sslmode=verify-full&target_session_attrs=read-write");
    EXPECT_EQ(parsed("postgres://h/d?target_session_attrs=any").url,
              "postgres://h/d?target_session_attrs=any");
    EXPECT_EQ(parsed("postgres://h/d").url, "postgres://h/d?target_session_attrs=read-write");
}

TEST(PostgresUrl, IsShownWithoutItsPasswordAndParameters) {
    EXPECT_EQ(parsed("postgres://me:s3:cr@et@h:5432/d?password=x").shown, "postgres://me@h:5432/d");
    EXPECT_EQ(parsed("postgres://me@h/d").shown, "postgres://me@h/d");
    EXPECT_EQ(parsed("postgres://h/d").shown, "postgres://h/d");
}

TEST(PostgresUrl, HasWordsOfItsOwnThatLibpqNeverSees) {
    const PostgresUrl url = parsed("postgres://h/d?prepared=true&committers=4");
    EXPECT_EQ(url.url, "postgres://h/d?target_session_attrs=read-write");
    EXPECT_TRUE(url.prepared);
    EXPECT_EQ(url.committers, 4);
    EXPECT_FALSE(parsed("postgres://h/d?prepared=false").prepared);
    EXPECT_FALSE(parsed("postgres://h/d").prepared);
    EXPECT_EQ(parsed("postgres://h/d").committers, 2);
}

TEST(PostgresUrl, SaysWhatIsWrongWithThem) {
    for (const char* value : {"", "=", "=yes", "=TRUE", "=1"}) {
        EXPECT_THAT(refusal("postgres://h/d?prepared" + std::string(value)),
                    HasSubstr("`prepared` must be true or false"));
    }
    for (const char* value : {"", "=", "=0", "=17", "=-1", "=2x", "=99999999999999999999"}) {
        EXPECT_THAT(refusal("postgres://h/d?committers" + std::string(value)),
                    HasSubstr("`committers` must be a number from 1 to 16"));
    }
}

}  // namespace
}  // namespace semel::postgres
