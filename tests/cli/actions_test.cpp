// schedule, actions, why: against a real server.
#include <csignal>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using Actions = ServerTest;

TEST_F(Actions, TheSecondOfTheSameIsADuplicate) {
    const Ended first = semel({"schedule", "email:send", "--payload", R"({"entityId":42,"n":1})"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.out.find("new  "), 0U) << first.out;
    const Ended second = semel({"schedule", "email:send", "--payload", R"({"entityId":42,"n":2})"});
    EXPECT_EQ(second.code, 0);
    EXPECT_EQ(second.out.find("duplicate  "), 0U) << second.out;
    EXPECT_NE(second.out.find("(its payload was replaced by this one)"), std::string::npos);
    EXPECT_EQ(first.out.substr(5, 36), second.out.substr(11, 36));
    EXPECT_EQ(action(first.out.substr(5, 36), "payload"), R"({"entityId":42,"n":2})");
}

TEST_F(Actions, EveryOptionArrives) {
    const std::string id = schedule({"report",
                                     "--payload",
                                     "[1,2.50,12345678901234567890]",
                                     "--at",
                                     "2099-01-31T08:00:00+01:00",
                                     "--lock-group",
                                     "reports",
                                     "--key",
                                     "k",
                                     "--window",
                                     "1m",
                                     "--scope",
                                     "any",
                                     "--on-duplicate",
                                     "keep",
                                     "--max-retries",
                                     "9",
                                     "--backoff",
                                     R"({"kind":"fixed","delayMs":1000})",
                                     "--priority",
                                     "-3",
                                     "--timeout",
                                     "45s"});
    EXPECT_EQ(action(id, "payload"), "[1,2.50,12345678901234567890]");
    EXPECT_EQ(action(id, "scheduledAt"), "\"2099-01-31T07:00:00.000Z\"");
    EXPECT_EQ(action(id, "lockGroup"), "\"reports\"");
    EXPECT_EQ(action(id, "maxRetries"), "9");
    EXPECT_EQ(action(id, "priority"), "-3");
    EXPECT_EQ(action(id, "timeoutMs"), "45000");
    EXPECT_NE(action(id, "backoff").find("fixed"), std::string::npos);
    const Ended again = semel({"schedule", "report", "--payload", "1", "--key", "k", "--scope",
                               "any", "--on-duplicate", "reject"});
    EXPECT_EQ(again.code, 5);
    EXPECT_NE(again.err.find("semel: conflict: "), std::string::npos) << again.err;
    EXPECT_NE(again.err.find("diff: ["), std::string::npos) << again.err;
}

TEST_F(Actions, ThePayloadComesFromAFileOrTheInputToo) {
    write("payload.json", " {\"from\": \"file\"}\n");
    EXPECT_EQ(action(schedule({"t", "--payload", "@payload.json"}), "payload"),
              R"({"from": "file"})");
    const Ended piped = semel({"schedule", "t", "--payload", "-", "--json"}, {}, "[\"input\"]");
    EXPECT_EQ(piped.code, 0) << piped.err;
    EXPECT_NE(piped.out.find(R"("payload":["input"])"), std::string::npos) << piped.out;
}

TEST_F(Actions, AnIdempotencyKeyGivesTheSameAnswer) {
    const std::vector<std::string> arguments = {"schedule", "t", "--idempotency-key", "once",
                                                "--json"};
    const Ended first = semel(arguments);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(semel(arguments).out, first.out);
    EXPECT_EQ(semel({"schedule", "other", "--idempotency-key", "once"}).code, 5);
}

TEST_F(Actions, ARefusalHasItsCodeAndWhatToDo) {
    const Ended ended = semel({"schedule", "t", "--scope", "some"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err.find("semel: invalid: "), 0U) << ended.err;
    EXPECT_NE(ended.err.find("(at /deduplication/scope)"), std::string::npos) << ended.err;
    const Ended as_json = semel({"schedule", "t", "--scope", "some", "--json"});
    EXPECT_EQ(as_json.code, 2);
    EXPECT_EQ(member(as_json.err, "code"), "\"invalid\"");
    EXPECT_EQ(as_json.out, "");
}

TEST_F(Actions, ListsFilterAndWalk) {
    for (int i = 0; i < 5; ++i) {
        schedule({i % 2 == 0 ? "even" : "odd"});
    }
    const Ended table = semel({"actions", "list", "--type", "odd"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_EQ(table.out.find("ID "), 0U) << table.out;
    EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 3);
    EXPECT_EQ(table.out.find('\x1b'), std::string::npos);
    const Ended limited = semel({"actions", "list", "--limit", "2"});
    EXPECT_NE(limited.out.find("there are more: --limit N or --all"), std::string::npos);
    const Ended all = semel({"actions", "list", "--all", "--json"});
    const auto parsed = json::Document::parse(all.out);
    ASSERT_TRUE(parsed) << all.out;
    EXPECT_EQ(parsed->root().find("items")->size(), 5U);
    EXPECT_TRUE(parsed->root().find("nextCursor")->is_null());
    EXPECT_EQ(semel({"actions", "list", "--status", "failed"}).out, "no actions\n");
    EXPECT_EQ(semel({"actions", "list", "--status", "odd"}).code, 2);
}

TEST_F(Actions, WhatIsNotThereIsExitCodeFour) {
    const std::string nobody = "0198c5a0-0000-7000-8000-000000000000";
    EXPECT_EQ(semel({"actions", "show", nobody}).code, 4);
    EXPECT_EQ(semel({"why", nobody}).code, 4);
    EXPECT_EQ(semel({"actions", "cancel", "a/../b?c"}).code, 4);
}

TEST_F(Actions, AnActionIsRunCancelledAndRetried) {
    const std::string id = schedule({"t", "--delay", "1h"});
    const Ended ran = semel({"actions", "run", id});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, id + "  t  pending\n");
    EXPECT_EQ(semel({"actions", "cancel", id}).out, id + "  t  cancelled\n");
    const Ended again = semel({"actions", "cancel", id, "--json"});
    EXPECT_EQ(again.code == 0 || again.code == 5, true) << again.err;
    EXPECT_EQ(semel({"actions", "run", id}).code, 5);
    EXPECT_EQ(semel({"actions", "retry", id}).out, id + "  t  pending\n");
}

TEST_F(Actions, WhyIsOneSentence) {
    const std::string later = schedule({"t", "--at", "2099-01-01T00:00:00Z"});
    EXPECT_EQ(semel({"why", later}).out,
              "It is not running because its time has not come. `run` starts it now.\n"
              "  until: 2099-01-01T00:00:00.000Z\n");
    const std::string due = schedule({"unhandled"});
    const Ended why = semel({"why", due});
    EXPECT_EQ(why.out.find("It is not running because no worker has asked for type `unhandled`"),
              0U)
        << why.out;
    const Ended as_json = semel({"why", due, "--json"});
    EXPECT_EQ(member(as_json.out, "status"), "\"pending\"");
    EXPECT_NE(member(as_json.out, "waitingFor").find("no_worker"), std::string::npos);
    semel({"actions", "cancel", due});
    EXPECT_EQ(semel({"why", due}).out, "It is not running because it is cancelled.\n");
}

TEST_F(Actions, TheTimelineIsInTheOrderOfTime) {
    // Its key's window ends before it is due.
    const std::string id = schedule({"t", "--payload", R"({"entityId":1})", "--delay", "1h"});
    const std::string shown = semel({"actions", "show", id}).out;
    const std::size_t window = shown.find("its key's window ends");
    ASSERT_NE(window, std::string::npos) << shown;
    EXPECT_LT(shown.find("  created\n"), window) << shown;
    EXPECT_LT(window, shown.find("  due\n")) << shown;
}

TEST_F(Actions, ShowHasTheTimelineAndEveryAttempt) {
    const std::string id = schedule({"t", "--payload", "{\"a\":\"\\u001b[2J\"}", "--max-retries",
                                     "2", "--backoff", R"({"kind":"fixed","delayMs":0})"});
    ASSERT_EQ(semel({"work", "--type", "t", "--exec", "echo first line >&2; exit 3", "--max-jobs",
                     "2", "--worker", "tester"})
                  .code,
              0);
    const Ended shown = semel({"actions", "show", id});
    EXPECT_EQ(shown.code, 0) << shown.err;
    for (const char* text :
         {"status       failed", "attempts     2 of 2", "\nTimeline\n", "  due\n", "\nAttempts\n",
          "  1  failed", "  2  failed", "tester", "first line"}) {
        EXPECT_NE(shown.out.find(text), std::string::npos) << text << " in\n" << shown.out;
    }
    EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(semel({"why", id}).out,
              "It is not running because it failed after 2 attempts: first line.\n");
}

TEST_F(Actions, TailShowsEachChangeOnceAndEndsWithCtrlC) {
    const std::string before = schedule({"t"});
    const auto tail = begin({"actions", "tail", "--type", "t"});
    ASSERT_TRUE(tail->out_shows(before + "  pending"));
    const std::string after = schedule({"t"});
    schedule({"unseen"});
    ASSERT_TRUE(tail->out_shows(after + "  pending"));
    semel({"actions", "cancel", before});
    ASSERT_TRUE(tail->out_shows(before + "  cancelled"));
    tail->signal(SIGINT);
    const Ended ended = tail->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 3) << ended.out;
}

TEST_F(Actions, TailWaitsForAServerThatComesBackAndShowsEachChangeOnce) {
    const std::string before = schedule({"t"});
    const auto tail = begin({"actions", "tail"});
    ASSERT_TRUE(tail->out_shows(before + "  pending"));
    server_->signal(SIGKILL);
    server_->wait();
    ASSERT_TRUE(tail->err_shows("trying again until it answers"));
    const std::string address = url_.substr(std::string("http://").size());
    server_ = std::make_unique<Program>(
        std::vector<std::string>{"serve", "--store", "semel.db", "--listen", address}, folder_);
    ASSERT_TRUE(server_->out_shows("try:"));
    const std::string after = schedule({"t"});
    ASSERT_TRUE(tail->err_shows("reached " + url_ + " again"));
    ASSERT_TRUE(tail->out_shows(after + "  pending"));
    tail->signal(SIGINT);
    const Ended ended = tail->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 2) << ended.out;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 4) << ended.err;
}

TEST_F(Actions, TailEndsWhereTheServerRefusesIt) {
    const std::string id = schedule({"t"});
    const auto tail = begin({"actions", "tail"});
    ASSERT_TRUE(tail->out_shows(id));
    ASSERT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 0);
    const Ended ended = tail->wait();
    EXPECT_EQ(ended.code, 1);
    EXPECT_NE(ended.err.find("semel: unauthorized: "), std::string::npos) << ended.err;
}

TEST_F(Actions, TenantsAreApart) {
    schedule({"t", "--tenant", "acme"});
    EXPECT_EQ(semel({"actions", "list"}).out, "no actions\n");
    EXPECT_NE(semel({"actions", "list"}, {{"SEMEL_TENANT", "acme"}}).out.find("  t  "),
              std::string::npos);
}

}  // namespace
}  // namespace semel::cli
