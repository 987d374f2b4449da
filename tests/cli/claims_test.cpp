// semel claims: requests of a gateway whose outcome is not known, from the list to their repeat.
#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "net/client.hpp"
#include "net/server.hpp"

namespace semel::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A server with a gateway, in front of a service that loses every answer.
class Claims : public ServerTest {
protected:
    void SetUp() override {
        auto service = net::Server::start({}, [this](const net::Request&, const auto& respond) {
            ++requests_;
            net::Response response;
            response.status = 502;
            respond(std::move(response));
        });
        ASSERT_TRUE(service) << service.error().message();
        service_ = *std::move(service);
        write("semel.yaml",
              "gateway:\n"
              "  listen: 127.0.0.1:0\n"
              "  routes:\n"
              "    - name: pay\n"
              "      match: { path: /* }\n"
              "      upstream: http://127.0.0.1:" +
                  std::to_string(service_->port()) +
                  "\n"
                  "      auth: none\n"
                  "      idempotency_key: {}\n"
                  "      max_stored_body: 1KiB\n"
                  "      replay_headers: [x-charge]\n");
        start_server({"--config", "semel.yaml"});
        ASSERT_TRUE(server_->out_shows("\ntry:"));
    }

    net::Response pay(const std::string& key) {
        const std::string banner = server_->out();
        const std::size_t line = banner.find("\n  gateway");
        const std::size_t begin = banner.find("http", line);
        auto url =
            net::Url::parse(banner.substr(begin, banner.find_first_of(" \n", begin) - begin));
        auto sent = net::Client(*std::move(url))
                        .send("POST", "/charges",
                              {{"Content-Type", "application/json"}, {"Idempotency-Key", key}},
                              R"({"amount":12})", kDeadline);
        EXPECT_TRUE(sent.has_value()) << sent.error().message();
        return sent ? *std::move(sent) : net::Response{};
    }
    // The claim of a request whose outcome is not known now.
    std::string lose(const std::string& key) {
        const net::Response response = pay(key);
        const std::string* claim = response.header("semel-claim");
        EXPECT_NE(claim, nullptr);
        return claim == nullptr ? "" : *claim;
    }

    std::atomic<int> requests_ = 0;
    std::unique_ptr<net::Server> service_;
};

TEST_F(Claims, AreListedUntilTheyAreResolved) {
    EXPECT_EQ(semel({"claims", "list"}).out, "no uncertain claims\n");
    const std::string claim = lose("order-17");
    const Ended listed = semel({"claims", "list"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.out, AllOf(StartsWith("CLAIM "), HasSubstr(claim + "  key.pay  order-17  "
                                                                          "uncertain  ")));
    EXPECT_THAT(semel({"claims", "list", "--space", "key.other"}).out, StartsWith("no uncertain"));
    const Ended json = semel({"claims", "list", "--space", "key.pay", "--json"});
    EXPECT_THAT(json.out, AllOf(StartsWith(R"({"items":[{"claimId":")" + claim),
                                HasSubstr(R"("nextCursor":null})")));
    EXPECT_EQ(semel({"claims", "resolve", claim, "--outcome", "released", "--reason", "r"}).out,
              "claim " + claim + " is free\n");
    EXPECT_EQ(semel({"claims", "list"}).out, "no uncertain claims\n");
}

TEST_F(Claims, AFoundAnswerIsWhatRepeatsGet) {
    const std::string claim = lose("order-17");
    const Ended resolved =
        semel({"claims", "resolve", claim, "--outcome", "sealed", "--reason", "r", "--response",
               R"({"status":201,"headers":{"X-Charge":"9","Location":"/c/9"},"body":{"id":9}})"});
    EXPECT_EQ(resolved.out, "claim " + claim + " is sealed\n") << resolved.err;
    const net::Response repeat = pay("order-17");
    EXPECT_EQ(repeat.status, 201);
    EXPECT_EQ(repeat.body, R"({"id":9})");
    ASSERT_NE(repeat.header("idempotent-replayed"), nullptr);
    EXPECT_EQ(*repeat.header("x-charge"), "9") << "as the route replays it";
    EXPECT_EQ(*repeat.header("content-type"), "application/json");
    EXPECT_EQ(repeat.header("location"), nullptr);
    EXPECT_EQ(requests_, 1);
    const Ended explained = semel({"explain", "--claim-id", claim, "--json"});
    EXPECT_THAT(explained.out, AllOf(HasSubstr(R"("status":201)"), Not(HasSubstr(R"("id":9)"))));
}

TEST_F(Claims, AnAnswerThatCannotBeKeptIsRefused) {
    const std::string claim = lose("order-17");
    const auto resolve = [&](const std::string& response) {
        return semel({"claims", "resolve", claim, "--outcome", "sealed", "--reason", "r",
                      "--response", response});
    };
    write("large.json", R"({"status":200,"body":")" + std::string(1025, 'x') + "\"}");
    const Ended large = resolve("@large.json");
    EXPECT_NE(large.code, 0);
    EXPECT_THAT(large.err, HasSubstr("this route keeps at most 1024"));
    const Ended no_json = resolve("{");
    EXPECT_EQ(no_json.code, 2);
    EXPECT_THAT(no_json.err, HasSubstr("--response"));
    EXPECT_NE(resolve(R"({"status":99})").code, 0);
    EXPECT_THAT(semel({"claims", "list"}).out, HasSubstr(claim));
}

TEST_F(Claims, WrongOptionsAreRefused) {
    EXPECT_EQ(semel({"claims"}).code, 2);
    EXPECT_EQ(semel({"claims", "list", "--limit", "0"}).code, 2);
    EXPECT_EQ(semel({"claims", "list", "--colour"}).code, 2);
    EXPECT_NE(semel({"claims", "list", "--space", std::string(300, 'x')}).code, 0);
    EXPECT_EQ(run({"claims", "list", "--url", "http://127.0.0.1:1"}).code, 3);
    const Ended help = run({"claims", "list", "--help"});
    EXPECT_THAT(help.out, AllOf(HasSubstr("--space"), HasSubstr("semel claims list --space")));
}

}  // namespace
}  // namespace semel::cli
