#include "support/postgres_server.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>

namespace semel::test {
namespace {

std::vector<std::string> arguments_for(const PostgresServerOptions& options) {
    std::vector<std::string> arguments;
    if (options.fsync) {
        arguments.emplace_back("--fsync");
    }
    for (const std::string& setting : options.settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    return arguments;
}

const char* to_string(PostgresServer::Mode mode) {
    return mode == PostgresServer::Mode::fast ? "fast" : "immediate";
}

std::string name_of(int database) {
    return fmt::format("test_{}", database);
}

// Clears up after each test, and prints what was logged during one that failed.
class TestWatcher final : public testing::EmptyTestEventListener {
public:
    explicit TestWatcher(PostgresServer& server) : server_(server) {}

    void OnTestStart(const testing::TestInfo&) override {
        logged_before_ = server_.log().size();
        databases_before_ = server_.databases();
    }
    void OnTestEnd(const testing::TestInfo& info) override {
        if (info.result()->Failed()) {
            std::cerr << "the log of PostgreSQL during " << info.name() << ":\n"
                      << server_.log().substr(logged_before_) << std::flush;
        }
        try {
            for (int i = databases_before_ + 1; i <= server_.databases(); ++i) {
                server_.drop(server_.url(name_of(i)));
            }
        } catch (const std::runtime_error&) {
            // A server that the test has stopped. They go with its folder.
        }
    }

private:
    PostgresServer& server_;
    std::size_t logged_before_ = 0;
    int databases_before_ = 0;
};

struct Shared {
    PostgresServer server;
    std::unique_ptr<TestWatcher> watcher = std::make_unique<TestWatcher>(server);

    Shared() { testing::UnitTest::GetInstance()->listeners().Append(watcher.get()); }
    ~Shared() { testing::UnitTest::GetInstance()->listeners().Release(watcher.get()); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
};

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

}  // namespace

PostgresServer& PostgresServer::shared() {
    static Shared one;
    return one.server;
}

PostgresServer::PostgresServer(const PostgresServerOptions& options)
    : helper_("postgres_server.py", arguments_for(options)) {
    std::istringstream(helper_.greeting()) >> port_ >> folder_;
}

std::string PostgresServer::make_database() {
    const std::string name = name_of(++databases_);
    ask_postgres(url("postgres"), fmt::format("create database {} template template0", name));
    return url(name);
}

void PostgresServer::drop(const std::string& url) {
    const std::string name = url.substr(url.rfind('/') + 1);
    ask_postgres(this->url("postgres"),
                 fmt::format("drop database if exists {} with (force)", name));
}

void PostgresServer::start() {
    helper_.ask("start");
}

void PostgresServer::stop(Mode mode) {
    helper_.ask(fmt::format("stop {}", to_string(mode)));
}

void PostgresServer::restart(Mode mode) {
    helper_.ask(fmt::format("restart {}", to_string(mode)));
}

std::string PostgresServer::url(const std::string& database) const {
    return fmt::format("postgres://postgres@127.0.0.1:{}/{}", port_, database);
}

std::string PostgresServer::socket_url(const std::string& database) const {
    return fmt::format("postgres://postgres@/{}?host={}&port={}", database, folder_, port_);
}

std::string PostgresServer::log() const {
    std::ifstream file(folder_ + "/server.log", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string through_port(int port, const std::string& url) {
    constexpr std::string_view kHost = "@127.0.0.1:";
    const std::size_t host = url.find(kHost);
    if (host == std::string::npos) {
        throw std::invalid_argument(url + " is not a URL of a port of 127.0.0.1");
    }
    const std::size_t begin = host + kHost.size();
    return std::string(url).replace(begin, url.find('/', begin) - begin, std::to_string(port));
}

std::string ask_postgres(const std::string& url, const std::string& sql) {
    const Connection connection(PQconnectdb(url.c_str()), &PQfinish);
    if (PQstatus(connection.get()) != CONNECTION_OK) {
        throw std::runtime_error(PQerrorMessage(connection.get()));
    }
    // Notices, as of a database that is gone already, are no news to a test.
    PQsetNoticeProcessor(
        connection.get(), [](void*, const char*) {}, nullptr);
    const Answer answer(PQexec(connection.get(), sql.c_str()), &PQclear);
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        throw std::runtime_error(sql + ": " + PQerrorMessage(connection.get()));
    }
    return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : "";
}

}  // namespace semel::test
