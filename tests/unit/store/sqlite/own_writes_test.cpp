// Callers' own statements in an SQLite store: what they may do, and what becomes of the rest.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/sqlite/store_file.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OwnStatements : public SqliteTest {
protected:
    void SetUp() override {
        commit([](Tx& tx) {
            tx.execute("create table app_t (id integer primary key, v text)");
            tx.execute("insert into app_t values (1, 'one')");
        });
    }

    Written write(const OwnWrites& writes) {
        return driver
            .write_own([&](Tx& tx) {
                try {
                    return writes(tx);
                } catch (const SqlError& error) {
                    ADD_FAILURE() << error.what();
                    return false;
                }
            })
            .value();
    }
    // In a transaction of their own.
    void commit(const std::function<void(Tx&)>& statements) {
        ASSERT_TRUE(driver.load({}).has_value());
        const Written written = write([&](Tx& tx) {
            statements(tx);
            return true;
        });
        ASSERT_EQ(written.error, "");
        ASSERT_TRUE(driver.commit({}).has_value());
    }
    // Why a statement is refused, after which others go on.
    std::string refusal_of(const std::string& sql) {
        std::string refusal;
        EXPECT_TRUE(driver.load({}).has_value());
        const Written written = write([&](Tx& tx) {
            try {
                tx.execute(sql);
            } catch (const SqlError& error) {
                refusal = error.what();
            }
            return false;
        });
        EXPECT_FALSE(written.is_lost) << sql;
        EXPECT_TRUE(driver.roll_back().has_value());
        return refusal;
    }
    std::vector<SqlRow> rows(const std::string& sql) {
        std::vector<SqlRow> found;
        commit([&](Tx& tx) { found = tx.query(sql); });
        return found;
    }

    std::unique_ptr<Store> store = open();
    StoreDriver driver{*store};
};

TEST_F(OwnStatements, ValuesComeBackAsTheyWere) {
    commit([](Tx& tx) {
        tx.execute("create table app_values (a, b, c, d, e)");
        tx.execute("insert into app_values values (?, ?, ?, ?, ?)", nullptr, -7, 0.5,
                   std::string("a\0b", 3), SqlBlob{std::string("\0\xFF", 2)});
    });
    EXPECT_THAT(rows("select * from app_values"),
                ElementsAre(SqlRow{nullptr, std::int64_t{-7}, 0.5, std::string("a\0b", 3),
                                   SqlBlob{std::string("\0\xFF", 2)}}));
}

TEST_F(OwnStatements, ChangedRowsAreCounted) {
    commit([](Tx& tx) {
        EXPECT_EQ(tx.execute("insert into app_t values (2, 'two'), (3, 'three')"), 2);
        EXPECT_EQ(tx.execute("select * from app_t"), 0);
        EXPECT_THAT(tx.query("with x as (select * from app_t) select count(*) from x"),
                    ElementsAre(SqlRow{std::int64_t{3}}));
        EXPECT_EQ(tx.execute("update app_t set v = ? where id > ?", "x", 1U), 2);
        EXPECT_EQ(tx.execute("create table app_u (id)"), 0);
        EXPECT_THAT(tx.query("delete from app_t where id = 3 returning v"),
                    ElementsAre(SqlRow{std::string("x")}));
    });
}

TEST_F(OwnStatements, TablesOfOneselfCanBeMadeAndChanged) {
    commit([](Tx& tx) {
        for (const char* sql :
             {"create table app_u (id integer primary key, name text unique, t references app_t)",
              "create index app_u_by_name on app_u (name)",
              "create view app_names as select name from app_u",
              "create trigger app_on_u after insert on app_u begin "
              "insert into app_t values (new.id, new.name); end",
              "insert into app_u (id, name) values (7, 'seven')",
              "alter table app_u add column more text",
              "update app_u set more = (select v from app_t where id = 7)",
              "insert into app_t select value, null from json_each('[100, 101]')",
              "drop trigger app_on_u", "drop view app_names", "drop index app_u_by_name"}) {
            EXPECT_NO_THROW(tx.execute(sql)) << sql;
        }
        EXPECT_THAT(tx.query("select more from app_u"), ElementsAre(SqlRow{std::string("seven")}));
        EXPECT_NO_THROW(tx.execute("drop table app_u"));
    });
    EXPECT_THAT(rows("select id from app_t"),
                ElementsAre(SqlRow{std::int64_t{1}}, SqlRow{std::int64_t{7}},
                            SqlRow{std::int64_t{100}}, SqlRow{std::int64_t{101}}));
}

TEST_F(OwnStatements, WhatIsNotOnesOwnIsRefused) {
    for (const char* sql :
         {"select * from job",
          "select count(*) from job",
          "insert into job_count values (1, 1, 1)",
          "update meta set time_mark = 0",
          "delete from claim",
          "drop table job",
          "delete from main.claim",
          "update JOB set status = 3",
          "insert into app_t select 1, name from name",
          "alter table job add column mine",
          "create index app_mine on job (status)",
          "drop index job_ready",
          "create trigger app_mine after insert on job begin delete from app_t; end",
          "create table mine (id)",
          "create view mine as select 1",
          "create index mine on app_t (v)",
          "create trigger mine after insert on app_t "
          "begin select 1; end",
          "select count(*) from Job",
          "with x as (select * from job) select count(*) from x",
          "with x as (select * from job) select * from x"}) {
        EXPECT_THAT(refusal_of(sql), HasSubstr("begin with `app_`")) << sql;
    }
}

TEST_F(OwnStatements, AViewOrATriggerOpensNoBackDoor) {
    commit([](Tx& tx) {
        tx.execute("create view app_jobs as select * from job");
        tx.execute("create trigger app_bomb after insert on app_t begin delete from claim; end");
    });
    EXPECT_THAT(refusal_of("select * from app_jobs"), HasSubstr("begin with `app_`"));
    EXPECT_THAT(refusal_of("insert into app_t values (9, '')"), HasSubstr("begin with `app_`"));
}

TEST_F(OwnStatements, ATableIsNotRenamedIntoTheStoresNames) {
    ASSERT_TRUE(driver.load({}).has_value());
    const Written written = write([](Tx& tx) {
        tx.execute("alter table app_t rename to job2");
        return true;
    });
    EXPECT_THAT(written.error, HasSubstr("begin with `app_`"));
    ASSERT_TRUE(driver.roll_back().has_value());
    EXPECT_EQ(rows("select * from app_t").size(), 1U);
}

TEST_F(OwnStatements, TheTransactionIsNotTheirs) {
    for (const char* sql : {"begin", "commit", "end", "rollback", "savepoint mine", "release own",
                            "rollback to own"}) {
        EXPECT_THAT(refusal_of(sql), HasSubstr("the transaction is the engine's")) << sql;
    }
}

TEST_F(OwnStatements, TheConnectionIsNotTheirs) {
    for (const char* sql :
         {"pragma synchronous = off", "pragma writable_schema = on", "pragma user_version",
          "select * from pragma_table_info('app_t')", "attach ':memory:' as other",
          "create temp table job (id)", "create temp view app_v as select 1", "analyze", "vacuum",
          "create virtual table app_v using fts5(x)", "select load_extension('x')",
          "update sqlite_master set sql = ''", "delete from sqlite_schema"}) {
        EXPECT_NE(refusal_of(sql), "") << sql;
    }
}

TEST_F(OwnStatements, AStatementIsOneWithAllItsValues) {
    for (const char* sql : {"", " ; ", "delete from app_t; delete from app_t",
                            "insert into app_t values (?, 1)", "no sql"}) {
        EXPECT_NE(refusal_of(sql), "") << sql;
    }
    EXPECT_EQ(refusal_of("delete from app_t ; \n"), "");
}

TEST_F(OwnStatements, WhatIsUndoneIsUndoneAlone) {
    const auto set = [](const char* value, bool keeps) {
        return [=](Tx& tx) {
            tx.execute("insert into app_t (v) values (?)", value);
            return keeps;
        };
    };
    ASSERT_TRUE(driver.load({}).has_value());
    EXPECT_EQ(write(set("a", true)).error, "");
    EXPECT_EQ(write(set("b", false)).error, "");
    EXPECT_EQ(write(set("c", true)).error, "");
    ASSERT_TRUE(driver.commit({}).has_value());
    EXPECT_THAT(rows("select v from app_t where id > 1"),
                ElementsAre(SqlRow{std::string("a")}, SqlRow{std::string("c")}));
}

TEST_F(OwnStatements, ATransactionThatIsRolledBackTakesThemAlong) {
    ASSERT_TRUE(driver.load({}).has_value());
    EXPECT_EQ(write([](Tx& tx) { return tx.execute("delete from app_t") == 1; }).error, "");
    ASSERT_TRUE(driver.roll_back().has_value());
    EXPECT_EQ(rows("select * from app_t").size(), 1U);
}

TEST_F(OwnStatements, TheyCommitTogetherWithTheStoresRows) {
    const Job job = ready_job(1);
    ASSERT_TRUE(driver.load({}).has_value());
    EXPECT_EQ(write([](Tx& tx) { return tx.execute("delete from app_t") == 1; }).error, "");
    ASSERT_TRUE(driver.commit(inserting({job})).has_value());
    EXPECT_THAT(ids_in(*store), ElementsAre(job.id));
    EXPECT_THAT(rows("select * from app_t"), IsEmpty());
}

TEST_F(OwnStatements, AnInterruptedWriteLosesTheTransactionAndNothingElse) {
    ASSERT_TRUE(driver.load({}).has_value());
    EXPECT_EQ(write([](Tx& tx) { return tx.execute("delete from app_t") == 1; }).error, "");
    const Written written = write([](Tx& tx) {
        try {
            tx.execute(
                "with recursive n(x) as (select 1 union all select x + 1 from n) "
                "insert into app_t select x, '' from n");
        } catch (const SqlError&) {
            EXPECT_THROW(tx.execute("delete from app_t"), SqlError);
        }
        return true;
    });
    EXPECT_TRUE(written.is_lost);
    EXPECT_THAT(written.error, HasSubstr("100 ms"));
    EXPECT_EQ(rows("select * from app_t").size(), 1U);
    insert(*store, {ready_job(1)});
}

TEST(OwnStatementsOfAStore, AreThereAgainWhenItIsOpened) {
    const TempFolder folder;
    const auto run = [&](const std::function<void(Tx&)>& statements) {
        const auto store = SqliteTest::open(SqliteTest::options_for(folder.file("semel.db")));
        StoreDriver driver(*store);
        ASSERT_TRUE(driver.load({}).has_value());
        const auto written = driver.write_own([&](Tx& tx) {
            statements(tx);
            return true;
        });
        ASSERT_TRUE(written.has_value());
        EXPECT_EQ(written->error, "");
        ASSERT_TRUE(driver.commit({}).has_value());
    };
    run([](Tx& tx) { tx.execute("create table app_t (id)"); });
    run([](Tx& tx) { EXPECT_EQ(tx.execute("insert into app_t values (1)"), 1); });
    EXPECT_TRUE(sqlite::inspect_store(folder.file("semel.db"), {}).has_value());
}

}  // namespace
}  // namespace semel::test
