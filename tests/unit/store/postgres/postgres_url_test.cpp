#include "store/postgres/postgres_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::postgres {
namespace {

using testing::HasSubstr;
using testing::Not;

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
    EXPECT_EQ(parsed("postgres://me:s3:cret@h:5432/d?password=x").shown, "postgres://me@h:5432/d");
    EXPECT_EQ(shown("postgresql://me:secret@h/d"), "postgresql://me@h/d");
    EXPECT_EQ(shown("./semel.db"), "./semel.db");
    EXPECT_EQ(shown("postgres://me:se%zzcret@h/d"), "postgres://…");
    EXPECT_EQ(shown("host=h password=secret"), "(connection words)");
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

TEST(PostgresUrl, APasswordMayHoldAQuestionMark) {
    const PostgresUrl url = parsed("postgres://me:what?2@h/d?committers=3");
    EXPECT_EQ(url.url, "postgres://me:what?2@h/d?target_session_attrs=read-write");
    EXPECT_EQ(url.shown, "postgres://me@h/d");
    EXPECT_EQ(url.committers, 3);
}

TEST(PostgresUrl, NoErrorQuotesAPassword) {
    const std::vector<std::string> wrong = {"postgres://me:hunter%zz2@h/d",
                                            "postgres://me:hunter2@[::1/d",
                                            "postgres://me:hunter/2@h:1/d",
                                            "postgres://me:hunter/2?3@h/d",
                                            "postgres://me:5432/hunter@h/d",
                                            "postgres://me:5432/d?hunter@h/d",
                                            "postgres://me:5432/d?=hunter@h/d",
                                            "postgres://me:x@hunter@h/d",
                                            "postgres://me:hunter/d",
                                            "postgres://h/d?password=hunter%zz",
                                            "postgres://h/d?sslpassword=hunter%zz",
                                            "postgres://h/d?password=hunter&nonsense=1",
                                            "postgres://me:hunter@h/d?prepared=hunter"};
    for (const std::string& url : wrong) {
        const std::string said = refusal(url);
        EXPECT_THAT(said, Not(HasSubstr("hunter"))) << url;
        EXPECT_THAT(said, HasSubstr("the store's URL")) << url;
        EXPECT_EQ(shown(url), "postgres://…");
    }
}

TEST(PostgresUrl, WhatIsNoSecretIsQuoted) {
    EXPECT_THAT(refusal("postgres://me:hunter2@h/d?nonsense=1"), HasSubstr("\"nonsense\""));
    EXPECT_THAT(refusal("postgres://me:hunter2@[::1/d"), HasSubstr("postgres://me@[::1/d"));
    EXPECT_THAT(refusal("postgres://me:a/b@h/d"), HasSubstr("write %40 for @, %2F for /"));
}

TEST(PostgresUrl, OneWithoutItsSlashesIsKnownAndNotShown) {
    for (const char* url : {"postgres:me:hunter2@h/d", "postgresql:/me:hunter2@h/d"}) {
        EXPECT_TRUE(is_half_url(url)) << url;
        EXPECT_EQ(shown(url), "postgres:…");
    }
    for (const char* store : {"postgres://me@h/d", "./postgres:x", "postgres.db"}) {
        EXPECT_FALSE(is_half_url(store)) << store;
    }
}

TEST(PostgresUrl, LibpqsOtherFormIsKnown) {
    EXPECT_TRUE(is_keywords("host=127.0.0.1 port=5432 dbname=h"));
    EXPECT_TRUE(is_keywords("dbname = h"));
    for (const char* path : {"semel.db", "./host=1", "hosts=1", "=", "", "my host=1"}) {
        EXPECT_FALSE(is_keywords(path)) << path;
    }
}

}  // namespace
}  // namespace semel::postgres
