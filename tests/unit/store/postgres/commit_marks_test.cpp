// What became of a commit is told the same, however often it is asked for.
#include "store/postgres/commit_marks.hpp"

#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "store/postgres/save.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"

namespace semel::test {
namespace {

using postgres::Connection;
using postgres::find_commit;

class CommitMarks : public testing::Test {
protected:
    CommitMarks() { EXPECT_TRUE(migrate_postgres_schema(url_).has_value()); }

    Result<void> commit(const Uuid& mark) {
        connection_->queue("begin");
        postgres::Save save(*connection_);
        SEMEL_CHECK(save.queue(inserting({ready_job(1)}), mark, kStart));
        connection_->queue("commit");
        SEMEL_CHECK(connection_->flush());
        return {};
    }

    const std::string url_ = PostgresServer::shared().make_database();
    const std::unique_ptr<Connection> connection_ =
        std::move(Connection::open({.url = url_})).value();
    const std::unique_ptr<Connection> asking_ = std::move(Connection::open({.url = url_})).value();
    const Uuid mark_ = id_at(kStart, 7);
};

TEST_F(CommitMarks, OneThatHappenedIsFoundEachTime) {
    ASSERT_TRUE(commit(mark_).has_value());
    EXPECT_TRUE(find_commit(*asking_, mark_, kStart).value());
    EXPECT_TRUE(find_commit(*asking_, mark_, kStart).value());
}

// The answer to the first look may have been lost as well.
TEST_F(CommitMarks, OneThatDidNotIsNotFoundTheSecondTimeEither) {
    EXPECT_FALSE(find_commit(*asking_, mark_, kStart).value());
    EXPECT_FALSE(find_commit(*asking_, mark_, kStart).value());
    const auto late = commit(mark_);
    ASSERT_FALSE(late.has_value()) << "it never will";
    EXPECT_EQ(late.error().code(), ErrorCode::busy);
}

}  // namespace
}  // namespace semel::test
