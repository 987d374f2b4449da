// Requests about claims that are malformed, too large, or meant for another claim.
#include "http/claim_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

class BadClaims : public ClaimTest {
protected:
    void expect_invalid(const std::string& query, const std::string& detail) {
        const Answered refused = client_.get("/v1/claims" + query);
        EXPECT_EQ(refused.status, 400) << query << refused.body;
        EXPECT_EQ(refused.code(), "invalid") << query;
        EXPECT_THAT(refused.text("/detail"), HasSubstr(detail)) << query;
    }
    // Resolves an uncertain claim with this response. It must be refused.
    void expect_refused(const std::string& response, const std::string& pointer,
                        const std::string& code = "invalid", int status = 400) {
        const Answered refused =
            resolve(pass_.key, R"({"outcome":"sealed","reason":"r","response":)" + response + "}");
        EXPECT_EQ(refused.status, status) << response.substr(0, 200) << refused.body;
        EXPECT_EQ(refused.code(), code) << response.substr(0, 200) << refused.body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << response.substr(0, 200);
    }

    const PassAnswer pass_ = doubt({.key = "k"});
};

TEST_F(BadClaims, TheListSaysWhichParameterIsWrong) {
    expect_invalid("", "give `state=uncertain`");
    expect_invalid("?space=fences", "give `state=uncertain`");
    for (const char* state : {"sealed", "owned", "free", "", "UNCERTAIN", "uncertain%00"}) {
        expect_invalid("?state=" + std::string(state), "`state` must be uncertain");
    }
    const std::string asked = "?state=uncertain";
    expect_invalid(asked + "&state=uncertain", "state");
    expect_invalid(asked + "&colour=red", "colour");
    expect_invalid(asked + "&space=", "space");
    expect_invalid(asked + "&space=a%0Ab", "space");
    expect_invalid(asked + "&space=" + std::string(256, 'x'), "space");
    expect_invalid(asked + "&space=%FF", "space");
    for (const char* limit : {"0", "501", "-1", "x", "1.5", "99999999999999999999"}) {
        expect_invalid(asked + "&limit=" + limit, "limit");
    }
    for (const std::string& cursor :
         {std::string("x"), std::string("%00"), std::string(4000, 'A'), std::string("AQ==")}) {
        expect_invalid(asked + "&cursor=" + cursor, "cursor");
    }
}

TEST_F(BadClaims, ACursorIsForItsOwnWalk) {
    doubt({.key = "j"});
    const std::string cursor = list("&limit=1").text("/nextCursor");
    ASSERT_NE(cursor, "");
    EXPECT_EQ(list("&cursor=" + cursor).size("/items"), 1U);
    expect_invalid("?state=uncertain&space=key.message.api&cursor=" + cursor, "cursor");
    EXPECT_EQ(tenant_caller("zeta").get("/v1/claims?state=uncertain&cursor=" + cursor).status, 400);
    EXPECT_EQ(client_.get("/v1/actions?cursor=" + cursor).status, 400);
    std::string other_list = client_.get("/v1/actions?limit=1").text("/nextCursor");
    other_list = other_list.empty() ? "AAAA" : other_list;
    expect_invalid("?state=uncertain&cursor=" + other_list, "cursor");
}

// Bytes at the ends of the range of times.
TEST_F(BadClaims, AForgedCursorShowsNothingElse) {
    const std::string cursor = [this] {
        doubt({.key = "j"});
        return list("&limit=1").text("/nextCursor");
    }();
    for (const char c : {'A', '_', 'g'}) {
        std::string forged = cursor;
        std::fill(forged.begin() + 12, forged.end() - 1, c);
        const Answered listed = client_.get("/v1/claims?state=uncertain&cursor=" + forged);
        EXPECT_EQ(listed.status, 200) << listed.body;
        EXPECT_LE(listed.size("/items"), 2U);
    }
}

TEST_F(BadClaims, OtherMethodsAndPathsAreNone) {
    EXPECT_EQ(client_.post("/v1/claims?state=uncertain", "{}").status, 405);
    EXPECT_EQ(client_.send("DELETE", "/v1/claims?state=uncertain").status, 405);
    for (const char* id : {"x", "..", "0", "%00"}) {
        EXPECT_EQ(client_
                      .post("/v1/claims/" + std::string(id) + "/resolve",
                            R"({"outcome":"released","reason":"r"})")
                      .status,
                  404)
            << id;
    }
}

TEST_F(BadClaims, AResponseSaysWhichMemberIsWrong) {
    expect_refused("1", "/response");
    expect_refused("[]", "/response");
    expect_refused("{}", "/response/status");
    for (const char* status : {"199", "101", "600", "-1", "\"200\"", "200.5", "1e400", "null"}) {
        expect_refused(fmt::format(R"({{"status":{}}})", status), "/response/status");
    }
    expect_refused(R"({"status":200,"colour":1})", "/response/colour", "unknown_member");
    expect_refused(R"({"status":200,"headers":[]})", "/response/headers");
    expect_refused(R"({"status":200,"headers":{"a b":"c"}})", "/response/headers/a b");
    expect_refused(R"({"status":200,"headers":{"":"c"}})", "/response/headers/");
    expect_refused(R"({"status":200,"headers":{"a/b":"c"}})", "/response/headers/a~1b");
    expect_refused(R"({"status":200,"headers":{"etag":1}})", "/response/headers/etag");
    expect_refused(R"({"status":200,"headers":{"etag":"a\r\nSet-Cookie: b"}})",
                   "/response/headers/etag");
    expect_refused(R"({"status":200,"headers":{"etag":"a\u0000"}})", "/response/headers/etag");
    expect_refused(R"({"status":200,"headers":{"etag":" a"}})", "/response/headers/etag");
    expect_refused(R"({"status":200,"headers":{"etag":"a","ETag":"b"}})", "/response/headers/ETag");
    expect_refused(R"({"status":200,"headers":{"content-encoding":"gzip"},"body":"x"})",
                   "/response/headers/content-encoding");
    for (const int status : {204, 205, 304}) {
        expect_refused(fmt::format(R"({{"status":{},"body":"x"}})", status), "/response/body");
    }
    EXPECT_EQ(list().size("/items"), 1U) << "nothing was changed";
}

TEST_F(BadClaims, AResponseIsBounded) {
    const std::string limit(1024 * 1024, 'x');
    expect_refused(R"({"status":200,"body":")" + limit + "x\"}", "/response/body", "too_large",
                   413);
    expect_refused(R"({"status":200,"headers":{"etag":")" + std::string(8 * 1024, 'x') + "\"}}",
                   "/response/headers", "too_large", 413);
    std::string many;
    for (int i = 0; i <= 100; ++i) many += fmt::format(R"({}"h{}":"x")", i == 0 ? "" : ",", i);
    expect_refused(R"({"status":200,"headers":{)" + many + "}}", "/response/headers", "too_large",
                   413);
    const Answered kept = resolve(pass_.key, R"({"outcome":"sealed","reason":"r",)"
                                             R"("response":{"status":200,"body":")" +
                                                 limit + "\"}}");
    EXPECT_EQ(kept.integer("/response/bytes"), 1024 * 1024) << kept.body;
}

TEST_F(BadClaims, AReceiptIsForFencesAndAResponseForRequests) {
    const Answered receipt =
        resolve(pass_.key, R"({"outcome":"sealed","reason":"r","receipt":{"a":1}})");
    EXPECT_EQ(receipt.status, 400) << receipt.body;
    EXPECT_EQ(receipt.text("/pointer"), "/receipt");
    const auto token = client_.post("/v1/fences/claim", R"({"key":"f"})").integer("/token");
    client_.post("/v1/fences/f/uncertain", token_body(token));
    const Answered response = client_.post(
        "/v1/fences/f/resolve",
        R"({"outcome":"sealed","effectId":"e","reason":"r","response":{"status":200}})");
    EXPECT_EQ(response.status, 400) << response.body;
    EXPECT_EQ(response.text("/pointer"), "/response");
    const Answered released =
        resolve(pass_.key, R"({"outcome":"released","reason":"r","response":{"status":200}})");
    EXPECT_EQ(released.status, 400) << released.body;
    EXPECT_EQ(released.text("/pointer"), "/response");
}

TEST_F(BadClaims, OnlyWhatIsUncertainIsResolved) {
    const PassAnswer running = passes_.send({.key = "running"});
    EXPECT_EQ(resolve(running.key, R"({"outcome":"released","reason":"r"})").code(), "wrong_state");
    EXPECT_EQ(client_
                  .post("/v1/claims/" + std::string(64, '0') + "/resolve",
                        R"({"outcome":"released","reason":"r"})")
                  .status,
              404);
    Caller other = tenant_caller("zeta");
    EXPECT_EQ(other
                  .post("/v1/claims/" + id_of(pass_.key) + "/resolve",
                        R"({"outcome":"released","reason":"r"})")
                  .status,
              404);
}

}  // namespace
}  // namespace semel::test
