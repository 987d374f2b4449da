// From JSON to a checked request for a fence: every limit, and what the refusal says.
#include "core/fences/fence_request.hpp"

#include <deque>
#include <tuple>

#include <gtest/gtest.h>

#include "core/fences/providers.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

Item<FenceRequest> read(const std::string& json) {
    const auto document = json::Document::parse(json, json::kAnyNumbers);
    EXPECT_TRUE(document.has_value()) << json;
    return read_fence_request(document->root(), "default", Settings{});
}

FenceRequest accepted(const std::string& json) {
    auto item = read(json);
    const auto* problem = std::get_if<Problem>(&item);
    EXPECT_EQ(problem, nullptr) << json << ": " << problem->detail;
    return problem == nullptr ? std::get<FenceRequest>(item) : FenceRequest{};
}

// Where the refusal points, and what it says.
template <typename T>
std::string refusal(const Item<T>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    return problem == nullptr ? "" : problem->pointer + " " + problem->detail;
}

TEST(FenceRequest, HasTheContractsDefaults) {
    const FenceRequest request = accepted(R"({"key":"k"})");
    EXPECT_EQ(request.fence_class, FenceClass::api);
    EXPECT_EQ(request.lease, 60s);
    EXPECT_EQ(request.ttl, 48h);
    EXPECT_EQ(request.wait, 0ms);
    EXPECT_FALSE(request.fingerprint || request.content || request.version);
    EXPECT_EQ(request.key, "k");
    EXPECT_EQ(request.full_key, R"(["k"])");
    EXPECT_EQ(accepted(R"({"key":"k","class":"batch"})").lease, 10min);
    // The class is not part of the key.
    EXPECT_EQ(accepted(R"({"key":"k","class":"webhook"})").claim, request.claim);
}

TEST(FenceRequest, ReadsEveryMember) {
    const FenceRequest request = accepted(
        R"({"parts":{"sourceType":"cms","sourceId":7.0,"revision":"r","indexHash":"h",)"
        R"("action":"ingest"},"class":"webhook","content":[1, 2],"version":3,"leaseMs":100,)"
        R"("ttlSeconds":60,"waitMs":60000})");
    EXPECT_EQ(request.key, key_of_parts({"cms", "7", "r", "h", "ingest"}));
    EXPECT_EQ(request.source_type, "cms");
    EXPECT_EQ(request.source_id, "7");
    EXPECT_EQ(request.content, "[1, 2]");
    EXPECT_EQ(request.fingerprint, sha256("[1,2]"));
    EXPECT_EQ(request.version, 3);
    EXPECT_EQ(request.lease, 100ms);
    EXPECT_EQ(request.ttl, 60s);
    EXPECT_EQ(request.wait, 60s);
}

TEST(FenceRequest, PartsGiveAHexKeyThatMeansTheSameFence) {
    const FenceRequest by_parts = accepted(R"({"parts":{"sourceType":"doc","sourceId":"1"}})");
    EXPECT_EQ(by_parts.key.size(), 64U);
    EXPECT_EQ(accepted(R"({"key":")" + by_parts.key + R"("})").claim, by_parts.claim);
    // Missing, null and empty are the same; a number is its shortest text.
    EXPECT_EQ(accepted(R"({"parts":{"sourceType":"doc","sourceId":1,"action":null,)"
                       R"("revision":""}})")
                  .claim,
              by_parts.claim);
}

TEST(FenceRequest, EveryPartCountsAtItsOwnPlace) {
    const std::vector<FenceParts> parts = {
        {"a", "", "", "", ""}, {"", "a", "", "", ""},  {"", "", "a", "", ""}, {"", "", "", "a", ""},
        {"", "", "", "", "a"}, {"a", "a", "", "", ""}, {"aa", "", "", "", ""}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(key_of_parts(parts[i]), key_of_parts(parts[j])) << i << " " << j;
        }
    }
}

struct RefusedFence {
    const char* json;
    const char* says;
};

TEST(FenceRequest, SaysWhatIsWrongAndWhere) {
    for (const RefusedFence& refused : std::vector<RefusedFence>{
             {R"({})", "/key `key` or `parts` is required"},
             {R"({"key":""})", "/key `key` must not be empty"},
             {R"({"key":7})", "/key `key` must be a string"},
             {R"({"key":"a\nb"})", "/key `key` must not contain control characters"},
             {R"({"key":"k","parts":{"action":"a"}})", "/parts give `key` or `parts`, not both"},
             {R"({"parts":{}})", "/parts `parts` must have at least one"},
             {R"({"parts":{"sourceType":""}})", "/parts `parts` must have at least one"},
             {R"({"parts":[]})", "/parts `parts` must be an object"},
             {R"({"parts":{"sourceType":true}})", "/parts/sourceType `sourceType` must be a"},
             {R"({"parts":{"action":"\u0000"}})", "/parts/action `action` must not contain"},
             {R"({"parts":{"sourceTyp":"x"}})", "/parts/sourceTyp `sourceTyp` is not a member"},
             {R"({"key":"k","class":"cron"})", "/class `class` must be webhook, api or batch"},
             {R"({"key":"k","content":1,"fingerprint":"f"})", "/fingerprint give `content` or"},
             {R"({"key":"k","content":null,"fingerprint":"f"})", "/fingerprint give `content` or"},
             {R"({"key":"k","fingerprint":""})", "/fingerprint `fingerprint` must not be empty"},
             {R"({"key":"k","version":1})", "/version `version` needs `parts`"},
             {R"({"parts":{"sourceType":"a"},"version":1})", "/version `version` needs `parts`"},
             {R"({"parts":{"sourceId":"a"},"version":1})", "/version `version` needs `parts`"},
             {R"({"key":"k","version":-1})", "/version `version` must be a whole number"},
             {R"({"key":"k","version":1.5})", "/version `version` must be a whole number"},
             {R"({"key":"k","version":"1"})", "/version `version` must be a whole number"},
             {R"({"key":"k","version":1e300})", "/version `version` must be a whole number"},
             {R"({"key":"k","leaseMs":99})", "/leaseMs `leaseMs` must be a whole number from 100"},
             {R"({"key":"k","leaseMs":86400001})", "/leaseMs `leaseMs` must be"},
             {R"({"key":"k","ttlSeconds":0})", "/ttlSeconds `ttlSeconds` must be"},
             {R"({"key":"k","ttlSeconds":1e300})", "/ttlSeconds `ttlSeconds` must be"},
             {R"({"key":"k","waitMs":60001})", "/waitMs `waitMs` must be"},
             {R"({"key":"k","runWindowSeconds":5})", "/runWindowSeconds `runWindowSeconds` is for"},
             {R"({"key":"k","ttl":5})", "/ttl `ttl` is not a member"},
             {R"([])", " expected an object"}}) {
        EXPECT_EQ(refusal(read(refused.json)).substr(0, std::string(refused.says).size()),
                  refused.says)
            << refused.json;
    }
}

TEST(FenceRequest, NullIsContentLikeAnyOther) {
    const FenceRequest request = accepted(R"({"key":"k","content":null})");
    EXPECT_EQ(request.fingerprint, sha256("null"));
    EXPECT_EQ(request.content, "null");
}

// Where a number does not survive the canonical form, the bytes decide.
TEST(FenceRequest, ContentWithANumberBeyondADoubleCountsByItsBytes) {
    const auto fingerprint = [](const std::string& content) {
        return accepted(R"({"key":"k","content":)" + content + "}").fingerprint;
    };
    EXPECT_EQ(fingerprint(R"({"n":1e400})"), sha256(R"({"n":1e400})"));
    EXPECT_EQ(fingerprint("[1, -1e999]"), sha256("[1, -1e999]"));
    EXPECT_NE(fingerprint("1e400"), fingerprint("1e401"));
    EXPECT_EQ(fingerprint("[1.0]"), fingerprint("[ 1 ]"));
    EXPECT_EQ(refusal(read(R"({"key":"k","ttlSeconds":1e400})")).substr(0, 11), "/ttlSeconds");
}

TEST(FenceRequest, LimitsAreExact) {
    const auto with_key = [](std::size_t bytes) {
        return R"({"key":")" + std::string(bytes, 'k') + R"("})";
    };
    accepted(with_key(255));
    EXPECT_NE(refusal(read(with_key(256))), "");
    const auto with_part = [](std::size_t bytes) {
        return R"({"parts":{"sourceId":")" + std::string(bytes, 'k') + R"("}})";
    };
    accepted(with_part(1024));
    EXPECT_NE(refusal(read(with_part(1025))), "");
    const auto with_content = [](std::size_t bytes) {
        return R"({"key":"k","content":")" + std::string(bytes - 2, 'k') + R"("})";
    };
    EXPECT_TRUE(accepted(with_content(kContentBytesMax)).content.has_value());
    const FenceRequest large = accepted(with_content(kContentBytesMax + 1));
    EXPECT_FALSE(large.content.has_value());
    EXPECT_TRUE(large.fingerprint.has_value());
    accepted(R"({"parts":{"sourceType":"a","sourceId":"b"},"version":9007199254740991})");
    EXPECT_NE(refusal(read(R"({"parts":{"sourceType":"a","sourceId":"b"},)"
                           R"("version":9007199254740992})")),
              "");
}

// ---- calls ------------------------------------------------------------------------------------

Item<FenceCall> read_call(FenceVerb verb, const std::string& json) {
    const auto document = json::Document::parse(json);
    return read_fence_call(document->root(), verb, sha256("k"));
}

TEST(FenceCallRequest, ReadsWhatItsVerbNeeds) {
    const auto seal = std::get<FenceCall>(
        read_call(FenceVerb::seal, R"({"token":5,"effectId":"e","receipt":{ "a" : 1.0 }})"));
    EXPECT_EQ(seal.token, Token{5});
    EXPECT_EQ(seal.claim, sha256("k"));
    EXPECT_EQ(seal.receipt, R"({ "a" : 1.0 })");
    EXPECT_FALSE(std::get<FenceCall>(read_call(FenceVerb::seal, R"({"token":5,"effectId":"e",)"
                                                                R"("receipt":null})"))
                     .receipt.has_value());
    EXPECT_EQ(
        std::get<FenceCall>(read_call(FenceVerb::heartbeat, R"({"token":5,"leaseMs":100})")).lease,
        100ms);
    std::get<FenceCall>(read_call(FenceVerb::release, R"({"token":5})"));
    EXPECT_EQ(std::get<FenceCall>(read_call(FenceVerb::uncertain, R"({"token":5,"reason":"cut"})"))
                  .reason,
              "cut");
}

TEST(FenceCallRequest, SaysWhatIsMissing) {
    EXPECT_EQ(refusal(read_call(FenceVerb::release, "{}")), "/token `token` is required");
    EXPECT_EQ(refusal(read_call(FenceVerb::seal, R"({"token":1})")),
              "/effectId `effectId` is required");
    EXPECT_EQ(refusal(read_call(FenceVerb::release, R"({"token":0})")).substr(0, 7), "/token ");
    EXPECT_EQ(refusal(read_call(FenceVerb::release, R"({"token":1,"effectId":"e"})")).substr(0, 10),
              "/effectId ");
    const std::string large(kOutputBytesMax, 'x');
    const auto refused =
        read_call(FenceVerb::seal, R"({"token":1,"effectId":"e","receipt":")" + large + R"("})");
    EXPECT_EQ(std::get<Problem>(refused).code, ProblemCode::too_large);
}

TEST(ResolutionRequest, NeedsAnOutcomeAndAReason) {
    const auto read_one = [](const std::string& json) {
        const auto document = json::Document::parse(json);
        return read_resolution(document->root(), "default", sha256("k"));
    };
    const auto sealed = std::get<ResolveClaim>(
        read_one(R"({"outcome":"sealed","effectId":"e","receipt":1,"reason":"r"})"));
    EXPECT_EQ(sealed.outcome, ClaimOutcome::sealed);
    EXPECT_EQ(sealed.receipt, "1");
    EXPECT_EQ(refusal(read_one(R"({"reason":"r"})")), "/outcome `outcome` is required");
    EXPECT_EQ(refusal(read_one(R"({"outcome":"released"})")), "/reason `reason` is required");
    EXPECT_NE(refusal(read_one(R"({"outcome":"released","effectId":"e","reason":"r"})")), "");
    EXPECT_NE(refusal(read_one(R"({"outcome":"retry","reason":"r"})")), "");
}

// ---- providers --------------------------------------------------------------------------------

TEST(Providers, AreFoundByNameInAnySpelling) {
    EXPECT_EQ(find_provider("stripe")->horizon, 72h);
    EXPECT_EQ(find_provider("ADYEN")->horizon, 720h);
    EXPECT_EQ(find_provider("Standard-Webhooks")->horizon, 76h);
    EXPECT_EQ(find_provider("standard_webhooks")->horizon, 76h);
    EXPECT_EQ(find_provider("stripes"), nullptr);
    EXPECT_EQ(find_provider(""), nullptr);
    EXPECT_EQ(known_providers().size(), 7U);
}

TEST(FenceRequest, APartIsNoNumberWithoutAValue) {
    EXPECT_EQ(refusal(read(R"({"parts":{"sourceType":"doc","sourceId":1e400}})")),
              "/parts/sourceId `sourceId` is too large for a number; write it as a string");
    EXPECT_EQ(accepted(R"({"parts":{"sourceId":12345678901234567890}})").key,
              accepted(R"({"parts":{"sourceId":"12345678901234567890"}})").key);
}

// ---- what the library asks --------------------------------------------------------------------

struct AskCase {
    const char* json;
    FenceAsk ask;
};

// Content stands in a document of its own.
const json::Document& parsed(const char* text) {
    static std::deque<json::Document> documents;
    auto document = json::Document::parse(text, json::kAnyNumbers);
    EXPECT_TRUE(document.has_value());
    return documents.emplace_back(*std::move(document));
}

auto fields_of(const FenceRequest& request) {
    return std::tuple(request.key, request.claim, request.full_key, request.fence_class,
                      request.fingerprint, request.content, request.lease, request.ttl,
                      request.wait, request.version);
}

TEST(FenceRequest, OfTheLibraryIsTheSame) {
    const AskCase cases[] = {
        {R"({"key":"k"})", {.key = "k"}},
        {R"({"key":"k","class":"webhook"})", {.key = "k", .fence_class = FenceClass::webhook}},
        {R"({"key":"k","class":"batch"})", {.key = "k", .fence_class = FenceClass::batch}},
        {R"({"key":"k","content":null})", {.key = "k", .content = parsed("null").root()}},
        {R"({"key":"k","content":{"a": 1e400 }})",
         {.key = "k", .content = parsed(R"({"a": 1e400 })").root()}},
        {R"({"key":"k","leaseMs":1000,"ttlSeconds":1})", {.key = "k", .lease = 1s, .ttl = 1s}},
        {R"({"key":""})", {.key = ""}},
        {R"({"key":"a\u0001"})", {.key = "a\x01"}},
        {R"({"key":"k","leaseMs":99})", {.key = "k", .lease = 99ms}},
        {R"({"key":"k","leaseMs":100000000000})", {.key = "k", .lease = 100000000000ms}},
        {R"({"key":"k","ttlSeconds":0})", {.key = "k", .ttl = 0s}},
        {R"({"key":"k","ttlSeconds":9000000000000})", {.key = "k", .ttl = 9000000000000s}},
    };
    for (const AskCase& one : cases) {
        const auto over_http = read(one.json);
        const auto in_library = make_fence_request(one.ask, "default", Settings{});
        EXPECT_EQ(refusal(in_library), refusal(over_http)) << one.json;
        if (const auto* request = std::get_if<FenceRequest>(&over_http)) {
            EXPECT_EQ(fields_of(std::get<FenceRequest>(in_library)), fields_of(*request))
                << one.json;
        }
    }
    EXPECT_EQ(refusal(make_fence_request({.key = "\xff"}, "default", Settings{})),
              "/key `key` must be UTF-8");
}

}  // namespace
}  // namespace semel
