// Calls over TLS: whom they trust, and what an end or a stray record means.
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "unit/net/call_support.hpp"

namespace semel::net {
namespace {

using namespace test;

constexpr std::string_view kAlpn = "\x08http/1.1";

// The server's side of one TLS connection, written by the test.
class TlsPeer {
public:
    TlsPeer(RawClient connection, SSL_CTX* context)
        : connection_(std::move(connection)), tls_(SSL_new(context)) {
        SSL_set_fd(tls_, connection_.descriptor());
        is_accepted_ = SSL_accept(tls_) == 1;
    }
    ~TlsPeer() { SSL_free(tls_); }
    TlsPeer(const TlsPeer&) = delete;
    TlsPeer& operator=(const TlsPeer&) = delete;

    [[nodiscard]] bool is_accepted() const { return is_accepted_; }
    [[nodiscard]] SSL* tls() const { return tls_; }
    // Reads up to an empty line.
    std::string read_head() {
        std::string head;
        char byte = 0;
        while (head.find("\r\n\r\n") == std::string::npos && SSL_read(tls_, &byte, 1) == 1) {
            head.push_back(byte);
        }
        return head;
    }
    // Each call is a record.
    void send(const std::string& bytes) {
        EXPECT_EQ(SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())),
                  static_cast<int>(bytes.size()));
    }
    void say_goodbye() { SSL_shutdown(tls_); }
    void cut() { connection_.finish_sending(); }
    void close() { connection_.close(); }
    // Sends a session ticket that nobody waits for.
    void send_ticket() {
        EXPECT_EQ(SSL_new_session_ticket(tls_), 1);
        EXPECT_EQ(SSL_do_handshake(tls_), 1);
    }

private:
    RawClient connection_;
    SSL* tls_;
    bool is_accepted_ = false;
};

int choose_http_1_1(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* in,
                    unsigned int in_size, void*) {
    const std::string_view offered(reinterpret_cast<const char*>(in), in_size);
    if (offered != kAlpn) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = in + 1;
    *size = 8;
    return SSL_TLSEXT_ERR_OK;
}

class CallTlsTest : public testing::Test {
protected:
    CallTlsTest() {
        names_->hosts["localhost"] = {"127.0.0.1"};
        names_->hosts["localhost."] = {"127.0.0.1"};
        names_->hosts["other.test"] = {"127.0.0.1"};
        tls_ = make_certificate("server");
        context_ = make_context();
    }
    void TearDown() override { SSL_CTX_free(context_); }

    Tls make_certificate(const std::string& name) {
        Tls tls{dir_.path(name + ".pem"), dir_.path(name + ".key")};
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " +
            tls.key_path + " -out " + tls.cert_path + " >/dev/null 2>&1 </dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return tls;
    }
    SSL_CTX* make_context() {
        SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_use_certificate_chain_file(context, tls_.cert_path.c_str());
        SSL_CTX_use_PrivateKey_file(context, tls_.key_path.c_str(), SSL_FILETYPE_PEM);
        SSL_CTX_set_alpn_select_cb(context, choose_http_1_1, nullptr);
        constexpr std::array<unsigned char, 5> kId = {'s', 'e', 'm', 'e', 'l'};
        SSL_CTX_set_session_id_context(context, kId.data(), kId.size());
        return context;
    }
    Origin origin(const std::string& host = "localhost") {
        Origin out = server_.origin();
        out.tls = true;
        out.host = host;
        out.trust.ca_path = tls_.cert_path;
        return out;
    }
    // Begins a call, and is its server.
    std::shared_ptr<Watched> begin(const Origin& origin) {
        const auto acquired = calls_.acquire(origin);
        peer_ = std::make_unique<TlsPeer>(server_.accept(), context_);
        EXPECT_TRUE(eventually([&] { return acquired->is_done.load(); }));
        if (!*acquired->result) {
            ADD_FAILURE() << acquired->result->error().message();
            std::abort();
        }
        auto call = calls_.send(acquired, request());
        EXPECT_NE(peer_->read_head(), "");
        return call;
    }
    // The error of a dial that must fail.
    Error dial_error(const Origin& origin) {
        const auto acquired = calls_.acquire(origin);
        if (server_.is_called() || eventually([&] { return server_.is_called(); })) {
            peer_ = std::make_unique<TlsPeer>(server_.accept(), context_);
        }
        EXPECT_TRUE(eventually([&] { return acquired->is_done.load(); }));
        EXPECT_FALSE(*acquired->result);
        return *acquired->result ? Error(ErrorCode::invalid, "") : acquired->result->error();
    }

    TempDir dir_;
    Tls tls_;
    SSL_CTX* context_ = nullptr;
    RawServer server_;
    std::shared_ptr<FakeResolver> names_ = std::make_shared<FakeResolver>();
    Calls calls_{DialOptions{names_}};
    std::unique_ptr<TlsPeer> peer_;
};

TEST_F(CallTlsTest, CallsTheServerThatItTrusts) {
    ServerOptions options;
    options.tls = tls_;
    const auto server = start(std::move(options), echo);
    std::uint64_t hosts = 0;
    for (const char* host : {"localhost", "127.0.0.1", "localhost."}) {
        ++hosts;
        Origin target = origin(host);
        target.port = server->port();
        for (const std::size_t size : {0U, 10U, 20'000U, 1'000'000U}) {
            const std::string body(size, 'b');
            const auto call = calls_.call(target, request("POST", body));
            ASSERT_EQ(call->wait_result(), CallResult::answered) << call->wait_end()->detail;
            EXPECT_TRUE(call->body() == "POST /a?b\n" + body) << size;
            ASSERT_TRUE(eventually([&] { return calls_.stats().idle == hosts; }));
        }
    }
    EXPECT_EQ(calls_.stats().reused, 9u);
    EXPECT_EQ(server->stats().accepted, 3u);
}

TEST_F(CallTlsTest, NamesTheServerAndTheProtocol) {
    for (const char* host : {"localhost", "localhost."}) {
        const auto call = begin(origin(host));
        EXPECT_STREQ(SSL_get_servername(peer_->tls(), TLSEXT_NAMETYPE_host_name), "localhost");
        const unsigned char* chosen = nullptr;
        unsigned int size = 0;
        SSL_get0_alpn_selected(peer_->tls(), &chosen, &size);
        EXPECT_EQ(size, 8u);
        peer_->send(answer_of(""));
        EXPECT_EQ(call->wait_result(), CallResult::answered);
    }
    const auto call = begin(origin("127.0.0.1"));
    EXPECT_EQ(SSL_get_servername(peer_->tls(), TLSEXT_NAMETYPE_host_name), nullptr);
    peer_->send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

TEST_F(CallTlsTest, RefusesACertificateForAnotherName) {
    const Error error = dial_error(origin("other.test"));
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_NE(error.message().find("TLS handshake"), std::string::npos) << error.message();
    EXPECT_FALSE(peer_->is_accepted() && !peer_->read_head().empty());
}

TEST_F(CallTlsTest, RefusesACertificateThatNobodySigned) {
    Origin target = origin();
    target.trust.ca_path = make_certificate("stranger").cert_path;
    EXPECT_EQ(dial_error(target).code(), ErrorCode::unavailable);
    target.trust.ca_path.clear();
    EXPECT_EQ(dial_error(target).code(), ErrorCode::unavailable);
    target.trust.verify_peer = false;
    target.host = "other.test";
    const auto call = begin(target);
    peer_->send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

TEST_F(CallTlsTest, ShowsItsCertificateWhereItHasOne) {
    const Tls client = make_certificate("client");
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    ASSERT_EQ(SSL_CTX_load_verify_locations(context_, client.cert_path.c_str(), nullptr), 1);
    Origin target = origin();
    target.trust.cert_path = client.cert_path;
    target.trust.key_path = client.key_path;
    const auto call = begin(target);
    EXPECT_EQ(SSL_get_verify_result(peer_->tls()), X509_V_OK);
    EXPECT_NE(SSL_get0_peer_certificate(peer_->tls()), nullptr);
    peer_->send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

TEST_F(CallTlsTest, SaysWhichFileIsWrong) {
    std::ofstream(dir_.path("garbage")) << "this is not PEM\n";
    const std::string garbage = dir_.path("garbage");
    const std::vector<Trust> bad = {
        {garbage, {}, {}},
        {dir_.path("none"), {}, {}},
        {tls_.cert_path, garbage, tls_.key_path},
        {tls_.cert_path, tls_.cert_path, garbage},
        {tls_.cert_path, tls_.cert_path, make_certificate("stranger").key_path}};
    for (const Trust& trust : bad) {
        Origin target = origin();
        target.trust = trust;
        const auto acquired = calls_.acquire(target);
        ASSERT_TRUE(eventually([&] { return acquired->is_done.load(); }));
        ASSERT_FALSE(*acquired->result);
        EXPECT_EQ(acquired->result->error().code(), ErrorCode::invalid);
        const std::string& wrong = trust.key_path.empty()       ? trust.ca_path
                                   : trust.cert_path == garbage ? trust.cert_path
                                                                : trust.key_path;
        EXPECT_NE(acquired->result->error().message().find(wrong), std::string::npos)
            << acquired->result->error().message();
    }
}

TEST_F(CallTlsTest, ResumesTheSessionOfItsOrigin) {
    const auto resumes = [&](const Origin& target) {
        const auto call = begin(target);
        const bool is_resumed = SSL_session_reused(peer_->tls()) == 1;
        peer_->send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        EXPECT_EQ(call->wait_result(), CallResult::answered);
        return is_resumed;
    };
    EXPECT_FALSE(resumes(origin()));
    EXPECT_TRUE(resumes(origin()));
    EXPECT_TRUE(resumes(origin()));
    EXPECT_FALSE(resumes(origin("127.0.0.1")));
    Origin trusting = origin();
    trusting.trust.verify_peer = false;
    EXPECT_FALSE(resumes(trusting));
}

TEST_F(CallTlsTest, ABodyWithoutLengthNeedsAGoodbye) {
    for (const bool says_goodbye : {true, false}) {
        const auto call = begin(origin());
        peer_->send("HTTP/1.1 200 OK\r\n\r\nto the end");
        if (says_goodbye) peer_->say_goodbye();
        peer_->cut();
        EXPECT_EQ(call->wait_result(),
                  says_goodbye ? CallResult::answered : CallResult::bad_answer);
        EXPECT_EQ(call->body(), "to the end");
    }
}

TEST_F(CallTlsTest, ABodyWithLengthNeedsNoGoodbye) {
    const auto call = begin(origin());
    peer_->send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
    peer_->cut();
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_TRUE(eventually([&] { return calls_.stats().open == 0; }));
}

// The kernel delivers both records at once, and OpenSSL shows the call only the first.
TEST_F(CallTlsTest, ARecordThatNobodyAskedForIsNotTheNextAnswer) {
    for (int i = 0; i < 20; ++i) {
        const auto call = begin(origin());
        calls_.run([&] {
            peer_->send(answer_of("asked"));
            peer_->send(answer_of("not asked"));
        });
        EXPECT_EQ(call->wait_result(), CallResult::answered);
        EXPECT_EQ(call->body(), "asked");
        bool is_reserved = true;
        calls_.run([&] { is_reserved = calls_.pool().try_reserve(origin()).has_value(); });
        EXPECT_FALSE(is_reserved);
        EXPECT_TRUE(eventually([&] { return calls_.stats().open == 0; }));
    }
}

TEST_F(CallTlsTest, ARecordThatNobodyAskedForIsNotTheAnswerOfOneWhoWaits) {
    Origin one = origin();
    one.max_connections = 1;
    const auto call = begin(one);
    const auto waiting = calls_.acquire(one);
    calls_.run([&] {
        peer_->send(answer_of("asked"));
        peer_->send(answer_of("not asked"));
    });
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    const TlsPeer fresh(server_.accept(), context_);
    ASSERT_TRUE(eventually([&] { return waiting->is_done.load(); }));
    ASSERT_TRUE(*waiting->result);
    EXPECT_FALSE((*waiting->result)->is_reused());
    calls_.run([&] { waiting->result.reset(); });
}

// A ticket lets the io thread read before it learns that the last write has ended.
TEST_F(CallTlsTest, AnAnswerIsNotEarlyIfTheRequestHasLeft) {
    const auto acquired = calls_.acquire(origin());
    peer_ = std::make_unique<TlsPeer>(server_.accept(), context_);
    ASSERT_TRUE(eventually([&] { return acquired->is_done.load(); }));
    auto call = std::make_shared<Watched>();
    calls_.run([&] {
        peer_->send_ticket();
        calls_.thread().post([&] {
            call->call = std::move(**acquired->result).send(request(), call->listener());
            EXPECT_NE(peer_->read_head(), "");
            peer_->send(answer_of("a"));
        });
    });
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_TRUE(eventually([&] { return calls_.stats().idle == 1; }));
}

TEST_F(CallTlsTest, ASessionTicketEndsNoIdleConnection) {
    const auto first = begin(origin());
    peer_->send(answer_of(""));
    ASSERT_EQ(first->wait_result(), CallResult::answered);
    ASSERT_TRUE(eventually([&] { return calls_.stats().idle == 1; }));
    peer_->send_ticket();
    for (int i = 0; i < 3; ++i) calls_.run([] {});  // the io thread reads it before that
    const auto acquired = calls_.acquire(origin());
    ASSERT_TRUE(eventually([&] { return acquired->is_done.load(); }));
    ASSERT_TRUE(*acquired->result);
    EXPECT_TRUE((*acquired->result)->is_reused());
    const auto call = calls_.send(acquired, request());
    EXPECT_NE(peer_->read_head(), "");
    peer_->send(answer_of("a"));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

}  // namespace
}  // namespace semel::net
