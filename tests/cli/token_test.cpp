// semel token, and what changes once a token exists.
#include <algorithm>
#include <csignal>

#include "cli/program.hpp"
#include "net/client.hpp"

namespace semel::cli {
namespace {

using Tokens = ServerTest;

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

TEST_F(Tokens, OnceOneExistsNobodyGetsInWithoutOne) {
    EXPECT_EQ(semel({"token", "list"}).out,
              "no tokens: anyone on this machine may do everything\n");
    const Ended made = semel({"token", "create", "--name", "ops", "--scopes", "admin"});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string secret = first_line(made.out);
    EXPECT_EQ(made.out, secret + "\n");
    EXPECT_GT(secret.size(), 32U);

    const Ended outside = semel({"actions", "list"});
    EXPECT_EQ(outside.code, 1);
    EXPECT_EQ(outside.err.find("semel: unauthorized: "), 0U) << outside.err;
    EXPECT_EQ(semel({"actions", "list", "--token", "wrong"}).code, 1);
    EXPECT_EQ(semel({"actions", "list", "--token", secret}).code, 0);
    EXPECT_EQ(semel({"actions", "list"}, {{"SEMEL_TOKEN", secret}}).code, 0);
    write("secret", secret + "\n");
    EXPECT_EQ(semel({"actions", "list", "--token", "file:secret"}).code, 0);
    EXPECT_EQ(semel({"actions", "list", "--token", "env:NONE_SUCH"}).code, 2);
}

TEST_F(Tokens, AllOfThemAreListedHoweverManyThereAre) {
    constexpr int kTokens = 501;  // one more than a page can have
    net::Client client(*net::Url::parse(url_));
    std::string secret;
    for (int i = 0; i < kTokens; ++i) {
        std::vector<net::Header> headers = {{"Content-Type", "application/json"}};
        if (!secret.empty()) headers.push_back({"Authorization", "Bearer " + secret});
        const auto made =
            client.send("POST", "/v1/tokens", headers, R"({"scopes":["admin"]})", kDeadline);
        ASSERT_TRUE(made);
        ASSERT_EQ(made->status, 201) << made->body;
        secret = member(made->body, "secret");
        secret = secret.substr(1, secret.size() - 2);
    }
    const Environment admin = {{"SEMEL_TOKEN", secret}};
    const Ended listed = semel({"token", "list"}, admin);
    EXPECT_EQ(std::count(listed.out.begin(), listed.out.end(), '\n'), 1 + kTokens);
    const auto document = json::Document::parse(semel({"token", "list", "--json"}, admin).out);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root().find("items")->size(), static_cast<std::size_t>(kTokens));
    EXPECT_TRUE(document->root().find("nextCursor")->is_null());
}

TEST_F(Tokens, TheyAreListedWithoutTheirSecretsAndDeleted) {
    const Ended made = semel({"token", "create", "--name", "ops", "--scopes", "admin", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    std::string secret = member(made.out, "secret");
    secret = secret.substr(1, secret.size() - 2);
    const Environment ops = {{"SEMEL_TOKEN", secret}};
    const Ended reader = semel(
        {"token", "create", "--name", "watcher", "--scopes", "read", "--expires", "1d", "--json"},
        ops);
    ASSERT_EQ(reader.code, 0) << reader.err;
    const Ended listed = semel({"token", "list"}, ops);
    EXPECT_NE(listed.out.find("watcher"), std::string::npos);
    EXPECT_NE(listed.out.find("admin"), std::string::npos);
    EXPECT_EQ(listed.out.find(secret), std::string::npos);

    std::string watcher = member(reader.out, "secret");
    watcher = watcher.substr(1, watcher.size() - 2);
    const Environment watching = {{"SEMEL_TOKEN", watcher}};
    EXPECT_EQ(semel({"actions", "list"}, watching).code, 0);
    const Ended forbidden = semel({"schedule", "t"}, watching);
    EXPECT_EQ(forbidden.code, 1);
    EXPECT_EQ(forbidden.err.find("semel: forbidden: "), 0U) << forbidden.err;

    std::string id = member(reader.out, "id");
    id = id.substr(1, id.size() - 2);
    EXPECT_EQ(semel({"token", "delete", id}, ops).out, "deleted " + id + "\n");
    EXPECT_EQ(semel({"token", "delete", id}, ops).code, 4);
    EXPECT_EQ(semel({"actions", "list"}, watching).code, 1);
}

TEST_F(Tokens, TheFirstMustBeAbleToMakeTheNext) {
    const Ended refused = semel({"token", "create", "--name", "mailer"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err.find("semel: invalid: no API token has the scope `admin` yet"), 0U)
        << refused.err;
    EXPECT_EQ(semel({"actions", "list"}).code, 0) << "nobody is locked out";
    EXPECT_EQ(semel({"token", "create", "--name", "mailer", "--force"}).code, 0);
    EXPECT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 1);
    server_->signal(SIGTERM);
    server_->wait();
    EXPECT_EQ(
        run({"token", "create", "--name", "ops", "--scopes", "admin", "--store", "semel.db"}).code,
        0)
        << "the way back in";
}

TEST_F(Tokens, AWorkerWithoutOneEnds) {
    ASSERT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 0);
    const Ended ended = semel({"work", "--type", "t", "--exec", "true"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_NE(ended.err.find("semel: unauthorized: "), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace semel::cli
