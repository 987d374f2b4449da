#include "core/actions/action_request.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::chrono_literals;

Item<ActionRequest> read(const std::string& text, const Settings& settings = {}) {
    const auto document = json::Document::parse(text);
    EXPECT_TRUE(document.has_value()) << text;
    return read_action_request(document->root(), "t", settings, "");
}

struct Refused {
    std::string request;
    ProblemCode code;
    std::string pointer;
};

TEST(ActionRequest, EveryWrongMemberIsNamed) {
    const std::string long_name(256, 'x');
    const std::vector<Refused> cases{
        {R"([])", ProblemCode::invalid, ""},
        {R"({})", ProblemCode::invalid, "/type"},
        {R"({"type":""})", ProblemCode::invalid, "/type"},
        {R"({"type":null})", ProblemCode::invalid, "/type"},
        {R"({"type":5})", ProblemCode::invalid, "/type"},
        {R"({"type":"a\u0000b"})", ProblemCode::invalid, "/type"},
        {R"({"type":")" + long_name + R"("})", ProblemCode::invalid, "/type"},
        {R"({"type":"a","typo":1})", ProblemCode::unknown_member, "/typo"},
        {R"({"type":"a","a/b~c":1})", ProblemCode::unknown_member, "/a~1b~0c"},
        {R"({"type":"a","scheduledAt":"yesterday"})", ProblemCode::invalid, "/scheduledAt"},
        {R"({"type":"a","scheduledAt":5})", ProblemCode::invalid, "/scheduledAt"},
        {R"({"type":"a","scheduledAt":"2030-02-30T00:00:00Z"})", ProblemCode::invalid,
         "/scheduledAt"},
        {R"({"type":"a","delayMs":-1})", ProblemCode::invalid, "/delayMs"},
        {R"({"type":"a","delayMs":1.5})", ProblemCode::invalid, "/delayMs"},
        {R"({"type":"a","delayMs":1e300})", ProblemCode::invalid, "/delayMs"},
        {R"({"type":"a","delayMs":1,"scheduledAt":"2030-01-01T00:00:00Z"})", ProblemCode::invalid,
         "/delayMs"},
        {R"({"type":"a","lockGroup":""})", ProblemCode::invalid, "/lockGroup"},
        {R"({"type":"a","lockGroup":")" + long_name + R"("})", ProblemCode::invalid, "/lockGroup"},
        {R"({"type":"a","maxRetries":1001})", ProblemCode::invalid, "/maxRetries"},
        {R"({"type":"a","maxRetries":-1})", ProblemCode::invalid, "/maxRetries"},
        {R"({"type":"a","timeoutMs":0})", ProblemCode::invalid, "/timeoutMs"},
        {R"({"type":"a","priority":"high"})", ProblemCode::invalid, "/priority"},
        {R"({"type":"a","backoff":"fast"})", ProblemCode::invalid, "/backoff"},
        {R"({"type":"a","deduplication":true})", ProblemCode::invalid, "/deduplication"},
        {R"({"type":"a","deduplication":{"key":""}})", ProblemCode::invalid, "/deduplication/key"},
        {R"({"type":"a","deduplication":{"window":1}})", ProblemCode::unknown_member,
         "/deduplication/window"},
        {R"({"type":"a","deduplication":{"scope":"all"}})", ProblemCode::invalid,
         "/deduplication/scope"},
        {R"({"type":"a","deduplication":{"onDuplicate":"merge"}})", ProblemCode::invalid,
         "/deduplication/onDuplicate"},
        {R"({"type":"a","deduplication":{"keyFields":["x"]}})", ProblemCode::invalid,
         "/deduplication/keyFields"},
        {R"({"type":"a","deduplication":{"keyFields":"/x"}})", ProblemCode::invalid,
         "/deduplication/keyFields"},
        {R"({"type":"a","deduplication":{"onDuplicate":"debounce","windowSeconds":0}})",
         ProblemCode::invalid, "/deduplication/windowSeconds"},
        {R"({"type":"a","deduplication":{"windowSeconds":2592001}})", ProblemCode::invalid,
         "/deduplication/windowSeconds"},
        {R"({"type":"a","deduplication":{"windowSeconds":"5"}})", ProblemCode::invalid,
         "/deduplication/windowSeconds"},
    };
    for (const Refused& expected : cases) {
        const auto answer = read(expected.request);
        const auto* problem = std::get_if<Problem>(&answer);
        ASSERT_NE(problem, nullptr) << expected.request;
        EXPECT_EQ(problem->code, expected.code) << expected.request;
        EXPECT_EQ(problem->pointer, expected.pointer) << expected.request;
        EXPECT_FALSE(problem->detail.empty());
    }
}

TEST(ActionRequest, AnUnknownMemberSuggestsTheNearest) {
    const auto answer = read(R"({"type":"a","maxretries":1})");
    EXPECT_NE(std::get<Problem>(answer).detail.find("`maxRetries`"), std::string::npos);
}

TEST(ActionRequest, LimitsAreExact) {
    const std::string name(255, 'x');
    EXPECT_TRUE(std::holds_alternative<ActionRequest>(
        read(R"({"type":")" + name + R"(","lockGroup":")" + name +
             R"(","maxRetries":1000,"deduplication":{"windowSeconds":2592000}})")));
}

TEST(ActionRequest, ZeroRetriesMeansOneAttempt) {
    EXPECT_EQ(std::get<ActionRequest>(read(R"({"type":"a","maxRetries":0})")).max_retries, 1);
}

TEST(ActionRequest, NullMeansAbsentExceptForThePayload) {
    const auto request = std::get<ActionRequest>(
        read(R"({"type":"a","payload":null,"lockGroup":null,"delayMs":null,"backoff":null,
                 "deduplication":null})"));
    EXPECT_EQ(request.payload, "null");
    EXPECT_FALSE(request.lock_group.has_value());
}

TEST(ActionRequest, KeysRememberedForEverAllowAnyWindow) {
    Settings settings;
    settings.key_retention.reset();
    EXPECT_TRUE(std::holds_alternative<ActionRequest>(
        read(R"({"type":"a","deduplication":{"key":"k","windowSeconds":315360000}})", settings)));
}

TEST(ActionRequest, DebounceWaitsTenWindowsUnlessTold) {
    const auto request = std::get<ActionRequest>(read(
        R"({"type":"a","deduplication":{"key":"k","windowSeconds":3,"onDuplicate":"debounce"}})"));
    EXPECT_EQ(request.deduplication->max_wait, 30s);
}

}  // namespace
}  // namespace semel
