// PgBouncer: Debian's, in transaction mode, before a server of the tests (pgbouncer.py). Sessions
// of clients share connections to the server, from one transaction to the next.
#pragma once

#include <string>

#include "support/helper_program.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {

// Gone with the object, and with the test process. What fails throws std::runtime_error.
class PgBouncer {
public:
    // `pool_size`: connections to the server, for each database.
    explicit PgBouncer(const PostgresServer& server, int pool_size = 20);

    // The same database through PgBouncer.
    [[nodiscard]] std::string url(const std::string& server_url) const;
    [[nodiscard]] int port() const { return port_; }

private:
    HelperProgram helper_;
    const int port_;
};

}  // namespace semel::test
