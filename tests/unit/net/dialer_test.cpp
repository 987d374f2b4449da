// How a name becomes a connection.
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit/net/call_support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

constexpr milliseconds kShortDial{80};

// An address whose queue of connections is full: the kernel ignores another.
class FullServer {
public:
    explicit FullServer(const std::string& address) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        address_.sin_family = AF_INET;
        ::inet_pton(AF_INET, address.c_str(), &address_.sin_addr);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address_), sizeof address_), 0);
        EXPECT_EQ(::listen(socket_, 0), 0);
        socklen_t size = sizeof address_;
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &size);
        for (int i = 0; i < 4; ++i) {
            const int filler = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            (void)::connect(filler, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
            fillers_.push_back(filler);
        }
    }
    ~FullServer() {
        for (const int filler : fillers_) ::close(filler);
        ::close(socket_);
    }
    FullServer(const FullServer&) = delete;
    FullServer& operator=(const FullServer&) = delete;
    [[nodiscard]] std::uint16_t port() const { return ntohs(address_.sin_port); }

private:
    int socket_;
    sockaddr_in address_{};
    std::vector<int> fillers_;
};

// Never answers.
class SilentResolver : public Resolver {
public:
    void resolve(const std::string&, IoThread&, Done) override { ++asked; }
    std::atomic<int> asked{0};
};

class DialerTest : public testing::Test {
protected:
    std::shared_ptr<FakeResolver> names_ = std::make_shared<FakeResolver>();
    DialOptions options_{names_, milliseconds(2000), milliseconds(5000), {}};
    RawServer server_;
    std::unique_ptr<Calls> calls_;

    Origin origin(const std::string& host) {
        Origin out = server_.origin();
        out.host = host;
        return out;
    }
    std::shared_ptr<Acquired> begin(const Origin& origin) {
        if (!calls_) calls_ = std::make_unique<Calls>(options_);
        return calls_->acquire(origin);
    }
    // Dials, and gives the error, if it fails.
    std::optional<Error> dial(const Origin& origin) {
        const auto acquired = begin(origin);
        EXPECT_TRUE(eventually([&] { return acquired->is_done.load(); }));
        std::optional<Error> error;
        if (!*acquired->result) error = acquired->result->error();
        calls_->run([&] { acquired->result.reset(); });
        return error;
    }
};

TEST_F(DialerTest, TriesTheAddressesInTurn) {
    names_->hosts["test"] = {"127.0.0.3", "127.0.0.2", "127.0.0.1"};  // the last has a server
    EXPECT_FALSE(dial(origin("test")));
    EXPECT_TRUE(server_.is_called());
}

TEST_F(DialerTest, TakesTheFirstAddressThatAnswers) {
    names_->hosts["test"] = {"127.0.0.2", "127.0.0.1"};
    const RawServer earlier("127.0.0.2", server_.port());
    EXPECT_FALSE(dial(origin("test")));
    EXPECT_TRUE(earlier.is_called());
    EXPECT_FALSE(server_.is_called());
}

TEST_F(DialerTest, NamesTheLastFailure) {
    names_->hosts["test"] = {"127.0.0.2", "127.0.0.3"};
    const auto error = dial(origin("test"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::unavailable);
    EXPECT_NE(error->message().find("test:"), std::string::npos) << error->message();
    EXPECT_NE(error->message().find("127.0.0.3"), std::string::npos) << error->message();
}

TEST_F(DialerTest, PassesTheResolversErrorOn) {
    const auto error = dial(origin("unknown"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::not_found);
}

TEST_F(DialerTest, NeedsNoResolverForLiterals) {
    options_.resolver = nullptr;
    EXPECT_FALSE(dial(origin("127.0.0.1")));
    const auto error = dial(origin("test"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::not_found);
}

TEST_F(DialerTest, ConnectsToIpv6) {
    const auto error = dial(origin("::1"));
    // No server listens there, but the literal was understood.
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::unavailable);
}

TEST_F(DialerTest, ChecksEveryAddressBeforeItConnects) {
    options_.check_address = [](std::string_view literal) -> Result<void> {
        if (literal != "127.0.0.66") return {};
        return Error(ErrorCode::refused, "not there");
    };
    names_->hosts["mixed"] = {"127.0.0.1", "127.0.0.66"};
    auto error = dial(origin("mixed"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::refused);
    error = dial(origin("127.0.0.66"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::refused);
    EXPECT_FALSE(server_.is_called());
    EXPECT_FALSE(dial(origin("127.0.0.1")));
}

TEST_F(DialerTest, LeavesAnAddressThatDoesNotAnswer) {
    const FullServer full("127.0.0.2");
    const RawServer next("127.0.0.1", full.port());
    options_.address_timeout = kShortDial;
    names_->hosts["test"] = {"127.0.0.2", "127.0.0.1"};
    Origin target = next.origin();
    target.host = "test";
    const auto began = CallPool::Clock::now();
    EXPECT_FALSE(dial(target));
    EXPECT_GE(CallPool::Clock::now() - began, kShortDial);
}

TEST_F(DialerTest, EveryAddressMayBeTooSlow) {
    const FullServer full("127.0.0.2");
    options_.address_timeout = kShortDial;
    names_->hosts["test"] = {"127.0.0.2", "127.0.0.2"};
    Origin target = origin("test");
    target.port = full.port();
    const auto began = CallPool::Clock::now();
    const auto error = dial(target);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::timeout);
    EXPECT_GE(CallPool::Clock::now() - began, 2 * kShortDial);
}

TEST_F(DialerTest, TheWholeHasALimit) {
    const FullServer full("127.0.0.2");
    options_.timeout = kShortDial;
    names_->hosts["test"] = {"127.0.0.2", "127.0.0.1"};
    Origin target = origin("test");
    target.port = full.port();
    const auto error = dial(target);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::timeout);
}

TEST_F(DialerTest, TheNameHasALimit) {
    options_.timeout = kShortDial;
    options_.resolver = std::make_shared<SilentResolver>();
    const auto error = dial(origin("test"));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::timeout);
}

TEST_F(DialerTest, TheHandshakeHasALimit) {
    options_.timeout = kShortDial;
    Origin target = origin("127.0.0.1");
    target.tls = true;
    const auto error = dial(target);  // the server accepts, and is silent
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::timeout);
    RawClient peer = server_.accept();
    EXPECT_TRUE(peer.read_to_end());  // closed
}

TEST_F(DialerTest, IsCancelledInEveryPhase) {
    const FullServer full("127.0.0.2");
    const auto silent = std::make_shared<SilentResolver>();
    options_.resolver = silent;
    Origin connecting = origin("127.0.0.2");
    connecting.port = full.port();
    Origin shaking = origin("127.0.0.1");
    shaking.tls = true;
    const std::vector<std::shared_ptr<Acquired>> all = {begin(origin("name")), begin(connecting),
                                                        begin(shaking)};
    ASSERT_TRUE(eventually([&] { return silent->asked == 1; }));
    RawClient peer = server_.accept();
    ASSERT_TRUE(peer.read_bytes(1));  // of the handshake
    calls_->run([&] { calls_->pool().stop(); });
    for (const auto& one : all) {
        ASSERT_TRUE(one->is_done);
        EXPECT_EQ(one->result->error().code(), ErrorCode::stopped);
    }
    EXPECT_EQ(calls_->stats().open, 0u);
    EXPECT_TRUE(peer.read_to_end());
}

}  // namespace
}  // namespace semel::net
