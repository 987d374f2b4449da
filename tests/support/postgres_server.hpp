// PostgresServer: a real PostgreSQL server with a folder and a port of its own
// (postgres_server.py). It is gone with the object, and with the test process, however that ends.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "support/helper_program.hpp"

namespace semel::test {

struct PostgresServerOptions {
    bool fsync = false;  // only the power of a machine would tell the difference
    std::vector<std::string> settings = {};  // name=value, as in postgresql.conf
};

// Safe to use from several threads. What fails throws std::runtime_error with the reason in words.
class PostgresServer {
public:
    enum class Mode {
        fast,       // open transactions are rolled back, clients are told
        immediate,  // a crash: the next start recovers
    };

    // The one of this program, from the first call to the end of the program. The databases that a
    // test makes are dropped when it is over, and when it has failed, what this server wrote to its
    // log meanwhile is printed.
    static PostgresServer& shared();

    // One to be stopped and restarted by its test.
    explicit PostgresServer(const PostgresServerOptions& options = {});

    // The URL of a new and empty database.
    [[nodiscard]] std::string make_database();
    // How many were made so far.
    [[nodiscard]] int databases() const { return databases_; }
    // Also while others are connected to it. One that is gone is no error.
    void drop(const std::string& url);

    // Each returns when it is done: a server that was started answers.
    void start();
    void stop(Mode mode);
    void restart(Mode mode);

    [[nodiscard]] std::string url(const std::string& database) const;
    // The same through its Unix socket.
    [[nodiscard]] std::string socket_url(const std::string& database) const;
    [[nodiscard]] int port() const { return port_; }
    // Everything it has logged so far.
    [[nodiscard]] std::string log() const;

private:
    HelperProgram helper_;
    int port_ = 0;
    std::string folder_;
    std::atomic<int> databases_ = 0;  // the names go from test_1 to this
};

// The same database through another port of 127.0.0.1.
[[nodiscard]] std::string through_port(int port, const std::string& url);

// Runs SQL on a connection of its own: the first value of the last statement, or nothing.
std::string ask_postgres(const std::string& url, const std::string& sql);

}  // namespace semel::test
