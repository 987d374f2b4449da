// semel chains, as people and scripts use it.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kNobody = "0198c5a0-0000-7000-8000-000000000000";

class Chains : public ServerTest {
protected:
    // The id of a new chain.
    std::string start(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"chains", "start"});
        const Ended ended = semel(arguments);
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_THAT(ended.out, StartsWith("new  "));
        return ended.out.substr(5, 36);
    }
    Ended complete(const std::string& id, const std::string& index, const std::string& option,
                   const std::string& json) {
        return semel({"chains", "complete", id, "--index", index, option, json});
    }
};

TEST_F(Chains, EveryOptionArrives) {
    const std::string blocker = start({"side"});
    const std::string id = start({"order",
                                  "--input",
                                  "[1,2.50]",
                                  "--at",
                                  "2099-01-31T08:00:00Z",
                                  "--blocker",
                                  blocker,
                                  "--blocker",
                                  R"({"type":"part"})",
                                  "--on-blocker-failed",
                                  "wait",
                                  "--key",
                                  "k",
                                  "--scope",
                                  "any",
                                  "--window",
                                  "1h",
                                  "--exclude",
                                  kNobody,
                                  "--lock-group",
                                  "g",
                                  "--max-retries",
                                  "4",
                                  "--backoff",
                                  R"({"kind":"fixed","delayMs":1000})",
                                  "--priority",
                                  "-2",
                                  "--timeout",
                                  "45s"});
    EXPECT_EQ(action(id, "payload"), "[1,2.50]");
    EXPECT_EQ(action(id, "scheduledAt"), "\"2099-01-31T08:00:00.000Z\"");
    EXPECT_EQ(action(id, "status"), "\"blocked\"");
    EXPECT_EQ(action(id, "lockGroup"), "\"g\"");
    EXPECT_EQ(action(id, "maxRetries"), "4");
    EXPECT_EQ(action(id, "priority"), "-2");
    EXPECT_EQ(action(id, "timeoutMs"), "45000");
    EXPECT_THAT(action(id, "blockers"), HasSubstr(blocker));
    const Ended again = semel({"chains", "start", "order", "--key", "k"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, StartsWith("deduplicated  " + id));
    EXPECT_THAT(again.err, HasSubstr("another input"));
    const Ended own = semel({"chains", "start", "x", "--id", kNobody, "--json"});
    EXPECT_THAT(own.out, HasSubstr(kNobody));
    EXPECT_EQ(semel({"chains", "start", "y", "--id", kNobody}).code, 5);
}

TEST_F(Chains, ShowDrawsTheStepsAndWhatTheyWaitFor) {
    const std::string id = start({"order:fulfil", "--input", "17"});
    const std::string stock = start({"stock:reserve"});
    ASSERT_EQ(complete(id, "0", "--continue-with",
                       R"({"type":"order:ship","blockers":[")" + stock + R"("]})")
                  .code,
              0);
    const Ended shown = semel({"chains", "show", id});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("├─ 0  completed "));
    EXPECT_THAT(shown.out, HasSubstr("└─ 1  blocked "));
    EXPECT_THAT(shown.out, HasSubstr("waits for   pending     " + stock + "  stock:reserve"));
    EXPECT_LT(shown.out.find("order:ship"), shown.out.find("waits for"));
    complete(stock, "0", "--output", "1");
    EXPECT_THAT(semel({"chains", "show", id}).out, HasSubstr("waited for  completed   " + stock));
    const Ended json = semel({"chains", "show", id, "--json"});
    EXPECT_THAT(member(json.out, "chain"), HasSubstr(R"("status":"pending")"));
    EXPECT_THAT(member(json.out, "jobs"), HasSubstr("order:ship"));
    const Ended jobs = semel({"chains", "jobs", id});
    EXPECT_THAT(jobs.out, StartsWith("STEP "));
    EXPECT_EQ(std::count(jobs.out.begin(), jobs.out.end(), '\n'), 3);
    EXPECT_THAT(semel({"why", id}).out, HasSubstr("completed"));
}

TEST_F(Chains, WaitTellsByItsExitCodeHowItEnded) {
    const std::string done = start({"a"});
    auto waiting = begin({"chains", "wait", done});
    EXPECT_EQ(complete(done, "0", "--output", R"({"ok":true})").code, 0);
    const Ended waited = waiting->wait();
    EXPECT_EQ(waited.code, 0) << waited.err;
    EXPECT_THAT(waited.out, HasSubstr(R"(completed  {"ok":true})"));
    const std::string open = start({"a"});
    const Ended late = semel({"chains", "wait", open, "--timeout", "10ms"});
    EXPECT_EQ(late.code, 3);
    EXPECT_THAT(late.err, HasSubstr("in_progress: "));
    EXPECT_EQ(semel({"chains", "cancel", open}).code, 0);
    EXPECT_EQ(semel({"chains", "wait", open}).code, 1);
    EXPECT_EQ(semel({"chains", "wait", kNobody}).code, 4);
    EXPECT_EQ(semel({"chains", "wait", open, "--timeout", "soon"}).code, 2);
}

TEST_F(Chains, DeleteTakesWhatItWaitedForAlongWhenToldSo) {
    const std::string part = start({"part"});
    const std::string whole = start({"whole", "--blocker", part});
    const Ended refused = semel({"chains", "delete", part});
    EXPECT_EQ(refused.code, 5);
    EXPECT_THAT(refused.err, HasSubstr("dependants: "));
    EXPECT_THAT(refused.err, HasSubstr(whole));
    EXPECT_THAT(semel({"chains", "delete", part, "--json"}).err, HasSubstr(whole));
    const Ended deleted = semel({"chains", "delete", whole, "--cascade"});
    EXPECT_EQ(deleted.code, 0) << deleted.err;
    EXPECT_EQ(deleted.out, "deleted  " + whole + "\ndeleted  " + part + "\n");
    EXPECT_EQ(semel({"chains", "show", part}).code, 4);
    EXPECT_EQ(semel({"chains", "delete", whole}).code, 4);
    const std::string other = start({"other", "--blocker", start({"part"})});
    EXPECT_EQ(semel({"chains", "delete", other, "--json"}).out,
              R"({"deleted":[")" + other + "\"]}\n");
}

TEST_F(Chains, ListsFilterAndWalk) {
    EXPECT_EQ(semel({"chains", "list"}).out, "no chains\n");
    for (int i = 0; i < 3; ++i) start({"even"});
    const std::string odd = start({"odd"});
    complete(odd, "0", "--output", "1");
    EXPECT_THAT(semel({"chains", "list", "--status", "completed"}).out, HasSubstr(odd));
    const Ended limited = semel({"chains", "list", "--limit", "2"});
    EXPECT_THAT(limited.out, HasSubstr("there are more: --limit N or --all"));
    const Ended all = semel({"chains", "list", "--all", "--type", "even", "--json"});
    const auto parsed = json::Document::parse(all.out);
    ASSERT_TRUE(parsed) << all.out;
    EXPECT_EQ(parsed->root().find("items")->size(), 3U);
}

TEST_F(Chains, WhatIsWrongIsSaid) {
    const std::string id = start({"a"});
    EXPECT_EQ(semel({"chains", "show", kNobody}).code, 4);
    EXPECT_EQ(semel({"chains", "jobs", "a/../b"}).code, 4);
    EXPECT_EQ(semel({"chains", "cancel", kNobody}).code, 4);
    EXPECT_EQ(complete(id, "1", "--output", "1").code, 5);
    EXPECT_EQ(complete(id, "-1", "--output", "1").code, 2);
    EXPECT_EQ(complete(id, "0", "--output", "{").code, 2);
    EXPECT_EQ(complete(id, "0", "--continue-with", "{}").code, 2);
    EXPECT_EQ(semel({"chains", "complete", id}).code, 2);
    EXPECT_EQ(semel({"chains", "start", "a", "--scope", "any"}).code, 2) << "needs --key";
    EXPECT_EQ(semel({"chains", "start", "a", "--blocker", "{"}).code, 2);
    EXPECT_EQ(semel({"chains", "start", "a", "--blocker", kNobody}).code, 4);
    EXPECT_EQ(semel({"chains", "start", "a", "--delay", "x"}).code, 2);
    EXPECT_THAT(run({"chains", "--help"}).out, HasSubstr("complete"));
    EXPECT_THAT(run({"completion", "bash"}).out, HasSubstr("'chains wait'"));
}

}  // namespace
}  // namespace semel::cli
