// What a node will need is tried when it opens its store, and what is missing is named.
#include "store/postgres/rehearsal.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Rehearsal : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(migrate_postgres_schema(url_).has_value()); }

    [[nodiscard]] Error refusal(const std::string& url) const {
        const auto opened = open_postgres_store({.url = url});
        return opened ? Error(ErrorCode::stopped, "opened") : opened.error();
    }
    // Every row of every table of the schema but those of the chores.
    [[nodiscard]] std::string rows() const {
        return ask_postgres(
            url_,
            "select string_agg(c.relname || xpath('/row/n/text()', query_to_xml(format('select "
            "count(*) as n from semel.%I', c.relname), false, true, ''))::text, ' ' order by "
            "c.relname) from pg_class c where relnamespace = 'semel'::regnamespace and relkind in "
            "('r', 'p') and relname !~ '^decision_[0-9]'");
    }

    std::string url_ = PostgresServer::shared().make_database();
};

TEST_F(Rehearsal, LeavesNothing) {
    const std::string before = rows();
    ASSERT_TRUE(open_postgres_store({.url = url_}).has_value());
    EXPECT_EQ(rows(), before);
    EXPECT_EQ(ask_postgres(url_, "select time_mark < 0 or decisions_from <> 0 from semel.meta"),
              "f");
}

TEST_F(Rehearsal, AMissingColumnIsNamed) {
    ask_postgres(url_, "alter table semel.job drop column shelf cascade");
    const Error error = refusal(url_);
    EXPECT_EQ(error.code(), ErrorCode::corrupt);
    EXPECT_THAT(error.message(),
                AllOf(HasSubstr("cannot open"), HasSubstr("\"shelf\" of relation \"job\""),
                      HasSubstr("Restore it from a backup")));
}

TEST_F(Rehearsal, EveryTableAndColumnIsMissed) {
    const std::string columns = ask_postgres(
        url_,
        "select string_agg(table_name || '.' || column_name, ' ') from information_schema.columns "
        "where table_schema = 'semel' and table_name !~ '^decision_[0-9]' "
        "and (table_name, column_name) not in (('migration', 'applied_at'), ('meta', 'id'), "
        "('meta', 'works_from'), ('moved_from', 'id'), ('moved_from', 'kind'), "
        "('moved_from', 'after'), ('moved_from', 'rows'), ('moved_from', 'started_at'), "
        "('decision_rest', 'day'), ('decision_rest', 'tenant'), ('decision_rest', 'sequence'), "
        "('decision_rest', 'data'), ('migration', 'number'))");
    std::istringstream names(columns);
    for (std::string name; names >> name;) {
        const std::string table = name.substr(0, name.find('.'));
        const std::string column = name.substr(name.find('.') + 1);
        ask_postgres(url_, "alter table semel." + table + " rename column " + column + " to gone");
        EXPECT_EQ(refusal(url_).code(), ErrorCode::corrupt) << name << refusal(url_).message();
        ask_postgres(url_, "alter table semel." + table + " rename column gone to " + column);
    }
    EXPECT_TRUE(open_postgres_store({.url = url_}).has_value());
}

TEST_F(Rehearsal, AMissingRightIsNamed) {
    ask_postgres(url_,
                 "drop role if exists limited; create role limited login; grant usage on schema "
                 "semel to limited; grant all on all tables in schema semel to limited; grant all "
                 "on all sequences in schema semel to limited; revoke insert on semel.job from "
                 "limited");
    const Error error = refusal(url_ + "?user=limited");
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), AllOf(HasSubstr("permission denied for table job"),
                                       HasSubstr("must own the schema semel")));
    ask_postgres(url_, "grant insert on semel.job to limited");
    EXPECT_TRUE(open_postgres_store({.url = url_ + "?user=limited"}).has_value());
    ask_postgres(url_, "drop owned by limited; drop role limited");
}

TEST_F(Rehearsal, AnEmptiedTableOfOneRowIsDamage) {
    for (const char* table : {"drain", "meta"}) {
        ask_postgres(url_, std::string("delete from semel.") + table);
        const Error error = refusal(url_);
        EXPECT_EQ(error.code(), ErrorCode::corrupt) << table;
        EXPECT_THAT(error.message(), HasSubstr(std::string("semel.") + table));
    }
}

TEST(OpeningADatabase, ThatIsNotInUtf8IsRefused) {
    const std::string url = PostgresServer::shared().make_database();
    ask_postgres(url, "drop database if exists latin");
    ask_postgres(url,
                 "create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' "
                 "template template0");
    const auto opened = open_postgres_store({.url = PostgresServer::shared().url("latin")});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::refused);
    EXPECT_THAT(opened.error().message(),
                HasSubstr("the database latin has the encoding LATIN1, and a store needs UTF8"));
    ask_postgres(url, "drop database latin");
}

TEST(OpeningADatabase, WithASchemaThatAnAdministratorMadeNeedsNoRightOnTheDatabase) {
    const std::string url = PostgresServer::shared().make_database();
    ask_postgres(url, "drop role if exists lim; create role lim login");
    const auto refused = migrate_postgres_schema(url + "?user=lim");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::unavailable);
    EXPECT_THAT(refused.error().message(), HasSubstr("create schema semel authorization"));
    ask_postgres(url, "create schema semel authorization lim");
    const auto opened = open_postgres_store({.url = url + "?user=lim"});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
}

}  // namespace
}  // namespace semel::test
