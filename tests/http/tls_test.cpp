#include <cstdlib>

#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

TEST(TlsOverHttp, TheApiIsServedToThoseWhoTrustItsCertificate) {
    const TempFolder folder;
    const net::Tls tls{folder.file("cert.pem"), folder.file("key.pem")};
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " +
        tls.key_path + " -out " + tls.cert_path + " >/dev/null 2>&1 </dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    ServerSetup setup;
    setup.tls = tls;
    TestServer server(folder.file("semel.db"), setup);
    net::ClientOptions trusting;
    trusting.ca_path = tls.cert_path;
    Caller caller(server.url(), {}, trusting);
    const Answered made = caller.post("/v1/actions", R"({"type":"t"})");
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(caller.get("/v1/actions/" + made.text("/id")).text("/status"), "pending");
    EXPECT_THAT(caller.get("/").body, testing::HasSubstr("https://127.0.0.1:"));
    net::Client stranger(server.url());
    EXPECT_FALSE(stranger.send("GET", "/healthz", {}, "", kPatience).has_value());
}

}  // namespace
}  // namespace semel::test
