#include "support/pgbouncer.hpp"

#include <gtest/gtest.h>

#include "postgres_client.hpp"

namespace semel::test {
namespace {

constexpr const char* kBackend = "select pg_backend_pid()";

TEST(PgBouncer, shares_connections_between_transactions) {
    PostgresServer& server = PostgresServer::shared();
    const std::string url = server.make_database();
    const PgBouncer bouncer(server, 1);
    PostgresClient one(bouncer.url(url));
    PostgresClient other(bouncer.url(url));
    const std::string backend = one.ask(kBackend);
    EXPECT_NE(backend, "");
    EXPECT_EQ(other.ask(kBackend), backend);
    EXPECT_NE(ask_postgres(url, kBackend), backend);
}

TEST(PgBouncer, is_gone_with_the_object) {
    PostgresServer& server = PostgresServer::shared();
    std::string url;
    {
        const PgBouncer bouncer(server);
        url = bouncer.url(server.url("postgres"));
        EXPECT_EQ(ask_postgres(url, "select 1"), "1");
    }
    EXPECT_THROW(ask_postgres(url, "select 1"), std::runtime_error);
}

}  // namespace
}  // namespace semel::test
