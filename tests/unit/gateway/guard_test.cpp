// The content guard over sockets: what is sent, and what an equal request is answered.
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "unit/gateway/guard_fixture.hpp"

namespace semel::gateway {
namespace {

using namespace net::test;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr Millis kWindow{400};

constexpr const char* kInFlight =
    R"({"success":true,"duplicateOnly":true,"duplicateMessage":"The same request is being sent )"
    R"(now. Nothing was sent again; repeat the request when it is done.","message":null,)"
    R"("leadId":null,"hsPortalId":null})";

void claim_keys(GatewayRoute& route) {
    route.idempotency_key = KeyRule{};
}

// ---- what is sent -------------------------------------------------------------------------------

TEST_F(GuardTest, AnEqualMessageIsNotSentAgain) {
    start_messages();
    const std::string first = ask(post({}));
    EXPECT_EQ(status_of(first), 201);
    EXPECT_EQ(header_of(first, "Semel-Duplicate"), "none");
    EXPECT_EQ(header_of(first, "Semel-Claim").size(), 64U) << "a guard without a key is a claim";
    const std::string again = ask(post({}));
    EXPECT_EQ(status_of(again), 200);
    EXPECT_EQ(body_of(again),
              R"({"duplicateOnly":true,"duplicateMessage":"The same request was sent less than a )"
              R"(second ago. This is its answer; nothing was sent again.","success":true,)"
              R"("message":{"_id":1},"leadId":"l1"})");
    EXPECT_EQ(header_of(again, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(again, "ETag"), "none");
    EXPECT_EQ(header_of(again, "Semel-Duplicate"), "true");
    EXPECT_EQ(header_of(again, "Semel-Claim"), header_of(first, "Semel-Claim"));
    EXPECT_EQ(sent(), 1U);
}

TEST_F(GuardTest, ATemplateForAHundredLeadsIsAHundredMessages) {
    start_messages();
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(status_of(ask(post({.phone = "+1555" + std::to_string(1000 + i)}))), 201);
    }
    EXPECT_EQ(sent(), 100U);
}

TEST_F(GuardTest, OneCharacterMoreOrAnotherWorkspaceIsAnotherMessage) {
    start_messages();
    for (const Message& message :
         {Message{}, Message{.text = "Hello!"}, Message{.text = "hello"},
          Message{.workspace = "w2"}, Message{.email = ""}, Message{.phone = ""}}) {
        EXPECT_EQ(status_of(ask(post(message))), 201) << to_json(message);
    }
    EXPECT_EQ(sent(), 6U);
}

TEST_F(GuardTest, TwoLeadsWhoShareAPhoneAreOneHuman) {
    start_messages();
    EXPECT_EQ(status_of(ask(post({.more = R"(,"leadId":"a")"}))), 201);
    EXPECT_EQ(status_of(ask(post({.more = R"(,"leadId":"b")"}))), 200);
    EXPECT_EQ(sent(), 1U);
}

TEST_F(GuardTest, ARefusalHoldsNothing) {
    start_messages();
    for (const int status : {404, 400, 422, 409, 429, 500, 503, 302}) {
        status_ = status;
        EXPECT_EQ(status_of(ask(post({}))), status);
    }
    status_ = 201;
    EXPECT_EQ(status_of(ask(post({}))), 201);
    EXPECT_EQ(sent(), 9U);
}

TEST_F(GuardTest, AnAnswerThatSaysItFailedHoldsNothing) {
    start_messages([](GatewayRoute& route) {
        route.guard->failed_when = FailedAnswer{"/status", R"("failed")"};
    });
    body_ = R"({"success":true,"status":"failed"})";
    for (int i = 0; i < 2; ++i) EXPECT_EQ(status_of(ask(post({}))), 201);
    body_ = R"({"success":true,"status":"sent"})";
    EXPECT_EQ(status_of(ask(post({}))), 201);
    EXPECT_EQ(status_of(ask(post({}))), 200);
    EXPECT_EQ(sent(), 3U);
}

TEST_F(GuardTest, AfterTheWindowTheMessageIsSentAgain) {
    start_messages([](GatewayRoute& route) { route.guard->window = kWindow; });
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(status_of(ask(post({}))), 201);
    EXPECT_EQ(status_of(ask(post({}))), 200);
    EXPECT_TRUE(eventually([&] { return status_of(ask(post({}))) == 201; }));
    EXPECT_GE(std::chrono::steady_clock::now() - began, kWindow);
    EXPECT_EQ(sent(), 2U);
}

TEST_F(GuardTest, ReadingIsNotGuarded) {
    start_messages();
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(header_of(ask(get("/api/messages")), "Semel-Claim"), "none");
    }
    EXPECT_EQ(sent(), 2U);
}

TEST_F(GuardTest, WithoutFieldsTheWholeRequestIsCompared) {
    start_messages([](GatewayRoute& route) { route.guard = GuardRule{}; });
    EXPECT_EQ(status_of(ask(post({}))), 201);
    EXPECT_EQ(status_of(ask(post({}))), 200);
    EXPECT_EQ(status_of(ask(post({.more = R"(,"leadId":"b")"}))), 201);
    EXPECT_EQ(sent(), 2U);
}

// ---- answers ------------------------------------------------------------------------------------

TEST_F(GuardTest, AnAnswerThatIsNoObjectKeepsItsBytes) {
    start_messages();
    body_ = "[1, 2]";
    type_ = "text/plain";
    (void)ask(post({}));
    const std::string again = ask(post({}));
    EXPECT_EQ(status_of(again), 200);
    EXPECT_EQ(body_of(again), "[1, 2]");
    EXPECT_EQ(header_of(again, "Content-Type"), "text/plain");
    EXPECT_EQ(header_of(again, "Semel-Duplicate"), "true");
}

TEST_F(GuardTest, AnAnswerTooLargeToKeepIsNotRepeated) {
    start_messages([](GatewayRoute& route) { route.max_stored_body = 10; });
    (void)ask(post({}));
    const std::string again = ask(post({}));
    EXPECT_EQ(status_of(again), 409);
    EXPECT_THAT(again, HasSubstr("\"response_not_retained\""));
    EXPECT_EQ(sent(), 1U);
}

TEST_F(GuardTest, AMessageThatIsBeingSentIsToldSoAfterTheWait) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = guarded_route();
    route.guard->wait = Millis(50);
    start_gateway({route});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    const std::string told = ask(post({}));
    EXPECT_EQ(status_of(told), 200);
    EXPECT_EQ(body_of(told), kInFlight);
    EXPECT_EQ(header_of(told, "Semel-Duplicate"), "true");
    pending->respond(net::test::text("{}"));
    EXPECT_EQ(status_of(first.read_to_end().value()), 200);
    EXPECT_EQ(body_of(ask(post({}))).substr(0, 21), R"({"duplicateOnly":true)");
    EXPECT_EQ(inbox.waiting(), 0U);
}

TEST_F(GuardTest, ARouteCanRefuseAMessageThatIsBeingSent) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = guarded_route();
    route.guard->wait = Millis(0);
    route.guard->refuses_in_flight = true;
    start_gateway({route});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    const std::string told = ask(post({}));
    EXPECT_EQ(status_of(told), 409);
    EXPECT_THAT(told, HasSubstr("\"in_progress\""));
    EXPECT_EQ(header_of(told, "Retry-After"), "1");
    pending->respond(net::test::text("{}"));
    EXPECT_EQ(header_of(told, "Semel-Claim"),
              header_of(first.read_to_end().value(), "Semel-Claim"));
}

TEST_F(GuardTest, AnOutcomeThatIsNotKnownIsA409AtOnce) {
    start_messages();
    status_ = 502;
    const std::string first = ask(post({}));
    EXPECT_EQ(status_of(first), 502);
    EXPECT_EQ(header_of(first, "Semel-Uncertain"), header_of(first, "Semel-Claim"));
    for (const char* who : {"", "X-User: bob\r\n"}) {
        const std::string again = ask(post({}, who));
        EXPECT_EQ(status_of(again), 409);
        EXPECT_THAT(again, HasSubstr("\"uncertain\""));
        EXPECT_EQ(header_of(again, "Semel-Claim"), header_of(first, "Semel-Claim"));
    }
    EXPECT_EQ(sent(), 1U);
}

TEST_F(GuardTest, AnAnswerThatIsCutLeavesTheMessageUncertain) {
    start_upstream([](const net::Request&, const net::Responder& respond) {
        // A server that promises more than it sends.
        class Cut : public net::BodySource {
            [[nodiscard]] std::optional<std::uint64_t> length() const override { return 10; }
            void read(OnPiece on_piece) override { on_piece(Error(ErrorCode::io_error, "cut")); }
            void abort() override {}
        };
        net::Response response;
        response.source = std::make_shared<Cut>();
        respond(std::move(response));
    });
    start_gateway({guarded_route()});
    EXPECT_EQ(status_of(ask(post({}))), 502);
    EXPECT_EQ(status_of(ask(post({}))), 409);
    EXPECT_EQ(upstream_->stats().requests, 1U);
}

TEST_F(GuardTest, AnUpstreamThatIsDownHoldsNothing) {
    start_upstream([](const net::Request&, const net::Responder&) {});
    const GatewayRoute route = guarded_route();
    upstream_.reset();
    start_gateway({route});
    for (int i = 0; i < 2; ++i) {
        const std::string answer = ask(post({}));
        EXPECT_EQ(status_of(answer), 502);
        EXPECT_THAT(answer, HasSubstr("\"upstream_unavailable\""));
    }
}

TEST_F(GuardTest, AGuardThatAnOperatorFreedMeanwhileIsNamedStale) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = guarded_route();
    route.guard->wait = Millis(0);
    start_gateway({route});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    const auto claim = Hash256::parse(header_of(ask(post({})), "Semel-Claim"));
    ASSERT_TRUE(claim);
    ASSERT_TRUE(host_.execute(DeleteClaim{.tenant = "w1", .claim = *claim, .reason = "again"}));
    pending->respond(net::test::text("{}"));
    const std::string answer = first.read_to_end().value();
    EXPECT_EQ(status_of(answer), 200) << "the upstream's answer is still worth having";
    EXPECT_EQ(header_of(answer, "Semel-Stale"), "guard");
}

TEST_F(GuardTest, AnotherCallerIsBlockedAndSeesNothing) {
    start_messages(claim_keys);
    EXPECT_EQ(status_of(ask(post({}, "X-User: ann\r\n"))), 201);
    for (const char* who : {"X-User: bob\r\n", "", "X-User: bob\r\nIdempotency-Key: k\r\n"}) {
        const std::string told = ask(post({}, who));
        EXPECT_EQ(status_of(told), 200) << who;
        EXPECT_EQ(body_of(told), kInFlight) << who;
        EXPECT_EQ(header_of(told, "ETag"), "none");
    }
    const std::string other = ask(post({.text = "Bye"}, "X-User: bob\r\nIdempotency-Key: k\r\n"));
    EXPECT_EQ(status_of(other), 201) << "the key was given back";
    EXPECT_EQ(sent(), 2U);
}

TEST_F(GuardTest, WithoutPrincipalsAllCallersOfATenantShareTheAnswer) {
    start_messages([](GatewayRoute& route) { route.principal = {}; });
    (void)ask(post({}, "Authorization: Bearer a\r\n"));
    const std::string told = ask(post({}, "Authorization: Bearer b\r\n"));
    EXPECT_THAT(std::string(body_of(told)), HasSubstr(R"("message":{"_id":1})"));
}

// ---- keys and guards ----------------------------------------------------------------------------

TEST_F(GuardTest, AKeyIsDecidedBeforeTheGuard) {
    start_messages(claim_keys);
    const std::string first = ask(post({}, "Idempotency-Key: k1\r\n"));
    EXPECT_EQ(status_of(first), 201);
    const std::string replay = ask(post({}, "Idempotency-Key: k1\r\n"));
    EXPECT_EQ(status_of(replay), 201) << "the key's own answer, not the guard's";
    EXPECT_EQ(body_of(replay), body_of(first));
    EXPECT_EQ(header_of(replay, "Idempotent-Replayed"), "true");
    EXPECT_EQ(header_of(replay, "Semel-Duplicate"), "none");
    const std::string reused = ask(post({.text = "Bye"}, "Idempotency-Key: k1\r\n"));
    EXPECT_EQ(status_of(reused), 409);
    EXPECT_THAT(reused, HasSubstr("\"key_reused\""));
    EXPECT_EQ(status_of(ask(post({.text = "Bye"}))), 201) << "the refusal left its guard untouched";
    EXPECT_EQ(sent(), 2U);
}

TEST_F(GuardTest, ANewKeyThatMeetsTheGuardKeepsItsAnswer) {
    start_messages([](GatewayRoute& route) {
        claim_keys(route);
        route.guard->duplicate_message = "{age}: nothing was sent";
        route.guard->window = Millis(600);
    });
    const std::string first = ask(post({}, "Idempotency-Key: k1\r\n"));
    const std::string met = ask(post({}, "Idempotency-Key: k2\r\n"));
    EXPECT_EQ(status_of(met), 200);
    EXPECT_THAT(std::string(body_of(met)),
                StartsWith(R"({"duplicateOnly":true,"duplicateMessage":"less than a second: )"));
    EXPECT_EQ(header_of(met, "Idempotent-Replayed"), "none");
    EXPECT_NE(header_of(met, "Semel-Claim"), header_of(first, "Semel-Claim")) << "its own key";
    // Past the window only its key knows the answer.
    EXPECT_TRUE(eventually([&] { return status_of(ask(post({}))) == 201; }));
    const std::string replay = ask(post({}, "Idempotency-Key: k2\r\n"));
    EXPECT_EQ(status_of(replay), 200);
    EXPECT_EQ(body_of(replay), body_of(met)) << "message included";
    EXPECT_EQ(header_of(replay, "Content-Type"), header_of(met, "Content-Type"));
    EXPECT_EQ(header_of(replay, "Idempotent-Replayed"), "true");
    EXPECT_EQ(header_of(replay, "Semel-Duplicate"), "true");
    EXPECT_EQ(header_of(replay, "Semel-Claim"), header_of(met, "Semel-Claim"));
    EXPECT_EQ(sent(), 2U);
}

TEST_F(GuardTest, AKeyThatMeetsAGuardInFlightIsGivenBack) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = guarded_route();
    route.idempotency_key = KeyRule{.wait = Millis(0)};
    start_gateway({route});
    RawClient first(gateway_->port());
    first.send(post({}));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    EXPECT_EQ(body_of(ask(post({}, "Idempotency-Key: k\r\n"))), kInFlight);
    pending->respond(net::test::text("{}"));
    (void)first.read_to_end();
    RawClient other(gateway_->port());
    other.send(post({.text = "Bye"}, "Idempotency-Key: k\r\n"));
    pending = inbox.next();
    ASSERT_TRUE(pending) << "the key is new";
    pending->respond(net::test::text("{}"));
    EXPECT_EQ(status_of(other.read_to_end().value()), 200);
}

TEST_F(GuardTest, TheUpstreamGetsTheClientsKeyOrTheEffectsId) {
    start_messages();
    (void)ask(post({}, "Idempotency-Key: \"mine\"\r\n"));
    (void)ask(post({.text = "Bye"}));
    EXPECT_EQ(*seen_.at(0).header("Idempotency-Key"), "\"mine\"");
    EXPECT_EQ(seen_.at(1).header("Idempotency-Key")->size(), 36U);
    EXPECT_EQ(*seen_.at(1).header("Semel-Tenant"), "w1");
    EXPECT_EQ(seen_.at(1).body, to_json({.text = "Bye"}));
}

// ---- bodies -------------------------------------------------------------------------------------

TEST_F(GuardTest, ABodyThatReadersDisagreeAboutIsRefusedUnderAJsonType) {
    start_messages([](GatewayRoute& route) { route.tenant.reset(); });
    const std::string good = to_json({});
    const std::string deep =
        R"({"workspaceId":)" + std::string(65, '[') + std::string(65, ']') + "}";
    for (const std::string& body :
         {std::string(), std::string("{"), good + " x", "\xef\xbb\xbf" + good, deep,
          std::string(R"({"message":"a","message":"b"})"), std::string(R"({"message":"\ud800"})"),
          std::string("{\"message\":\"\xff\"}"), std::string("{\"message\":\"\xed\xa0\x80\"}"),
          std::string("{\0}", 3), std::string(100'000, '{')}) {
        const std::string answer =
            ask(post_text(body, "Content-Type: application/json\r\nConnection: close\r\n"));
        EXPECT_EQ(status_of(answer), 400) << body.substr(0, 80);
        EXPECT_THAT(answer, HasSubstr("\"invalid\""));
    }
    const std::string encoded = ask(post({}, "Content-Encoding: gzip\r\n"));
    EXPECT_EQ(status_of(encoded), 415);
    EXPECT_EQ(sent(), 0U);
}

TEST_F(GuardTest, ABodyWithoutFieldsIsSentAndCounted) {
    start_messages([](GatewayRoute& route) { route.tenant.reset(); });
    const std::string text = "Content-Type: text/plain\r\nConnection: close\r\n";
    const std::string json = "Content-Type: application/json\r\nConnection: close\r\n";
    for (const auto& [body, headers] : {std::pair(std::string("a=1"), text),
                                        {"{", text},
                                        {"[1]", json},
                                        {"null", json},
                                        {"", text}}) {
        for (int i = 0; i < 2; ++i) {
            const std::string answer = ask(post_text(body, headers));
            EXPECT_EQ(status_of(answer), 201) << body;
            EXPECT_EQ(header_of(answer, "Semel-Claim"), "none") << body;
        }
    }
    EXPECT_EQ(sent(), 10U);
    EXPECT_THAT(metrics_.render(),
                HasSubstr(R"(semel_guard_skipped_total{route="message.api"} 10)"));
    EXPECT_EQ(status_of(ask(post_text(to_json({}), text))), 201);
    EXPECT_EQ(status_of(ask(post({}))), 200) << "JSON is read whatever its type says";
}

TEST_F(GuardTest, ABodyWithoutFieldsStillClaimsItsKey) {
    start_messages([](GatewayRoute& route) {
        route.tenant.reset();
        claim_keys(route);
    });
    const std::string request =
        post_text("a=1", "Connection: close\r\nIdempotency-Key: k\r\nContent-Type: text/plain\r\n");
    EXPECT_EQ(status_of(ask(request)), 201);
    EXPECT_EQ(header_of(ask(request), "Idempotent-Replayed"), "true");
    EXPECT_EQ(sent(), 1U);
}

TEST_F(GuardTest, ATenantThatCannotBeFoundIsA400) {
    start_messages();
    EXPECT_EQ(status_of(ask(post({.workspace = ""}))), 400);
    const std::string answer =
        ask(post_text("a=1", "Content-Type: text/plain\r\nConnection: close\r\n"));
    EXPECT_EQ(status_of(answer), 400);
    EXPECT_THAT(answer, HasSubstr("/workspaceId"));
    EXPECT_EQ(sent(), 0U);
}

TEST_F(GuardTest, ABodyOverAMebibyteIsA413) {
    start_messages();
    EXPECT_EQ(status_of(ask("POST /api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n"
                            "\r\n")),
              413);
}

// ---- secrets ------------------------------------------------------------------------------------

TEST_F(GuardTest, NeitherPhoneNorTextIsStored) {
    start_messages();
    const Message secret{.phone = "+4915199887766", .email = "eve@secret.example", .text = "Mum?"};
    EXPECT_EQ(status_of(ask(post(secret))), 201);
    EXPECT_EQ(status_of(ask(post(secret))), 200);
    gateway_->stop();
    host_.stop(Millis(0));
    for (const char* name : {"store.db", "store.db-wal"}) {
        std::ifstream file(folder_.path(name), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        for (const std::string& text : {secret.phone, secret.email, secret.text}) {
            EXPECT_EQ(bytes.find(text), std::string::npos) << name << " has " << text;
        }
    }
    EXPECT_THAT(metrics_.render(), Not(HasSubstr(secret.phone)));
}

}  // namespace
}  // namespace semel::gateway
