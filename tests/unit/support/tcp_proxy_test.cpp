#include "support/tcp_proxy.hpp"

#include <gtest/gtest.h>

#include "postgres_client.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kInsert = "insert into notes values (1)";

class TcpProxyTest : public testing::Test {
protected:
    TcpProxyTest() { ask_postgres(url_, "create table notes (note int)"); }

    PostgresClient connect() const { return PostgresClient(proxy_.url(url_)); }
    // Waits until every transaction that had written notes is over.
    [[nodiscard]] std::string notes() const {
        return ask_postgres(url_, "lock table notes; select count(*) from notes");
    }

    const std::string url_ = PostgresServer::shared().make_database();
    TcpProxy proxy_{PostgresServer::shared().port()};
};

TEST_F(TcpProxyTest, passes_what_both_sides_say) {
    PostgresClient client = connect();
    EXPECT_TRUE(client.run(kInsert));
    EXPECT_FALSE(client.run("select no_such_column"));
    EXPECT_TRUE(client.run("insert into notes select generate_series(1, 99)"));
    EXPECT_TRUE(client.run("select repeat('long', 1000000)"));
    EXPECT_EQ(ask_postgres(proxy_.url(url_), "select count(*) from notes"), "100");
    EXPECT_EQ(proxy_.connections(), 2);
    EXPECT_EQ(proxy_.cuts(), 0);
}

TEST_F(TcpProxyTest, cuts_the_connections_that_there_are) {
    PostgresClient one = connect();
    PostgresClient other = connect();
    proxy_.cut();
    EXPECT_FALSE(one.run("select 1"));
    EXPECT_FALSE(other.run("select 1"));
    EXPECT_FALSE(one.is_connected());
    EXPECT_EQ(proxy_.cuts(), 2);
    EXPECT_TRUE(connect().run("select 1"));
}

TEST_F(TcpProxyTest, refuses_new_connections_alone) {
    PostgresClient before = connect();
    proxy_.refuse();
    EXPECT_THROW(connect(), std::runtime_error);
    EXPECT_TRUE(before.run("select 1"));
    proxy_.pass();
    EXPECT_TRUE(connect().run("select 1"));
    EXPECT_EQ(proxy_.connections(), 2);
}

TEST_F(TcpProxyTest, ends_a_connection_whose_server_is_not_there) {
    PostgresServer server;
    const TcpProxy proxy(server.port());
    PostgresClient client(proxy.url(server.url("postgres")));
    server.stop(PostgresServer::Mode::immediate);
    EXPECT_FALSE(client.run("select 1"));
    EXPECT_THROW(PostgresClient(proxy.url(server.url("postgres"))), std::runtime_error);
    server.start();
    EXPECT_TRUE(PostgresClient(proxy.url(server.url("postgres"))).run("select 1"));
    EXPECT_EQ(proxy.cuts(), 0);
}

TEST_F(TcpProxyTest, keeps_what_falls_into_a_black_hole) {
    PostgresClient client = connect();
    proxy_.black_hole();
    client.send_batch({kInsert});
    // The shortest that libpq knows.
    const std::string impatient = proxy_.url(url_) + "?connect_timeout=2";
    EXPECT_THROW(PostgresClient{impatient}, std::runtime_error);
    EXPECT_EQ(notes(), "0");
    proxy_.pass();
    EXPECT_TRUE(client.finish_batch());
    EXPECT_EQ(notes(), "1");
}

TEST_F(TcpProxyTest, delays_each_direction) {
    PostgresClient client = connect();
    proxy_.delay(30ms);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(client.run("select 1"));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 60ms);
}

TEST_F(TcpProxyTest, cuts_before_a_commit_so_that_nothing_was_done) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::before_commit);
    EXPECT_TRUE(client.run("begin"));
    EXPECT_TRUE(client.run(kInsert));
    EXPECT_FALSE(client.run("commit"));
    EXPECT_FALSE(client.is_connected());
    EXPECT_EQ(notes(), "0");
    EXPECT_EQ(proxy_.cuts(), 1);
}

TEST_F(TcpProxyTest, cuts_when_a_commit_was_sent) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::commit_sent);
    EXPECT_TRUE(client.run("begin"));
    EXPECT_TRUE(client.run(kInsert));
    EXPECT_FALSE(client.run("COMMIT"));
    EXPECT_FALSE(client.is_connected());
    EXPECT_EQ(notes(), "1");
    EXPECT_EQ(proxy_.cuts(), 1);
}

TEST_F(TcpProxyTest, cuts_when_a_commit_is_done_and_its_answer_was_not_heard) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::commit_done);
    EXPECT_TRUE(client.run("begin"));
    EXPECT_TRUE(client.run(kInsert));
    EXPECT_FALSE(client.run("COMMIT"));
    EXPECT_FALSE(client.is_connected());
    // Without a wait: it was done before the client knew that it is alone.
    EXPECT_EQ(ask_postgres(url_, "select count(*) from notes"), "1");
}

TEST_F(TcpProxyTest, cuts_at_the_commit_of_a_batch) {
    const std::vector<std::string> batch = {"begin", kInsert, "commit"};
    PostgresClient undone = connect();
    proxy_.cut_at_commit(CutAt::before_commit);
    undone.send_batch(batch);
    EXPECT_FALSE(undone.finish_batch());
    EXPECT_EQ(notes(), "0");

    PostgresClient sent = connect();
    proxy_.cut_at_commit(CutAt::commit_sent);
    sent.send_batch(batch);
    EXPECT_FALSE(sent.finish_batch());
    EXPECT_EQ(proxy_.cuts(), 2);

    PostgresClient done = connect();
    proxy_.cut_at_commit(CutAt::commit_done);
    done.send_batch(batch);
    EXPECT_FALSE(done.finish_batch());
    EXPECT_EQ(proxy_.cuts(), 3);
}

TEST_F(TcpProxyTest, forwards_the_whole_batch_of_a_commit_and_nothing_after_it) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::commit_done);
    client.send_batch({"begin", kInsert, "commit", kInsert});
    EXPECT_FALSE(client.finish_batch());
    EXPECT_EQ(ask_postgres(url_, "select count(*) from notes"), "2");
}

TEST_F(TcpProxyTest, lets_no_part_of_the_answer_pass) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::commit_done);
    client.send_batch({"begin", kInsert, "commit", "select repeat('long', 1000000)"});
    PGresult* first = PQgetResult(client.get());
    EXPECT_EQ(PQresultStatus(first), PGRES_FATAL_ERROR);
    PQclear(first);
}

TEST_F(TcpProxyTest, takes_the_answer_of_another_batch_for_none) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::commit_done);
    client.send_batch({"select pg_sleep(0.1)"});
    client.send_batch({"begin", kInsert, "select pg_sleep(0.1)", "commit"});
    client.send_batch({kInsert});
    while (client.is_connected()) client.finish_batch();
    EXPECT_EQ(ask_postgres(url_, "select count(*) from notes"), "1");
    EXPECT_EQ(notes(), "1");
}

TEST_F(TcpProxyTest, finds_a_commit_that_was_prepared) {
    PostgresClient client = connect();
    PQclear(PQprepare(client.get(), "done", "commit", 0, nullptr));
    PQclear(PQprepare(client.get(), "add", kInsert, 0, nullptr));
    proxy_.cut_at_commit(CutAt::commit_done);
    EXPECT_TRUE(client.run("begin"));
    PQclear(PQexecPrepared(client.get(), "add", 0, nullptr, nullptr, nullptr, 0));
    EXPECT_TRUE(client.is_connected());
    PQclear(PQexecPrepared(client.get(), "done", 0, nullptr, nullptr, nullptr, 0));
    EXPECT_FALSE(client.is_connected());
    EXPECT_EQ(ask_postgres(url_, "select count(*) from notes"), "1");
}

TEST_F(TcpProxyTest, counts_commits_to_the_one_that_is_meant) {
    PostgresClient client = connect();
    proxy_.cut_at_commit(CutAt::before_commit, 3);
    EXPECT_TRUE(client.run("begin; insert into notes values (1); commit"));
    EXPECT_TRUE(connect().run("begin; insert into notes values (2); end"));
    EXPECT_FALSE(client.run("begin; insert into notes values (3); commit"));
    EXPECT_TRUE(connect().run("begin; insert into notes values (4); commit"));
    EXPECT_EQ(notes(), "3");
}

}  // namespace
}  // namespace semel::test
