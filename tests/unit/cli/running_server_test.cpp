// The server while it starts: its port is open before its API is.
#include "cli/serve/running_server.hpp"

#include <gtest/gtest.h>

#include "core/json/json.hpp"
#include "net/client.hpp"
#include "net/server.hpp"
#include "runtime/open_store.hpp"
#include "support/temp_folder.hpp"

namespace semel::cli {
namespace {

// A store in front of another: tells when somebody wants to read, and has something to warn of.
class WatchedStore final : public Store {
public:
    WatchedStore(std::unique_ptr<Store> inner, std::function<void()> before_reads)
        : inner_(std::move(inner)), before_reads_(std::move(before_reads)) {}

    std::unique_ptr<Committer> open_committer(Post post) override {
        return inner_->open_committer(std::move(post));
    }
    Reads& reads() override {
        before_reads_();
        return inner_->reads();
    }
    [[nodiscard]] Time now() const override { return inner_->now(); }
    [[nodiscard]] Millis clock_offset() const override { return inner_->clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return inner_->info(); }
    [[nodiscard]] std::vector<StoreWarning> warnings() const override {
        return {{"vacuum_held_back", "session 7 has held it", "end \"it\""}};
    }

private:
    const std::unique_ptr<Store> inner_;
    const std::function<void()> before_reads_;
};

std::uint16_t free_port() {
    auto server = net::Server::start({}, [](net::Request, const net::Responder&) {});
    return (*server)->port();
}

Result<net::Response> get(std::uint16_t port, const char* target) {
    net::Client client(*net::Url::parse("http://127.0.0.1:" + std::to_string(port)));
    return client.send("GET", target, {}, "", std::chrono::seconds(30));
}

TEST(RunningServer, WhileItStartsTheAnswerIsAProblemToo) {
    const test::TempFolder folder;
    Config config;
    config.listen.port = free_port();
    std::optional<net::Response> early;
    auto store = open_store(folder.file("semel.db"));
    ASSERT_TRUE(store);
    auto watched = std::make_unique<WatchedStore>(*std::move(store), [&] {
        if (auto answered = get(config.listen.port, "/v1/actions"); answered && !early) {
            early = *std::move(answered);
        }
    });
    const auto server = RunningServer::start(config, std::move(watched));
    ASSERT_TRUE(server) << server.error().message();
    ASSERT_TRUE(early);
    EXPECT_EQ(early->status, 503);
    const auto problem = json::Document::parse(early->body);
    ASSERT_TRUE(problem) << early->body;
    EXPECT_EQ(problem->root().find("code")->as_string(), "store_unavailable");
    EXPECT_NE(problem->root().find("detail")->as_string().find("starting"), std::string::npos);
    ASSERT_NE(early->header("Content-Type"), nullptr);
    EXPECT_EQ(*early->header("Content-Type"), "application/problem+json");
    ASSERT_NE(early->header("Retry-After"), nullptr);
}

TEST(RunningServer, IsReadyWithAWarningOfItsStore) {
    const test::TempFolder folder;
    Config config;
    config.listen.port = free_port();
    auto store = open_store(folder.file("semel.db"));
    ASSERT_TRUE(store);
    const auto server =
        RunningServer::start(config, std::make_unique<WatchedStore>(*std::move(store), [] {}));
    ASSERT_TRUE(server) << server.error().message();
    const auto ready = get(config.listen.port, "/readyz");
    ASSERT_TRUE(ready);
    EXPECT_EQ(ready->status, 200);
    EXPECT_NE(ready->body.find(R"("warnings":[{"name":"vacuum_held_back","detail":"session 7 has )"
                               R"(held it","fix":"end \"it\""}])"),
              std::string::npos)
        << ready->body;
    const auto metrics = get(config.listen.port, "/metrics");
    ASSERT_TRUE(metrics);
    EXPECT_NE(metrics->body.find("\nsemel_store_warnings 1\n"), std::string::npos);
}

}  // namespace
}  // namespace semel::cli
