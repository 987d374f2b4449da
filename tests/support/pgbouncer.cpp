#include "support/pgbouncer.hpp"

namespace semel::test {

PgBouncer::PgBouncer(const PostgresServer& server, int pool_size)
    : helper_("pgbouncer.py",
              {std::to_string(server.port()), "--pool-size", std::to_string(pool_size)}),
      port_(std::stoi(helper_.greeting())) {}

std::string PgBouncer::url(const std::string& server_url) const {
    return through_port(port_, server_url);
}

}  // namespace semel::test
