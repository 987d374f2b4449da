// The headers that a stored answer keeps, and answers that operators have found.
#include "core/passes/found_answer.hpp"

#include <gmock/gmock.h>

namespace semel {
namespace {

using testing::ElementsAre;

std::optional<FoundAnswer> read(const std::string& body, std::optional<Problem>& problem) {
    const json::Document document = json::Document::parse(body).value();
    MemberReader reader(document.root(), "");
    auto answer = read_found_answer(reader);
    problem = reader.problem();
    return answer;
}

TEST(KeptHeader, IsOfTheBodyOrNamedByTheRoute) {
    const std::vector<std::string> named = {"ETag", "set-cookie", "Semel-Claim", "connection"};
    for (const char* kept : {"Content-Type", "content-encoding", "etag", "ETAG"}) {
        EXPECT_TRUE(is_kept_header(kept, named)) << kept;
    }
    for (const char* dropped :
         {"Set-Cookie", "set_cookie", "Date", "Semel-Claim", "semel_claim", "Connection",
          "Content-Length", "content_length", "Transfer-Encoding", "Location", "etag2", ""}) {
        EXPECT_FALSE(is_kept_header(dropped, named)) << dropped;
    }
}

TEST(FoundAnswer, IsReadWithDefaults) {
    std::optional<Problem> problem;
    const auto answer = read(R"({"response":{"status":204}})", problem);
    ASSERT_TRUE(answer && !problem);
    EXPECT_EQ(answer->status, 204);
    EXPECT_TRUE(answer->headers.empty());
    EXPECT_EQ(*answer->body, "");
    EXPECT_FALSE(read("{}", problem) || problem) << "absent";
    EXPECT_FALSE(read(R"({"response":null})", problem) || problem);
}

TEST(FoundAnswer, ItsBodyIsATextOrJson) {
    std::optional<Problem> problem;
    const AnswerHeader json{"content-type", "application/json"};
    EXPECT_EQ(*read(R"({"response":{"status":200,"body":"a\u0000b"}})", problem)->body,
              std::string("a\0b", 3));
    const auto object = read(R"({"response":{"status":200,"body": { "b" : 1 } }})", problem);
    EXPECT_EQ(*object->body, R"({ "b" : 1 })");
    EXPECT_THAT(object->headers, ElementsAre(json));
    const auto named = read(
        R"({"response":{"status":200,"headers":{"Content-Type":"text/x"},"body":[1]}})", problem);
    EXPECT_THAT(named->headers, ElementsAre(AnswerHeader{"Content-Type", "text/x"}));
    EXPECT_EQ(*read(R"({"response":{"status":200,"body":false}})", problem)->body, "false");
    EXPECT_EQ(*read(R"({"response":{"status":200,"body":null}})", problem)->body, "");
}

TEST(FoundAnswer, IsFittedToItsRoute) {
    FoundAnswer answer{.headers = {{"X-Charge", "9"}, {"ETag", "a"}, {"content-type", "t"}},
                       .body = std::make_shared<const std::string>(10, 'x')};
    const AnswerRule rule{.replay_headers = {"x-charge"}, .body_bytes_max = 10};
    EXPECT_EQ(fit_answer(answer, rule), std::nullopt);
    EXPECT_THAT(answer.headers,
                ElementsAre(AnswerHeader{"X-Charge", "9"}, AnswerHeader{"content-type", "t"}));
    FoundAnswer larger = answer;
    larger.body = std::make_shared<const std::string>(11, 'x');
    EXPECT_EQ(fit_answer(larger, rule)->code, ProblemCode::too_large);
    larger = answer;
    larger.headers = {{"x-charge", std::string(kKeptHeaderBytesMax - 8, 'x')}};
    EXPECT_EQ(fit_answer(larger, rule), std::nullopt);
    larger.headers.front().value += 'x';
    EXPECT_EQ(fit_answer(larger, rule)->pointer, "/response/headers");
    larger.headers.front().name = "dropped";
    EXPECT_EQ(fit_answer(larger, rule), std::nullopt);
}

}  // namespace
}  // namespace semel
