#include "support/postgres_server.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace semel::test {
namespace {

// The folder of a server, by its own account.
std::string data_of(const PostgresServer& server) {
    return ask_postgres(server.url("postgres"), "show data_directory");
}

std::string reason_of(const auto& what) {
    try {
        what();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(PostgresServer, gives_each_test_a_database_of_its_own) {
    PostgresServer& server = PostgresServer::shared();
    const std::string one = server.make_database();
    const std::string other = server.make_database();
    ask_postgres(one, "create table notes as select 'here' as note");
    EXPECT_EQ(ask_postgres(one, "select note from notes"), "here");
    EXPECT_EQ(ask_postgres(other, "select count(*) from pg_class where relname = 'notes'"), "0");
}

TEST(PostgresServer, is_shared_by_a_program_and_listens_on_a_socket_too) {
    PostgresServer& server = PostgresServer::shared();
    EXPECT_EQ(&PostgresServer::shared(), &server);
    EXPECT_EQ(ask_postgres(server.socket_url("postgres"), "show port"),
              std::to_string(server.port()));
}

TEST(PostgresServer, has_the_settings_that_were_asked_for) {
    const PostgresServer server({.fsync = true, .settings = {"max_connections=7"}});
    EXPECT_EQ(ask_postgres(server.url("postgres"), "show fsync"), "on");
    EXPECT_EQ(ask_postgres(server.url("postgres"), "show max_connections"), "7");
    const std::string shared = PostgresServer::shared().url("postgres");
    EXPECT_EQ(ask_postgres(shared, "show fsync"), "off");
    EXPECT_EQ(ask_postgres(shared, "show max_connections"), "200");
    EXPECT_EQ(ask_postgres(shared, "show server_encoding"), "UTF8");
}

TEST(PostgresServer, keeps_what_was_committed_when_it_stops_and_when_it_crashes) {
    PostgresServer server;
    const std::string url = server.make_database();
    ask_postgres(url, "create table notes as select 'here' as note");
    server.restart(PostgresServer::Mode::immediate);
    EXPECT_EQ(ask_postgres(url, "select note from notes"), "here");
    EXPECT_NE(server.log().find("not properly shut down"), std::string::npos) << server.log();

    server.stop(PostgresServer::Mode::fast);
    EXPECT_NE(reason_of([&] { ask_postgres(url, "select 1"); }).find("refused"), std::string::npos);
    server.start();
    EXPECT_EQ(ask_postgres(url, "select note from notes"), "here");
}

TEST(PostgresServer, drops_a_database) {
    PostgresServer& server = PostgresServer::shared();
    const std::string url = server.make_database();
    server.drop(url);
    EXPECT_NE(reason_of([&] { ask_postgres(url, "select 1"); }).find("does not exist"),
              std::string::npos);
}

std::string earlier_database;

TEST(PostgresServer, drops_the_databases_of_a_test) {
    earlier_database = PostgresServer::shared().make_database();
    EXPECT_EQ(ask_postgres(earlier_database, "select 1"), "1");
}

TEST(PostgresServer, drops_the_databases_of_a_test_when_it_is_over) {
    if (earlier_database.empty()) GTEST_SKIP() << "needs the test before this one";
    EXPECT_NE(reason_of([&] { ask_postgres(earlier_database, "select 1"); }).find("does not exist"),
              std::string::npos);
}

TEST(PostgresServer, is_gone_with_the_object) {
    std::string url;
    std::string data;
    {
        const PostgresServer server;
        url = server.url("postgres");
        data = data_of(server);
        EXPECT_TRUE(std::filesystem::exists(data));
    }
    EXPECT_NE(reason_of([&] { ask_postgres(url, "select 1"); }).find("refused"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(data).parent_path()));
}

// Generous: the machine is shared. Nothing waits that long when well.
constexpr auto kDeadline = std::chrono::seconds(60);

bool goes_away(const std::filesystem::path& path) {
    const auto deadline = std::chrono::steady_clock::now() + kDeadline;
    while (std::filesystem::exists(path)) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        // waits: for the work of another process, which nothing announces
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

TEST(PostgresServer, is_gone_when_the_test_process_is_killed) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        const PostgresServer server;
        const std::string found = server.url("postgres") + " " + data_of(server);
        static_cast<void>(!write(ends[1], found.data(), found.size()));
        raise(SIGKILL);
    }
    close(ends[1]);
    std::array<char, 4096> found{};
    ASSERT_GT(read(ends[0], found.data(), found.size() - 1), 0);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    std::string url;
    std::string data;
    std::istringstream(found.data()) >> url >> data;
    EXPECT_TRUE(goes_away(std::filesystem::path(data).parent_path()));
    EXPECT_NE(reason_of([&] { ask_postgres(url, "select 1"); }).find("refused"), std::string::npos);
}

TEST(PostgresServer, says_what_a_server_that_does_not_start_has_logged) {
    const std::string reason =
        reason_of([] { const PostgresServer server({.settings = {"no_such_setting=1"}}); });
    EXPECT_NE(reason.find("unrecognized configuration parameter \"no_such_setting\""),
              std::string::npos)
        << reason;
}

TEST(PostgresServer, says_in_words_that_it_is_not_installed) {
    const char* named = std::getenv("SEMEL_TEST_PG_BIN");
    const std::optional<std::string> before(named != nullptr ? std::optional(named) : std::nullopt);
    setenv("SEMEL_TEST_PG_BIN", "/nowhere", 1);
    const std::string reason = reason_of([] { const PostgresServer server; });
    if (before) {
        setenv("SEMEL_TEST_PG_BIN", before->c_str(), 1);
    } else {
        unsetenv("SEMEL_TEST_PG_BIN");
    }
    EXPECT_NE(reason.find("there is no program `postgres` in it"), std::string::npos) << reason;
}

}  // namespace
}  // namespace semel::test
