#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

class TlsServer : public testing::Test {
protected:
    TempDir dir_;

    Tls make_certificate(const std::string& name) {
        Tls tls{dir_.path(name + ".pem"), dir_.path(name + ".key")};
        run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " +
            tls.key_path + " -out " + tls.cert_path);
        return tls;
    }
    int run(const std::string& command) {
        return std::system((command + " >" + dir_.path("out") + " 2>&1 </dev/null").c_str());
    }
    std::string output() {
        std::ifstream file(dir_.path("out"));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static Result<std::unique_ptr<Server>> start_tls(const Tls& tls, Limits limits = {}) {
        ServerOptions options;
        options.tls = tls;
        options.limits = limits;
        return Server::start(std::move(options),
                             [](const Request& request, const Responder& respond) {
                                 EXPECT_TRUE(request.tls);
                                 echo(request, respond);
                             });
    }
    static Url url(const Server& server, const std::string& host) {
        return *Url::parse("https://" + host + ":" + std::to_string(server.port()));
    }
};

TEST_F(TlsServer, ServesWhoTrustsItsCertificate) {
    const Tls tls = make_certificate("a");
    const auto server = start_tls(tls);
    ASSERT_TRUE(server) << server.error().message();
    for (const char* host : {"localhost", "127.0.0.1"}) {
        ClientOptions options;
        options.ca_path = tls.cert_path;
        Client client(url(**server, host), options);
        for (const std::size_t size : {0U, 10U, 100'000U, 1'000'000U}) {
            const std::string body(size, 'b');
            const auto answer = client.send("POST", "/", {}, body, kPatience);
            ASSERT_TRUE(answer) << answer.error().message();
            EXPECT_EQ(answer->body, "POST /\n" + body);
        }
    }
    EXPECT_EQ((*server)->stats().accepted, 2u);
}

TEST_F(TlsServer, IsNotTrustedBlindly) {
    const Tls tls = make_certificate("a");
    const auto server = start_tls(tls);
    ASSERT_TRUE(server);
    Client stranger(url(**server, "localhost"));
    EXPECT_FALSE(stranger.send("GET", "/", {}, "", kPatience));
    ClientOptions options;
    options.verify_peer = false;
    Client trusting(url(**server, "localhost"), options);
    EXPECT_TRUE(trusting.send("GET", "/", {}, "", kPatience));
}

TEST_F(TlsServer, SpeaksTls12AndNewerOnly) {
    const Tls tls = make_certificate("a");
    const auto server = start_tls(tls);
    ASSERT_TRUE(server);
    const std::string connect =
        "openssl s_client -connect 127.0.0.1:" + std::to_string((*server)->port()) +
        " -cipher DEFAULT@SECLEVEL=0 ";
    EXPECT_EQ(run(connect + "-tls1_3"), 0) << output();
    EXPECT_EQ(run(connect + "-tls1_2"), 0) << output();
    EXPECT_NE(run(connect + "-tls1_1"), 0) << output();
    EXPECT_NE(output().find("alert"), std::string::npos) << output();
}

TEST_F(TlsServer, PlainHttpAndSilenceAreClosed) {
    Limits limits;
    limits.header_timeout = std::chrono::milliseconds(60);
    const auto server = start_tls(make_certificate("a"), limits);
    ASSERT_TRUE(server);
    RawClient plain((*server)->port());
    plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto answer = plain.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(count_responses(*answer), 0u);
    RawClient silent((*server)->port());
    EXPECT_EQ(silent.read_to_end(), "");
    EXPECT_EQ((*server)->stats().requests, 0u);
}

TEST_F(TlsServer, SaysWhichFileIsWrong) {
    const Tls good = make_certificate("good");
    const Tls other = make_certificate("other");
    const std::string empty = dir_.path("empty");
    const std::string garbage = dir_.path("garbage");
    std::ofstream(empty).close();
    std::ofstream(garbage) << "this is not PEM\n";
    struct Case {
        Tls tls;
        std::string file;
        std::string why;
    };
    const std::vector<Case> cases = {
        {{dir_.path("none"), good.key_path}, dir_.path("none"), "No such file"},
        {{good.cert_path, dir_.path("none")}, dir_.path("none"), "No such file"},
        {{empty, good.key_path}, empty, "empty"},
        {{garbage, good.key_path}, garbage, "PEM"},
        {{good.cert_path, garbage}, garbage, "PEM"},
        {{good.cert_path, other.key_path}, other.key_path, good.cert_path},
    };
    for (const Case& one : cases) {
        const auto server = start_tls(one.tls);
        ASSERT_FALSE(server);
        const std::string& message = server.error().message();
        EXPECT_NE(message.find(one.file), std::string::npos) << message;
        EXPECT_NE(message.find(one.why), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace semel::net
