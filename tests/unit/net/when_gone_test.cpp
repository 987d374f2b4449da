// Request::when_gone: whoever waits on a client's behalf learns that it has left.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

const std::string kRequest = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";

// Parks requests for /wait until their client is gone, and echoes the others.
class Parking {
public:
    RequestHandler handler() {
        return [this](Request request, const Responder& respond) {
            if (request.path != "/wait") return echo(request, respond);
            request.when_gone([this, respond] {
                ++gone_;
                respond(text("last words"));
            });
            ++parked_;
            kept_ = respond;
        };
    }
    [[nodiscard]] bool becomes_parked(int count = 1) {
        return eventually([&] { return parked_ == count; });
    }
    [[nodiscard]] bool becomes_gone() {
        return eventually([&] { return gone_ == 1; });
    }
    [[nodiscard]] int gone() const { return gone_; }
    void answer() { kept_(text("an answer")); }

private:
    std::atomic<int> parked_{0};
    std::atomic<int> gone_{0};
    Responder kept_;
};

TEST(WhenGone, TellsOfACloseAndOfAReset) {
    for (const bool is_polite : {true, false}) {
        Parking parking;
        const auto server = start({}, parking.handler());
        RawClient client(server->port());
        client.send(kRequest);
        ASSERT_TRUE(parking.becomes_parked());
        EXPECT_EQ(parking.gone(), 0);
        is_polite ? client.close() : client.reset();
        EXPECT_TRUE(parking.becomes_gone());
    }
}

TEST(WhenGone, AHalfCloseEndsTheWaitAndTheAnswerIsStillGiven) {
    Parking parking;
    const auto server = start({}, parking.handler());
    RawClient client(server->port());
    client.send(kRequest);
    ASSERT_TRUE(parking.becomes_parked());
    client.finish_sending();
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "last words");
    EXPECT_EQ(parking.gone(), 1);
}

TEST(WhenGone, AClientThatSendsMoreIsThereAndIsServed) {
    Parking parking;
    const auto server = start({}, parking.handler());
    RawClient client(server->port());
    client.send(kRequest);
    ASSERT_TRUE(parking.becomes_parked());
    client.send("POST /next HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo");
    client.send("dy");
    parking.answer();
    EXPECT_EQ(body_of(client.read_response().value_or("")), "an answer");
    EXPECT_EQ(body_of(client.read_response().value_or("")), "POST /next\nbody");
    EXPECT_EQ(parking.gone(), 0);
}

TEST(WhenGone, OneThatWasAnsweredMayAskAgainAndLeave) {
    Parking parking;
    const auto server = start({}, parking.handler());
    RawClient client(server->port());
    for (int i = 1; i <= 3; ++i) {
        client.send(kRequest);
        ASSERT_TRUE(parking.becomes_parked(i));
        parking.answer();
        EXPECT_EQ(body_of(client.read_response().value_or("")), "an answer");
        client.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(body_of(client.read_response().value_or("")), "GET /other\n");
    }
    EXPECT_EQ(parking.gone(), 0);
    client.send(kRequest);
    ASSERT_TRUE(parking.becomes_parked(4));
    client.close();
    EXPECT_TRUE(parking.becomes_gone());
    EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
}

TEST(WhenGone, TheLastAnswerOfAStopReachesAClientThatWaits) {
    Parking parking;
    const auto server = start({}, parking.handler());
    RawClient client(server->port());
    client.send("GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    ASSERT_TRUE(parking.becomes_parked());
    parking.answer();  // then it lingers, although it was watching
    EXPECT_EQ(body_of(client.read_to_end().value_or("")), "an answer");
    EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
}

class WhenGoneTls : public testing::Test {
protected:
    WhenGoneTls() {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout " +
            dir_.path("key") + " -out " + dir_.path("cert") + " >/dev/null 2>&1 </dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0);
        ServerOptions options;
        options.tls = Tls{dir_.path("cert"), dir_.path("key")};
        server_ = start(std::move(options), parking_.handler());
    }

    TempDir dir_;
    Parking parking_;
    std::unique_ptr<Server> server_;
};

TEST_F(WhenGoneTls, TellsOfATlsClose) {
    // s_client says goodbye as TLS wants it, and then waits for the server's.
    const std::string command =
        "openssl s_client -connect 127.0.0.1:" + std::to_string(server_->port()) +
        " >/dev/null 2>&1";
    FILE* client = ::popen(command.c_str(), "w");
    ASSERT_NE(client, nullptr);
    ASSERT_EQ(std::fwrite(kRequest.data(), 1, kRequest.size(), client), kRequest.size());
    std::fflush(client);
    EXPECT_TRUE(parking_.becomes_parked());
    ::pclose(client);
    EXPECT_TRUE(parking_.becomes_gone());
}

TEST_F(WhenGoneTls, AHangUpGetsTheLastAnswerAndLaterCallsAreErrors) {
    ClientOptions options;
    options.ca_path = dir_.path("cert");
    Client client(*Url::parse("https://127.0.0.1:" + std::to_string(server_->port())), options);
    std::thread hanging_up([&] {
        EXPECT_TRUE(parking_.becomes_parked());
        client.hang_up(kPatience);
    });
    const auto answer = client.send("GET", "/wait", {}, "", kPatience);
    hanging_up.join();
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->body, "last words");
    const auto later = client.send("GET", "/other", {}, "", kPatience);
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().code(), ErrorCode::stopped);
}

TEST(HangUp, EndsACallThatNobodyAnswers) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    Client client(*Url::parse("http://127.0.0.1:" + std::to_string(server->port())));
    std::optional<Pending> pending;
    std::thread hanging_up([&] {
        pending = inbox.next();
        client.hang_up(std::chrono::milliseconds(10));
    });
    const auto answer = client.send("GET", "/", {}, "", std::chrono::hours(1));
    hanging_up.join();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), ErrorCode::timeout);
}

}  // namespace
}  // namespace semel::net
