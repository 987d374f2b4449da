#include "core/actions/backoff.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::chrono_literals;

Backoff parse(const std::string& text) {
    const auto document = json::Document::parse(text);
    auto parsed = Backoff::from_json(document->root(), "/backoff");
    EXPECT_TRUE(std::holds_alternative<Backoff>(parsed)) << text;
    return std::holds_alternative<Backoff>(parsed) ? std::get<Backoff>(parsed) : Backoff{};
}

Problem refuse(const std::string& text) {
    const auto document = json::Document::parse(text);
    auto parsed = Backoff::from_json(document->root(), "/backoff");
    EXPECT_TRUE(std::holds_alternative<Problem>(parsed)) << text;
    return std::holds_alternative<Problem>(parsed) ? std::get<Problem>(parsed) : Problem{};
}

TEST(Backoff, LinearIsTheDefault) {
    EXPECT_EQ(Backoff{}.wait(1, 0), 5min);
    EXPECT_EQ(Backoff{}.wait(2, 0), 10min);
}

TEST(Backoff, ExponentialGrowsToItsMaximum) {
    const Backoff backoff = parse(R"({"kind":"exponential","baseMs":100,"factor":3,"maxMs":1000})");
    EXPECT_EQ(backoff.wait(1, 0), 100ms);
    EXPECT_EQ(backoff.wait(2, 0), 300ms);
    EXPECT_EQ(backoff.wait(3, 0), 900ms);
    EXPECT_EQ(backoff.wait(4, 0), 1000ms);
    EXPECT_EQ(backoff.wait(1000, 0), 1000ms);
}

TEST(Backoff, NothingTimesInfinityIsNothing) {
    EXPECT_EQ(parse(R"({"kind":"exponential","baseMs":0,"factor":1000})").wait(500, 0), 0ms);
    EXPECT_EQ(parse(R"({"kind":"jitter","baseMs":0})").wait(5000, 9), 0ms);
}

TEST(Backoff, FixedStays) {
    EXPECT_EQ(parse(R"({"kind":"fixed","delayMs":7})").wait(9, 1), 7ms);
}

TEST(Backoff, FullJitterUsesTheWholeRangeAndNoMore) {
    const Backoff backoff = parse(R"({"kind":"jitter","baseMs":100,"maxMs":400})");
    std::mt19937_64 random(1);
    for (const auto& [attempt, top] : {std::pair(1, 100), std::pair(2, 200), std::pair(9, 400)}) {
        std::int64_t least = 1'000'000;
        std::int64_t most = 0;
        for (int i = 0; i < 5000; ++i) {
            const auto wait = backoff.wait(attempt, random()).count();
            least = std::min(least, wait);
            most = std::max(most, wait);
        }
        EXPECT_LE(least, 3);
        EXPECT_LE(most, top);
        EXPECT_GE(most, top - 3);
    }
}

TEST(Backoff, SurvivesItsOwnJson) {
    for (const char* text :
         {R"({"kind":"linear","stepMs":300000})",
          R"({"kind":"exponential","baseMs":1,"factor":1.5,"maxMs":9})",
          R"({"kind":"jitter","baseMs":1,"maxMs":9})", R"({"kind":"fixed","delayMs":0})"}) {
        EXPECT_EQ(parse(text).to_json(), text);
    }
}

TEST(Backoff, BadOnesNameTheMember) {
    EXPECT_EQ(refuse(R"({})").pointer, "/backoff/kind");
    EXPECT_EQ(refuse(R"({"kind":"cubic"})").pointer, "/backoff/kind");
    EXPECT_EQ(refuse(R"({"kind":"fixed"})").pointer, "/backoff/delayMs");
    EXPECT_EQ(refuse(R"({"kind":"fixed","delayMs":-1})").pointer, "/backoff/delayMs");
    EXPECT_EQ(refuse(R"({"kind":"fixed","delayMs":1,"stepMs":1})").code,
              ProblemCode::unknown_member);
    EXPECT_EQ(refuse(R"({"kind":"exponential","baseMs":1,"factor":0.5})").pointer,
              "/backoff/factor");
    EXPECT_EQ(refuse(R"([])").pointer, "/backoff");
}

}  // namespace
}  // namespace semel
