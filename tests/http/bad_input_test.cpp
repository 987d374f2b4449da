// Bad input at every entry point: a precise 4xx, nothing made, nothing crashed.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"
#include "http/route_paths.hpp"

namespace semel::test {
namespace {

class BadInput : public ApiTest {
protected:
    void expect_nothing_made() {
        EXPECT_EQ(client_.get("/v1/actions").size("/items"), 0U);
        EXPECT_EQ(client_.get("/healthz").status, 200);
    }
};

// The paths that take a body by POST, each with an id where it has one.
std::vector<std::string> body_paths() {
    std::vector<std::string> paths;
    for (const Route& route : routes()) {
        // The cron trigger asks for its secret before it looks at anything else.
        if (route.body == BodyUse::none || route.pattern == "/v1/cron/process" ||
            route.method != "POST") {
            continue;
        }
        paths.push_back(path_of(route));
    }
    return paths;
}

TEST_F(BadInput, NoPathThatTakesABodyAcceptsWhatIsNoJson) {
    const std::vector<std::string> bodies = {
        "{",
        "nonsense",
        R"({"a":1,})",
        R"({"a":01})",
        "\xff\xfe",
        "{\"a\":\"\xc3\"}",
        R"({"a":"\ud800"})",
        "{\"a\":\"\x01\"}",
        std::string(100'000, '['),
        std::string(100'000, '[') + std::string(100'000, ']'),
        R"({"a":1e999})",
        "{} {}",
    };
    const auto paths = body_paths();
    ASSERT_EQ(paths.size(), 28U);
    for (const std::string& path : paths) {
        for (const std::string& body : bodies) {
            const Answered refused = client_.post(path, body);
            EXPECT_EQ(refused.status, 400) << path << " " << body.substr(0, 20);
            EXPECT_EQ(refused.code(), "invalid") << path << " " << body.substr(0, 20);
            EXPECT_EQ(refused.text("/type"), "/errors/invalid");
        }
    }
    expect_nothing_made();
}

TEST_F(BadInput, TheDepthOfABodyCountsAsAWhole) {
    const auto alone = [](std::size_t levels) {
        return fmt::format(R"({{"type":"t","payload":{}{}}})", std::string(levels, '['),
                           std::string(levels, ']'));
    };
    EXPECT_EQ(client_.post("/v1/actions", alone(63)).status, 201);
    EXPECT_EQ(client_.post("/v1/actions/batch", R"({"items":[)" + alone(61) + "]}").status, 200);
    for (const Answered& refused :
         {client_.post("/v1/actions", alone(64)),
          client_.post("/v1/actions/batch", R"({"items":[{"type":"u"},)" + alone(62) + "]}")}) {
        EXPECT_EQ(refused.status, 400);
        EXPECT_EQ(refused.code(), "invalid");
        EXPECT_THAT(refused.text("/detail"),
                    testing::AllOf(testing::HasSubstr("more than 64 arrays and objects"),
                                   testing::HasSubstr("two fewer in a batch than alone")));
        EXPECT_THAT(refused.text("/pointer"), testing::HasSubstr("/payload/0/0"));
    }
}

TEST_F(BadInput, EveryBodyMustBeAnObjectWithoutUnknownOrRepeatedMembers) {
    for (const std::string& path : body_paths()) {
        EXPECT_EQ(client_.post(path, "[]").code(), "invalid") << path;
        EXPECT_EQ(client_.post(path, "null").code(), "invalid") << path;
        const Answered twice = client_.post(path, R"({"x":{"a":1,"a":2}})");
        EXPECT_EQ(twice.code(), "invalid") << path;
        EXPECT_EQ(twice.text("/pointer"), "/x/a") << path;
    }
    const std::vector<std::pair<std::string, std::string>> valid_but_for_one = {
        {"/v1/actions", R"({"type":"t","colour":1})"},
        {"/v1/actions/batch", R"({"items":[],"colour":1})"},
        {"/v1/jobs/claim", R"({"types":["t"],"colour":1})"},
        {"/v1/jobs/settle", R"({"items":[],"colour":1})"},
        {"/v1/tokens", R"({"scopes":["admin"],"colour":1})"},
        {fmt::format("/v1/jobs/{}/complete", kSomeId), R"({"token":1,"colour":1})"},
        {fmt::format("/v1/jobs/{}/fail", kSomeId), R"({"token":1,"error":"","colour":1})"},
        {fmt::format("/v1/jobs/{}/heartbeat", kSomeId), R"({"token":1,"colour":1})"},
        {fmt::format("/v1/jobs/{}/release", kSomeId), R"({"token":1,"colour":1})"},
        {fmt::format("/v1/actions/{}/run", kSomeId), R"({"colour":1})"},
        {fmt::format("/v1/actions/{}/retry", kSomeId), R"({"colour":1})"},
        {fmt::format("/v1/actions/{}/cancel", kSomeId), R"({"colour":1})"},
        {fmt::format("/v1/actions/{}/resolve", kSomeId),
         R"({"outcome":"failed","reason":"x","colour":1})"},
        {"/v1/actions/bulk", R"({"filter":{},"verb":"run","colour":1})"},
        {"/v1/schedules/k/pause", R"({"colour":1})"},
        {"/v1/schedules/k/resume", R"({"colour":1})"},
        {"/v1/schedules/k/trigger", R"({"colour":1})"},
        {"/v1/chains", R"({"type":"t","colour":1})"},
        {"/v1/chains/batch", R"({"items":[],"colour":1})"},
        {fmt::format("/v1/chains/{}/cancel", kSomeId), R"({"colour":1})"},
        {fmt::format("/v1/chains/{}/complete", kSomeId), R"({"chainIndex":0,"colour":1})"},
        {"/v1/fences/claim", R"({"key":"k","colour":1})"},
        {"/v1/fences/k/seal", R"({"token":1,"effectId":"e","colour":1})"},
        {"/v1/fences/k/release", R"({"token":1,"colour":1})"},
        {"/v1/fences/k/heartbeat", R"({"token":1,"colour":1})"},
        {"/v1/fences/k/uncertain", R"({"token":1,"colour":1})"},
        {"/v1/fences/k/resolve", R"({"outcome":"released","reason":"x","colour":1})"},
        {fmt::format("/v1/claims/{}/resolve", kSomeClaim),
         R"({"outcome":"released","reason":"x","colour":1})"},
    };
    ASSERT_EQ(valid_but_for_one.size(), body_paths().size());
    for (const auto& [path, body] : valid_but_for_one) {
        const Answered refused = client_.post(path, body);
        EXPECT_EQ(refused.status, 400) << path;
        EXPECT_EQ(refused.code(), "unknown_member") << path << refused.body;
        EXPECT_EQ(refused.text("/pointer"), "/colour") << path;
    }
    expect_nothing_made();
}

struct BadMember {
    const char* body;
    const char* pointer;
};

TEST_F(BadInput, EveryMemberOfAnActionIsChecked) {
    const std::vector<BadMember> cases = {
        {R"({})", "/type"},
        {R"({"type":5})", "/type"},
        {R"({"type":""})", "/type"},
        {R"({"type":"a\u0000b"})", "/type"},
        {R"({"type":"a\u009bb"})", "/type"},
        {R"({"type":"t","scheduledAt":"soon"})", "/scheduledAt"},
        {R"({"type":"t","scheduledAt":"2026-02-30T00:00:00Z"})", "/scheduledAt"},
        {R"({"type":"t","scheduledAt":"9999-12-31T23:59:59-01:00"})", "/scheduledAt"},
        {R"({"type":"t","scheduledAt":1731672000000})", "/scheduledAt"},
        {R"({"type":"t","delayMs":-1})", "/delayMs"},
        {R"({"type":"t","delayMs":1.5})", "/delayMs"},
        {R"({"type":"t","delayMs":9223372036854775808})", "/delayMs"},
        {R"({"type":"t","delayMs":"5"})", "/delayMs"},
        {R"({"type":"t","delayMs":5,"scheduledAt":"2030-01-01T00:00:00Z"})", "/delayMs"},
        {R"({"type":"t","lockGroup":""})", "/lockGroup"},
        {R"({"type":"t","maxRetries":1001})", "/maxRetries"},
        {R"({"type":"t","maxRetries":-1})", "/maxRetries"},
        {R"({"type":"t","priority":1000001})", "/priority"},
        {R"({"type":"t","timeoutMs":0})", "/timeoutMs"},
        {R"({"type":"t","timeoutMs":86400001})", "/timeoutMs"},
        {R"({"type":"t","backoff":"linear"})", "/backoff"},
        {R"({"type":"t","deduplication":true})", "/deduplication"},
        {R"({"type":"t","deduplication":{"key":""}})", "/deduplication/key"},
        {R"({"type":"t","deduplication":{"scope":"all"}})", "/deduplication/scope"},
        {R"({"type":"t","deduplication":{"onDuplicate":"drop"}})", "/deduplication/onDuplicate"},
        {R"({"type":"t","deduplication":{"keyFields":["no"]}})", "/deduplication/keyFields"},
        {R"({"type":"t","deduplication":{"windowSeconds":9e9}})", "/deduplication/windowSeconds"},
    };
    for (const auto& [body, pointer] : cases) {
        const Answered refused = client_.post("/v1/actions", body);
        EXPECT_EQ(refused.status, 400) << body;
        EXPECT_EQ(refused.code(), "invalid") << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << body;
    }
    expect_nothing_made();
}

TEST_F(BadInput, EveryMemberOfAClaimIsChecked) {
    const std::vector<BadMember> cases = {
        {R"({})", "/types"},
        {R"({"types":[]})", "/types"},
        {R"({"types":"t"})", "/types"},
        {R"({"types":[1]})", "/types"},
        {R"({"types":[""]})", "/types"},
        {R"({"types":["t"],"max":0})", "/max"},
        {R"({"types":["t"],"max":1001})", "/max"},
        {R"({"types":["t"],"worker":""})", "/worker"},
        {R"({"types":["t"],"leaseMs":99})", "/leaseMs"},
        {R"({"types":["t"],"leaseMs":86400001})", "/leaseMs"},
        {R"({"types":["t"],"waitMs":-1})", "/waitMs"},
        {R"({"types":["t"],"waitMs":60001})", "/waitMs"},
    };
    for (const auto& [body, pointer] : cases) {
        const Answered refused = client_.post("/v1/jobs/claim", body);
        EXPECT_EQ(refused.code(), "invalid") << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << body;
    }
}

TEST_F(BadInput, EveryMemberOfAJobsCallIsChecked) {
    const std::vector<std::tuple<const char*, const char*, const char*>> cases = {
        {"complete", R"({})", "/token"},
        {"complete", R"({"token":"1"})", "/token"},
        {"complete", R"({"token":0})", "/token"},
        {"complete", R"({"token":1.5})", "/token"},
        {"fail", R"({"token":1})", "/error"},
        {"fail", R"({"token":1,"error":5})", "/error"},
        {"fail", R"({"token":1,"error":"e","retryAfterMs":-1})", "/retryAfterMs"},
        {"fail", R"({"token":1,"error":"e","final":"yes"})", "/final"},
        {"heartbeat", R"({"token":1,"leaseMs":99})", "/leaseMs"},
        {"release", R"({"token":null})", "/token"},
    };
    for (const auto& [verb, body, pointer] : cases) {
        const Answered refused = client_.post(fmt::format("/v1/jobs/{}/{}", kSomeId, verb), body);
        EXPECT_EQ(refused.code(), "invalid") << verb << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << verb << body;
    }
}

TEST_F(BadInput, EveryMemberOfATokenIsChecked) {
    const std::vector<BadMember> cases = {
        {R"({})", "/scopes"},
        {R"({"scopes":[]})", "/scopes"},
        {R"({"scopes":["root"]})", "/scopes"},
        {R"({"scopes":"read"})", "/scopes"},
        {R"({"scopes":["read"],"tenant":""})", "/tenant"},
        {R"({"scopes":["read"],"name":7})", "/name"},
        {R"({"scopes":["read"],"force":1})", "/force"},
        {R"({"scopes":["read","write","work"]})", "/scopes"},  // the first one
        {R"({"scopes":["read"],"expiresAt":"2020-01-01T00:00:00Z"})", "/expiresAt"},
    };
    for (const auto& [body, pointer] : cases) {
        const Answered refused = client_.post("/v1/tokens", body);
        EXPECT_EQ(refused.code(), "invalid") << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << body;
    }
    EXPECT_FALSE(server_.api().has_tokens());
}

TEST_F(BadInput, IdsThatDoNotExistOrAreNoneAreNotFound) {
    for (const std::string& id : {std::string(kSomeId), std::string("1"), std::string("%00"),
                                  std::string("..%2f..%2fetc"), std::string(300, 'a')}) {
        EXPECT_EQ(client_.get("/v1/actions/" + id).code(), "not_found") << id;
        for (const char* verb : {"run", "retry", "cancel"}) {
            EXPECT_EQ(client_.post(fmt::format("/v1/actions/{}/{}", id, verb), "").code(),
                      "not_found")
                << id << verb;
        }
        for (const char* verb : {"complete", "heartbeat", "release"}) {
            EXPECT_EQ(
                client_.post(fmt::format("/v1/jobs/{}/{}", id, verb), R"({"token":1})").code(),
                "not_found")
                << id << verb;
        }
        EXPECT_EQ(client_.send("DELETE", "/v1/tokens/" + id).code(), "not_found") << id;
    }
}

TEST_F(BadInput, QueriesAreAsStrictAsBodies) {
    for (const char* query :
         {"colour=red", "limit=0",         "limit=501",   "limit=-1",       "limit=ten",
          "limit=",     "limit=5&limit=6", "status=done", "status=",        "type=",
          "type=a%00b", "type=%ff",        "type=%zz",    "from=yesterday", "from=2030-01-01",
          "chainId=7",  "cursor=",         "cursor=AAAA", "cursor=!!!",     "statsu=pending"}) {
        const Answered refused = client_.get(std::string("/v1/actions?") + query);
        EXPECT_EQ(refused.status, 400) << query;
        EXPECT_EQ(refused.code(), "invalid") << query;
    }
    EXPECT_THAT(client_.get("/v1/actions?statsu=pending").text("/detail"),
                testing::HasSubstr("`status`"));
    EXPECT_EQ(client_.get("/v1/actions?limit=500").status, 200);
    EXPECT_EQ(client_.get("/v1/decisions?cursor=AAAA").code(), "invalid");
    EXPECT_EQ(client_.get("/v1/decisions?type=a").code(), "invalid");
    EXPECT_EQ(client_.get("/v1/tokens?cursor=AAAA").code(), "invalid");
    EXPECT_EQ(client_.get("/healthz?verbose=1").code(), "invalid");
    EXPECT_THAT(client_.post("/v1/actions?dryRun=1", R"({"type":"t"})").text("/detail"),
                testing::HasSubstr("`dryRun`"));
    expect_nothing_made();
}

TEST_F(BadInput, ABodyMustSayThatItIsJson) {
    const std::string body = R"({"type":"t"})";
    const std::vector<Headers> refused = {
        {},
        {{"Content-Type", "text/plain"}},
        {{"Content-Type", "application/x-www-form-urlencoded"}},
        {{"Content-Type", "application/jsonp"}},
        {{"Content-Type", "application/json"}, {"Content-Type", "application/json"}},
        {{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}},
    };
    for (const Headers& headers : refused) {
        const Answered answered = client_.send("POST", "/v1/actions", body, headers);
        EXPECT_EQ(answered.status, 415) << (headers.empty() ? "none" : headers.back().value);
        EXPECT_EQ(answered.code(), "invalid");
    }
    expect_nothing_made();
    EXPECT_EQ(client_.send("POST", "/v1/actions", "", {{"Content-Type", "text/plain"}}).status,
              415);
    EXPECT_EQ(client_.send("POST", "/v1/actions").status, 400) << "a body is needed here";
    EXPECT_EQ(client_
                  .send("POST", "/v1/actions", body,
                        {{"content-type", "Application/JSON ; charset=utf-8"},
                         {"Content-Encoding", "identity"}})
                  .status,
              201);
    EXPECT_EQ(client_.send("GET", "/v1/actions", "{}").status, 400) << "a GET takes no body";
}

TEST_F(BadInput, APathWithoutAMethodNamesThoseItHas) {
    const Answered unknown = client_.get("/v1/nothing");
    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(unknown.code(), "not_found");
    EXPECT_EQ(client_.get("/v1/actions/").status, 404);
    EXPECT_EQ(client_.get("//v1/actions").status, 404);
    const Answered claim = client_.get("/v1/jobs/claim");
    EXPECT_EQ(claim.status, 405);
    EXPECT_EQ(*claim.header("allow"), "POST");
    const Answered put = client_.send("PUT", "/v1/actions", "{}");
    EXPECT_EQ(put.status, 405);
    EXPECT_EQ(*put.header("allow"), "POST, GET, HEAD");
    EXPECT_EQ(client_.send("OPTIONS", "/v1/actions").status, 405);
    EXPECT_EQ(client_.send("HEAD", "/v1/actions").status, 200);
    EXPECT_EQ(client_.send("HEAD", "/v1/actions").body, "");
}

// ---- limits: exactly at, and one above ---------------------------------------------------------

TEST_F(BadInput, ABodyMayHaveAMebibyteAndNotAByteMore) {
    const auto body_of = [](std::size_t bytes) {
        const std::string frame = R"({"type":"t","payload":""})";
        std::string body = frame;
        body.insert(frame.size() - 2, std::string(bytes - frame.size(), 'x'));
        return body;
    };
    constexpr std::size_t kMebibyte = std::size_t{1} << 20;
    EXPECT_EQ(client_.post("/v1/actions", body_of(kMebibyte)).status, 201);
    Caller other = caller();
    const Answered refused = other.post("/v1/actions", body_of(kMebibyte + 1));
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.code(), "too_large");
    EXPECT_EQ(*refused.header("content-type"), "application/problem+json");
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 1U);
}

TEST_F(BadInput, ABatchMayHaveSixteenMebibytesAndAThousandItems) {
    const auto items_of = [](std::size_t count, const std::string& item) {
        std::string body = R"({"items":[)";
        for (std::size_t i = 0; i < count; ++i) {
            body += (i == 0 ? "" : ",") + item;
        }
        return body + "]}";
    };
    EXPECT_EQ(client_.post("/v1/actions/batch", items_of(1000, R"({"type":"t"})")).size("/results"),
              1000U);
    const Answered refused = client_.post("/v1/actions/batch", items_of(1001, R"({"type":"t"})"));
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.code(), "too_large");
    EXPECT_EQ(refused.text("/pointer"), "/items");
    EXPECT_EQ(client_.post("/v1/jobs/settle", items_of(1001, "{}")).code(), "too_large");
    std::string types = items_of(1001, R"("t")");
    types.replace(2, 5, "types");
    EXPECT_EQ(client_.post("/v1/jobs/claim", types).code(), "too_large");
    const std::string large = items_of(
        15, R"({"type":"big","payload":")" + std::string(std::size_t{1} << 20, 'x') + R"("})");
    EXPECT_EQ(client_.post("/v1/actions/batch", large).status, 200);
    Caller other = caller();
    EXPECT_EQ(other.post("/v1/actions/batch", std::string((std::size_t{16} << 20) + 1, ' ')).status,
              413);
}

TEST_F(BadInput, NamesMayHave255Bytes) {
    const std::string longest(255, 'n');
    const std::string two_bytes_each = "\xc3\xa4";
    std::string umlauts;
    for (int i = 0; i < 128; ++i) {
        umlauts += two_bytes_each;
    }
    const auto with = [&](const char* member, const std::string& name) {
        return fmt::format(R"({{"type":"t","{}":"{}"}})", member, name);
    };
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":")" + longest + "\"}").status, 201);
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":")" + longest + "n\"}").code(), "invalid");
    EXPECT_EQ(client_.post("/v1/actions", with("lockGroup", longest)).status, 201);
    EXPECT_EQ(client_.post("/v1/actions", with("lockGroup", umlauts)).code(), "invalid")
        << "bytes count, not characters";
    EXPECT_EQ(tenant_caller(longest).get("/v1/actions").status, 200);
    EXPECT_EQ(tenant_caller(longest + "n").get("/v1/actions").code(), "invalid");
    EXPECT_EQ(tenant_caller("").get("/v1/actions").code(), "invalid");
    EXPECT_EQ(tenant_caller("\xff").get("/v1/actions").code(), "invalid");
}

TEST_F(BadInput, SixtyFourLevelsAreTheMost) {
    const auto nested = [](std::size_t levels) {
        return R"({"type":"t","payload":)" + std::string(levels, '[') + std::string(levels, ']') +
               "}";
    };
    EXPECT_EQ(client_.post("/v1/actions", nested(63)).status, 201) << "the body itself is a level";
    EXPECT_EQ(client_.post("/v1/actions", nested(64)).code(), "invalid");
}

TEST_F(BadInput, AnErrorMayHave64KiB) {
    const std::string id = schedule(R"({"type":"t"})");
    const std::int64_t token = claim("t").integer("/jobs/0/token");
    const auto fail = [&](std::size_t bytes) {
        return client_.post("/v1/jobs/" + id + "/fail",
                            token_body(token, R"("error":")" + std::string(bytes, 'e') + "\""));
    };
    EXPECT_EQ(fail(64 * 1024 + 1).code(), "invalid");
    EXPECT_EQ(fail(64 * 1024).status, 200);
}

}  // namespace
}  // namespace semel::test
