#include "api/problem_json.hpp"

#include <set>

#include <gtest/gtest.h>

#include "api/error_pages.hpp"

namespace semel {
namespace {

struct Line {
    ProblemCode code;
    int status;
    const char* title;
    std::optional<bool> retryable;
};

// The table, line by line, a second time: whoever changes one says so here.
const std::vector<Line> kProblems = {
    {ProblemCode::key_missing, 400, "An idempotency key is required", {}},
    {ProblemCode::key_invalid, 400, "The idempotency key cannot be used", {}},
    {ProblemCode::key_reused, 409, "The idempotency key was used for another request", false},
    {ProblemCode::in_progress, 409, "The first request is still in progress", true},
    {ProblemCode::uncertain, 409, "The effect may or may not have happened", false},
    {ProblemCode::stale_token, 409, "Another owner took over", false},
    {ProblemCode::wrong_state, 409, "Not possible in this state", {}},
    {ProblemCode::superseded, 409, "The key has a newer owner", {}},
    {ProblemCode::dependants, 409, "Others depend on it", {}},
    {ProblemCode::conflict, 409, "Same key, other content", false},
    {ProblemCode::cycle, 409, "The blockers form a cycle", {}},
    {ProblemCode::not_found, 404, "Not found", {}},
    {ProblemCode::invalid, 400, "The request is not valid", {}},
    {ProblemCode::unknown_member, 400, "The request has an unknown member", {}},
    {ProblemCode::too_large, 413, "The request is too large", {}},
    {ProblemCode::unauthorized, 401, "A valid token is required", {}},
    {ProblemCode::forbidden, 403, "Not allowed", {}},
    {ProblemCode::overloaded, 503, "Too many requests are waiting", true},
    {ProblemCode::store_unavailable, 503, "The store is not available", true},
    {ProblemCode::response_not_retained, 409, "The original answer was not kept", false},
    {ProblemCode::upstream_unavailable, 502, "The upstream could not be reached", true},
};

TEST(ProblemJson, EveryCodeHasItsStatusTitleAndWordOnRepeating) {
    ASSERT_EQ(kProblems.size(), all_problem_codes().size());
    for (const Line& line : kProblems) {
        const ProblemKind kind = problem_kind(line.code);
        EXPECT_EQ(kind.status, line.status) << to_string(line.code);
        EXPECT_EQ(kind.title, line.title) << to_string(line.code);
        EXPECT_EQ(kind.retryable, line.retryable) << to_string(line.code);
    }
}

TEST(ProblemJson, EveryPageSaysTheStatusOfItsCode) {
    std::set<std::string_view> pages;
    for (const Line& line : kProblems) {
        const std::string_view page = error_page(line.code);
        EXPECT_NE(page.find("HTTP status " + std::to_string(line.status)), std::string_view::npos)
            << to_string(line.code);
        EXPECT_NE(page.find("\"title\":\"" + std::string(line.title)), std::string_view::npos)
            << "the example of " << to_string(line.code) << " has another title";
        pages.insert(page);
    }
    EXPECT_EQ(pages.size(), kProblems.size());
    EXPECT_FALSE(error_page("nothing"));
    EXPECT_FALSE(error_page(""));
}

TEST(ProblemJson, TheLeastProblemHasFiveMembers) {
    EXPECT_EQ(problem_json(not_found("gone \"for good\"")),
              R"({"type":"/errors/not_found","title":"Not found","status":404,)"
              R"("detail":"gone \"for good\"","code":"not_found"})");
}

TEST(ProblemJson, EverythingThatIsKnownIsShown) {
    const Problem problem{.code = ProblemCode::conflict,
                          .detail = "d",
                          .pointer = "/a",
                          .existing_id = Uuid{},
                          .state = Status::running,
                          .diff_json = R"([{"op":"remove","path":"/x"}])",
                          .retry_after = Millis(1500)};
    EXPECT_EQ(problem_json(problem, Decision::conflict),
              R"({"type":"/errors/conflict","title":"Same key, other content","status":409,)"
              R"("detail":"d","code":"conflict","decision":"conflict","pointer":"/a",)"
              R"("existingId":"00000000-0000-0000-0000-000000000000","state":"running",)"
              R"("diff":[{"op":"remove","path":"/x"}],"retryable":false,"retryAfterMs":1500})");
}

TEST(ProblemJson, ThoseWhoWaitAreListed) {
    const Problem problem{.code = ProblemCode::dependants, .detail = "d", .dependants = {Uuid{}}};
    EXPECT_EQ(problem_json(problem),
              R"({"type":"/errors/dependants","title":"Others depend on it","status":409,)"
              R"("detail":"d","code":"dependants",)"
              R"("dependants":["00000000-0000-0000-0000-000000000000"]})");
}

TEST(ProblemJson, HttpMayKnowAMorePreciseStatus) {
    const HttpProblem problem(invalid("no"), 405);
    EXPECT_NE(problem_json(problem).find(R"("status":405)"), std::string::npos);
    EXPECT_EQ(
        plain_problem_json(500, "Internal Server Error", "oops"),
        R"({"type":"about:blank","title":"Internal Server Error","status":500,"detail":"oops"})");
}

TEST(ProblemJson, AFailingStoreIsUnavailableAndAFullQueueOverloaded) {
    const std::vector<ErrorCode> errors = {
        ErrorCode::invalid,        ErrorCode::not_found,   ErrorCode::refused,  ErrorCode::busy,
        ErrorCode::timeout,        ErrorCode::unavailable, ErrorCode::io_error, ErrorCode::corrupt,
        ErrorCode::commit_unknown, ErrorCode::stopped};
    for (const ErrorCode code : errors) {
        const Problem problem = to_problem(Error(code, "secret path"));
        EXPECT_EQ(problem.code, ProblemCode::store_unavailable) << to_string(code);
        const bool waits = code != ErrorCode::corrupt;
        EXPECT_EQ(problem.retry_after.has_value(), waits) << to_string(code);
        const std::string word = waits ? R"("retryable":true)" : R"("retryable":false)";
        EXPECT_NE(problem_json(problem).find(word), std::string::npos) << to_string(code);
        EXPECT_FALSE(problem.detail.empty()) << to_string(code);
        EXPECT_EQ(problem.detail.find("secret path"), std::string::npos) << to_string(code);
    }
    EXPECT_EQ(to_problem(Error(ErrorCode::overloaded, "")).code, ProblemCode::overloaded);
    // Which row it is, and what to do, is said for whoever asked.
    const Problem damaged = to_problem(Error(ErrorCode::damaged_row, "delete it"));
    EXPECT_EQ(damaged.detail, "delete it");
    EXPECT_FALSE(damaged.retry_after.has_value()) << "a repeat does not help";
    // Neither success nor failure: nobody is told that nothing was changed.
    EXPECT_EQ(to_problem(Error(ErrorCode::commit_unknown, "")).detail.find("nothing was changed"),
              std::string::npos);
}

TEST(ProblemJson, HowToRepeatWhatMayHaveBeenDoneDependsOnWhatItWas) {
    const auto words = [](Repeat repeat) {
        return to_problem(Error(ErrorCode::commit_unknown, ""), repeat).detail;
    };
    EXPECT_NE(words(Repeat::with_key).find("Idempotency-Key"), std::string::npos);
    for (const Repeat repeat : {Repeat::as_it_is, Repeat::after_a_query, Repeat::claim}) {
        EXPECT_EQ(words(repeat).find("Idempotency-Key"), std::string::npos);
        EXPECT_NE(words(repeat).find("repeat it"), std::string::npos);
        EXPECT_EQ(words(repeat).find("nothing was changed"), std::string::npos);
    }
    EXPECT_NE(words(Repeat::claim).find("lease"), std::string::npos);
}

TEST(ProblemJson, TheStateOfAClaimIsShownLikeAnyOther) {
    const Problem problem{
        .code = ProblemCode::wrong_state, .detail = "d", .claim_state = "uncertain"};
    EXPECT_EQ(problem_json(problem),
              R"({"type":"/errors/wrong_state","title":"Not possible in this state","status":409,)"
              R"("detail":"d","code":"wrong_state","state":"uncertain"})");
}

TEST(ProblemJson, ALockedRowIsNotCalledAFailureOfTheStore) {
    const Problem held = to_problem(Error(ErrorCode::busy, ""));
    EXPECT_NE(held.detail.find("open transaction holds a row"), std::string::npos);
    EXPECT_EQ(held.detail.find("the store failed"), std::string::npos);
}

}  // namespace
}  // namespace semel
