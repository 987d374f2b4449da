// semel serve: the banner, what it refuses, how it stops.
#include <csignal>
#include <sstream>

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/unique_fd.hpp"
#include "cli/program.hpp"

namespace semel::cli {
namespace {

using Serve = ServerTest;
using ServeRefuses = CliTest;

TEST_F(Serve, TheBannerSaysWhatRunsAndWhatToTry) {
    const std::string banner = server_->out();
    EXPECT_EQ(banner.find("Semel " SEMEL_VERSION "\n  store      semel.db (sqlite): "), 0U);
    EXPECT_NE(banner.find("it survives a crash and a power cut"), std::string::npos);
    EXPECT_NE(banner.find("\n  API        " + url_ + "\n"), std::string::npos);
    EXPECT_NE(banner.find("\n  config     defaults\n"), std::string::npos);
    EXPECT_NE(banner.find("\n  tokens     none yet"), std::string::npos);
}

TEST_F(Serve, TheRequestOfTheBannerWorksAsItStands) {
    const std::string banner = server_->out();
    const std::size_t begin = banner.find("  curl ");
    const std::size_t end = banner.find("  semel work");
    ASSERT_NE(begin, std::string::npos);
    const std::string command =
        banner.substr(begin, end - begin - 1) + " -o '" + path("answer") + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(member(read("answer"), "decision"), "\"new\"");
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(member(read("answer"), "decision"), "\"duplicate\"");
}

// A connection whose bytes the test chooses.
class RawConnection {
public:
    explicit RawConnection(const std::string& url) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port =
            htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    }
    void send(const std::string& bytes) {
        EXPECT_EQ(::send(fd_.get(), bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
    }
    std::string read_some() {
        std::string out(16, '\0');
        out.resize(static_cast<std::size_t>(
            std::max<ssize_t>(::recv(fd_.get(), out.data(), out.size(), 0), 0)));
        return out;
    }
    std::string read_to_end() {
        std::string out(64 * 1024, '\0');
        std::size_t size = 0;
        for (ssize_t got = 0;
             (got = ::recv(fd_.get(), out.data() + size, out.size() - size, 0)) > 0;) {
            size += static_cast<std::size_t>(got);
        }
        out.resize(size);
        return out;
    }

private:
    UniqueFd fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
};

std::string post(const std::string& target, const std::string& body, std::size_t length,
                 const std::string& more_headers = "") {
    return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
           more_headers + "Content-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

TEST_F(Serve, SigtermAnswersAClaimThatWaitsAndKeepsWhatWasAcknowledged) {
    const std::string body = R"({"types":["none"],"waitMs":60000})";
    RawConnection claim(url_);
    claim.send(post("/v1/jobs/claim", body, body.size()));
    const std::string id = schedule({"kept", "--delay", "1h"});  // the claim has arrived before it
    const auto began = std::chrono::steady_clock::now();
    server_->signal(SIGTERM);
    const std::string answer = claim.read_to_end();
    EXPECT_EQ(answer.find("HTTP/1.1 200 "), 0U) << answer;
    EXPECT_NE(answer.find(R"({"jobs":[]})"), std::string::npos) << answer;
    const Ended ended = server_->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
    EXPECT_NE(ended.err.find("\"message\":\"stopped\""), std::string::npos) << ended.err;
    start_server();
    EXPECT_EQ(action(id, "status"), "\"pending\"");
}

// A client that asks for more than fits between it and the server, and reads none of it.
class UnreadAnswer {
public:
    explicit UnreadAnswer(const std::string& url) : connection_(url) {
        for (int i = 0; i < kActions; ++i) {
            const std::string body = fmt::format(R"({{"type":"large","payload":["{}",{}]}})",
                                                 std::string(1'000'000, 'x'), i);
            RawConnection made(url);
            made.send(post("/v1/actions", body, body.size(), "Connection: close\r\n"));
            EXPECT_EQ(made.read_to_end().find("HTTP/1.1 201 "), 0U);
        }
        connection_.send("GET /v1/actions HTTP/1.1\r\nHost: localhost\r\n\r\n");
        EXPECT_EQ(connection_.read_some().find("HTTP/1.1 200 "), 0U);
    }

private:
    static constexpr int kActions = 12;
    RawConnection connection_;
};

TEST_F(Serve, ASecondSignalDoesNotWait) {
    const UnreadAnswer holding(url_);
    const std::string id = schedule({"kept", "--delay", "1h"});
    const auto began = std::chrono::steady_clock::now();
    server_->signal(SIGTERM);
    ASSERT_TRUE(server_->err_shows("stopping: "));
    server_->signal(SIGTERM);
    EXPECT_EQ(server_->wait().code, 128 + SIGTERM);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8));
    start_server();
    EXPECT_EQ(action(id, "status"), "\"pending\"");
}

TEST_F(Serve, AHangUpStopsGracefully) {
    const std::string id = schedule({"kept", "--delay", "1h"});
    server_->signal(SIGHUP);
    const Ended ended = server_->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("\"message\":\"stopped\""), std::string::npos) << ended.err;
    start_server();
    EXPECT_EQ(action(id, "status"), "\"pending\"");
}

// Enough decisions to fill any pipe.
void decide_much(const std::string& url) {
    for (int batch = 0; batch < 10; ++batch) {
        std::string body = R"({"items":[)";
        for (int i = 0; i < 100; ++i) {
            body += fmt::format(R"({}{{"type":"t","payload":{{"entityId":"{}-{}"}}}})",
                                i == 0 ? "" : ",", batch, i);
        }
        body += "]}";
        RawConnection connection(url);
        connection.send(post("/v1/actions/batch", body, body.size(), "Connection: close\r\n"));
        const std::string answer = connection.read_to_end();
        ASSERT_EQ(answer.find("HTTP/1.1 200 "), 0U) << answer;
    }
}

TEST_F(Serve, AStandardErrorThatNobodyReadsHoldsUpNothing) {
    server_->leave_err_unread();
    decide_much(url_);
    server_->signal(SIGTERM);
    EXPECT_TRUE(server_->ends());
    const Ended ended = server_->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(Serve, CtrlCStopsTooAndLogLinesAreJson) {
    schedule({"logged", "--payload", R"({"entityId":"x"})"});
    server_->signal(SIGINT);
    const Ended ended = server_->wait();
    EXPECT_EQ(ended.code, 0);
    std::istringstream lines(ended.err);
    int decisions = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto parsed = json::Document::parse(line);
        ASSERT_TRUE(parsed) << line;
        decisions += parsed->root().find("idempotency_key") ? 1 : 0;
    }
    EXPECT_EQ(decisions, 1);
}

TEST_F(Serve, TheDecisionLinesCanBeTurnedOff) {
    server_->signal(SIGTERM);
    server_->wait();
    write("semel.yaml", "log: { decisions: false }\n");
    start_server({"--config", "semel.yaml"});
    schedule({"quiet", "--payload", R"({"entityId":"x"})"});
    server_->signal(SIGTERM);
    EXPECT_EQ(server_->wait().err.find("idempotency_key"), std::string::npos);
}

TEST_F(Serve, AStoreInUseIsRefusedInOneLine) {
    const Ended ended = run({"serve", "--store", "semel.db", "--listen", "127.0.0.1:0"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_EQ(ended.err.find("semel: semel.db is in use by process "), 0U) << ended.err;
    EXPECT_EQ(ended.out, "");
}

TEST_F(Serve, APortInUseIsRefusedInOneLine) {
    const std::string address = url_.substr(std::string("http://").size());
    const Ended ended = run({"serve", "--store", "other.db", "--listen", address});
    EXPECT_EQ(ended.code, 3);
    EXPECT_NE(ended.err.find("semel: cannot listen on " + address + ": Address already in use"),
              std::string::npos)
        << ended.err;
    EXPECT_EQ(ended.out, "");
}

TEST_F(ServeRefuses, OtherAddressesWithoutAToken) {
    const Ended ended = run({"serve", "--listen", "0.0.0.0:0"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err,
              "semel: listening on 0.0.0.0:0 needs an API token, since others can reach it. Make "
              "one first:\n  semel token create --store ./semel.db --name ops --scopes admin\n");
}

TEST_F(ServeRefuses, NotOnceATokenExistsButWithAWarning) {
    ASSERT_EQ(
        run({"token", "create", "--store", "./semel.db", "--name", "ops", "--scopes", "admin"})
            .code,
        0);
    Program server({"serve", "--listen", "0.0.0.0:0"}, folder_);
    ASSERT_TRUE(server.out_shows("tokens     required"));
    ASSERT_TRUE(server.err_shows("without TLS"));
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait().code, 0);
}

TEST_F(ServeRefuses, ABadConfigurationWithItsPlace) {
    write("semel.yaml", "store: a.db\nactions:\n  retension_days: 7\n");
    const Ended file = run({"serve", "--config", "semel.yaml"});
    EXPECT_EQ(file.code, 2);
    EXPECT_EQ(file.err,
              "semel: semel.yaml:3:3: unknown key `actions.retension_days`; the nearest known key "
              "is `actions.retention_days`\n");
    const Ended variable = run({"serve"}, {{"SEMEL_LISTEN", "nowhere"}});
    EXPECT_EQ(variable.code, 2);
    EXPECT_EQ(variable.err.find("semel: SEMEL_LISTEN: `listen`: `nowhere` is not an address"), 0U);
    const Ended missing = run({"serve"}, {{"SEMEL_CONFIG", "none.yaml"}});
    EXPECT_EQ(missing.code, 2);
    EXPECT_EQ(missing.err, "semel: cannot read none.yaml: No such file or directory\n");
    const Ended flag = run({"serve", "--log-level", "loud"});
    EXPECT_EQ(flag.code, 2);
    EXPECT_EQ(flag.err.find("semel: --log-level: `log.level`: it must be one of"), 0U);
}

TEST_F(ServeRefuses, AStoreThatCannotBe) {
    EXPECT_EQ(run({"serve", "--store", "no/such/folder/semel.db"}).code, 3);
    const Ended unknown = run({"serve", "--store", "mysql://localhost/db"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("no store for `mysql://`"), std::string::npos);
    const Ended away = run({"serve", "--store", "postgres://me:secret@127.0.0.1:1/db"});
    EXPECT_EQ(away.code, 3) << away.err;
    EXPECT_NE(away.err.find("cannot open postgres://me@127.0.0.1:1/db: "), std::string::npos);
    EXPECT_EQ(away.err.find("secret"), std::string::npos);
    write("junk.db", std::string(8192, 'x'));
    const Ended junk = run({"serve", "--store", "junk.db"});
    EXPECT_EQ(junk.code, 3) << junk.err;
}

TEST_F(ServeRefuses, ACertificateThatIsNotThere) {
    write("semel.yaml", "tls: { cert: none.pem, key: file:none.key }\n");
    const Ended ended = run({"serve", "--config", "semel.yaml", "--listen", "127.0.0.1:0"});
    EXPECT_NE(ended.code, 0);
    EXPECT_NE(ended.err.find("none."), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace semel::cli
