// RedisServer: Debian's Redis in a temporary folder and on a free port (redis_server.py).
#pragma once

#include <string>
#include <vector>

#include "support/helper_program.hpp"

namespace semel::test {

// Gone with the object, and with the test process. What fails throws std::runtime_error.
class RedisServer {
public:
    // `settings` as NAME=VALUE, with blanks between several values. Otherwise it keeps what it has
    // over a restart, and syncs nothing.
    explicit RedisServer(const std::vector<std::string>& settings = {});

    // The one of this program, for tests that do it no harm.
    [[nodiscard]] static RedisServer& shared();

    // Of an empty database.
    [[nodiscard]] std::string make_database();
    [[nodiscard]] std::string url(int database = 0) const;
    [[nodiscard]] int port() const { return port_; }

    void start() { helper_.ask("start"); }
    void stop() { helper_.ask("stop"); }
    void kill() { helper_.ask("kill"); }
    // It keeps its connections, and answers nobody until it is thawed.
    void freeze() { helper_.ask("freeze"); }
    void thaw() { helper_.ask("thaw"); }
    // A command in the first database, without blanks in its words; the first line of the reply.
    std::string send(const std::string& command) { return helper_.ask("send " + command); }
    // What it had is gone. REQUIRES: it is stopped.
    void clear() { helper_.ask("clear"); }

private:
    HelperProgram helper_;
    const int port_;
    int databases_ = 0;
};

}  // namespace semel::test
