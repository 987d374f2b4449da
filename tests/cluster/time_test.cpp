// Nodes that come and go share one time, the server's.
#include "cluster/cluster.hpp"
#include "store/postgres/postgres_store.hpp"

namespace semel::test {
namespace {

class ClusterTime : public testing::Test {
protected:
    void set_mark(const std::string& ahead_ms) {
        ask_postgres(url_, "update semel.meta set time_mark = " + kServerMs + ahead_ms);
    }
    [[nodiscard]] Time server_time() const {
        return from_ms(std::stoll(ask_postgres(url_, "select " + kServerMs)));
    }
    [[nodiscard]] Time time_of_a_new_node() const {
        return open_postgres_store({.url = url_}).value()->now();
    }

    const std::string kServerMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
    const std::string url_ = PostgresServer::shared().make_database();
    const std::unique_ptr<Store> store_ = open_postgres_store({.url = url_}).value();
};

TEST_F(ClusterTime, ANodeThatStartsIsNotAheadOfTheServer) {
    set_mark("");
    for (int starts = 0; starts < 3; ++starts) {
        const Time here = time_of_a_new_node();
        EXPECT_LE(here, server_time()) << "after " << starts << " other starts";
    }
}

TEST_F(ClusterTime, WhereTheServersClockWasSetBackTimeDoesNotGoBack) {
    set_mark(" + 60000");
    const Time server = server_time();
    EXPECT_GE(time_of_a_new_node(), server + std::chrono::seconds(59));
}

}  // namespace
}  // namespace semel::test
