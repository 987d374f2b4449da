// semel fence, explain, decisions and check, as people and scripts use them.
#include <gmock/gmock.h>

#include "base/time.hpp"
#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Without the quotes of a JSON string.
std::string unquoted(const std::string& text) {
    return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

class Fences : public ServerTest {
protected:
    // The token of a key that must be free.
    std::string own(const std::string& key, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"fence", "claim", key, "--json"});
        const Ended claimed = semel(more);
        EXPECT_EQ(claimed.code, 0) << claimed.out << claimed.err;
        return member(claimed.out, "token");
    }
};

TEST_F(Fences, AreClaimedSealedAndAskedForAgain) {
    const std::string token = own("invoice-17", {"--content", R"({"total":12})"});
    const Ended sealed = semel({"fence", "seal", "invoice-17", token, "--effect-id", "ch_9",
                                "--receipt", R"({"paid":true})"});
    EXPECT_EQ(sealed.code, 0) << sealed.err;
    const Ended again = semel({"fence", "claim", "invoice-17"});
    EXPECT_EQ(again.code, 6) << "nothing is left to do";
    EXPECT_THAT(again.out, StartsWith("duplicate  invoice-17"));
    EXPECT_THAT(again.out, AllOf(HasSubstr("ch_9"), HasSubstr(R"({"paid":true})")));
    const Ended other = semel({"fence", "claim", "invoice-17", "--content", R"({"total":13})"});
    EXPECT_EQ(other.code, 5);
    EXPECT_THAT(other.err, AllOf(HasSubstr("conflict"), HasSubstr("/total")));
    EXPECT_THAT(semel({"fence", "get", "invoice-17", "--sealed"}).out, HasSubstr("ch_9"));
}

// What a script does: if semel fence claim …; then do it; elif [ $? = 6 ]; then skip.
TEST_F(Fences, TellWhatWasDoneFromWhatFailed) {
    const std::string token = own("k", {"--class", "batch", "--run-window", "96h"});
    EXPECT_EQ(semel({"fence", "seal", "k", token, "--effect-id", "e"}).code, 0);
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, 6) << "done";
    EXPECT_EQ(semel({"fence", "claim", "k", "--class", "cron"}).code, 2) << "usage";
    EXPECT_EQ(run({"fence", "claim", "k", "--url", "http://127.0.0.1:1"}).code, 3) << "no server";
}

TEST_F(Fences, KeepNumbersThatNoDoubleHolds) {
    const std::string token = own("k", {"--content", R"({"n":1e400})"});
    EXPECT_EQ(semel({"fence", "claim", "k", "--content", R"({"n":1e401})"}).code, 5);
    EXPECT_EQ(semel({"fence", "seal", "k", token, "--effect-id", "e", "--receipt", "[1e400]"}).code,
              0);
    EXPECT_THAT(semel({"fence", "claim", "k", "--content", R"({"n":1e400})"}).out,
                HasSubstr("[1e400]"));
}

TEST_F(Fences, AreWorkedOnByOneOwnerAtATime) {
    const std::string token = own("k", {"--lease", "1m"});
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, 5) << "somebody is at it";
    EXPECT_EQ(semel({"fence", "heartbeat", "k", token, "--lease", "2m"}).code, 0);
    EXPECT_EQ(semel({"fence", "get", "k", "--sealed"}).code, 4);
    EXPECT_EQ(semel({"fence", "release", "k", token}).code, 0);
    EXPECT_NE(own("k"), token);
    EXPECT_EQ(semel({"fence", "seal", "k", token, "--effect-id", "late"}).code, 5);
}

TEST_F(Fences, HavePartsAndVersions) {
    const auto version = [&](const std::string& revision, const std::string& number) {
        return semel({"fence", "claim", "--source-type", "doc", "--source-id", "7", "--revision",
                      revision, "--version", number, "--json"});
    };
    const Ended second = version("2", "2");
    EXPECT_EQ(second.code, 0) << second.err;
    const std::string key = member(second.out, "key");
    EXPECT_EQ(semel({"fence", "seal", key.substr(1, key.size() - 2), member(second.out, "token"),
                     "--effect-id", "e"})
                  .code,
              0);
    const Ended stale = version("1", "1");
    EXPECT_EQ(stale.code, 6);
    EXPECT_EQ(member(stale.out, "decision"), R"("stale")");
}

TEST_F(Fences, ThatAreUncertainAreResolved) {
    const std::string token = own("k");
    EXPECT_EQ(semel({"fence", "uncertain", "k", token, "--reason", "no answer"}).code, 0);
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, 5);
    EXPECT_EQ(semel({"fence", "resolve", "k", "--outcome", "sealed", "--effect-id", "ch_9",
                     "--reason", "the bank has it"})
                  .code,
              0);
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, 6);
    EXPECT_EQ(semel({"fence", "delete", "k", "--reason", "a test"}).code, 0);
    own("k");
    EXPECT_EQ(semel({"fence", "delete", "nobody", "--reason", "a test"}).code, 4);
}

TEST_F(Fences, AreExplained) {
    const std::string token = own("k");
    semel({"fence", "seal", "k", token, "--effect-id", "ch_9"});
    const Ended story = semel({"explain", "k"});
    EXPECT_EQ(story.code, 0) << story.err;
    EXPECT_THAT(story.out,
                AllOf(HasSubstr("\nspace      fences\n"), HasSubstr("\nwinner     ch_9\n"),
                      HasSubstr("\nrule       first: nobody had the key\n"),
                      HasSubstr("\nduplicates 0\n"), HasSubstr("\nuntil      2")));
    EXPECT_THAT(semel({"decisions"}).out, AllOf(HasSubstr("fences"), HasSubstr("new")));
    const Ended nobody = semel({"explain", "nobody"});
    EXPECT_EQ(nobody.code, 4);
    EXPECT_THAT(nobody.err, AllOf(HasSubstr("schedules show"), HasSubstr("semel decisions")));
}

TEST_F(Fences, ThatAreNotSealedHaveAnOwner) {
    const std::string token = own("k");
    EXPECT_THAT(semel({"explain", "k"}).out, HasSubstr("\nwinner     the owner with the token " +
                                                       token + ", which has not sealed"));
    EXPECT_EQ(semel({"fence", "uncertain", "k", token}).code, 0);
    EXPECT_THAT(semel({"explain", "k"}).out,
                AllOf(HasSubstr(token + ", which could not tell whether it happened\n"),
                      HasSubstr("\nuntil      somebody resolves it\n")));
    EXPECT_EQ(semel({"fence", "delete", "k", "--reason", "a test"}).code, 0);
    EXPECT_THAT(semel({"explain", "k"}).out,
                AllOf(HasSubstr("\nwinner     nobody\n"), Not(HasSubstr("\nsince ")),
                      HasSubstr("  deleted  a test\n")));
}

// The line of it is written up to a second later.
TEST_F(Fences, WithTheSameContentUnderTwoKeysAreNearMisses) {
    own("near-1", {"--content", R"({"total":1234567})"});
    own("near-2", {"--content", R"({"total":1234567})"});
    const auto deadline = std::chrono::steady_clock::now() + kDeadline;
    std::string listed;
    do {
        listed = semel({"decisions"}).out;
    } while (listed.find("near_miss") == std::string::npos &&
             std::chrono::steady_clock::now() < deadline);
    EXPECT_THAT(listed, HasSubstr("  near-1  the same content came under near-2\n"));
    EXPECT_THAT(listed, Not(HasSubstr(R"(["near-)")));
    EXPECT_THAT(semel({"explain", "near-1"}).out,
                HasSubstr("same_content  the same content came under near-2\n"));
    EXPECT_THAT(semel({"explain", "near-2"}).out,
                HasSubstr("same_content  the same content came under near-1\n"));
}

// Who won, by which rule, how many duplicates since, until when: of actions and chains too.
TEST_F(Fences, AreNotAllThatIsExplained) {
    const std::string action = schedule({"t", "--payload", R"({"entityId":42})"});
    const Ended of_action = semel({"explain", "42"});
    EXPECT_THAT(
        of_action.out,
        AllOf(HasSubstr("\nspace      actions\n"), HasSubstr("\nwinner     " + action + "\n"),
              HasSubstr("\nrule       first: nobody had the key\n"),
              HasSubstr("\nwindow to  " + unquoted(this->action(action, "uniqueUntil")) + "\n"),
              HasSubstr("\nuntil      its owner is remembered no longer\n")));
    ASSERT_EQ(semel({"chains", "start", "ship", "--key", "order-1"}).code, 0);
    EXPECT_THAT(semel({"explain", "order-1", "--space", "chains"}).out,
                AllOf(HasSubstr("\nspace      chains\n"), HasSubstr("\nrule       key: no chain")));
}

TEST_F(Fences, RefuseArgumentsThatDoNotFit) {
    EXPECT_EQ(semel({"fence", "claim"}).code, 2) << "neither a key nor parts";
    EXPECT_EQ(semel({"fence", "claim", "k", "--action", "a"}).code, 2) << "both";
    EXPECT_EQ(semel({"fence", "claim", "k", "--content", "{"}).code, 2);
    EXPECT_EQ(semel({"fence", "claim", "k", "--lease", "soon"}).code, 2);
    EXPECT_EQ(semel({"fence", "claim", "k", "--version", "x"}).code, 2);
    EXPECT_EQ(semel({"fence", "claim", "k", "--ttl", "500ms"}).code, 2) << "no whole second";
    EXPECT_EQ(semel({"fence", "claim", "k", "--ttl", "1500ms"}).code, 2);
    EXPECT_EQ(semel({"fence", "claim", "k", "--run-window", "1h"}).code, 2) << "not of this class";
    EXPECT_EQ(semel({"fence", "seal", "k", "--effect-id", "e"}).code, 2) << "without a token";
    EXPECT_EQ(semel({"fence", "seal", "k", "1"}).code, 2);
    EXPECT_EQ(semel({"fence", "delete", "k"}).code, 2) << "without a reason";
}

class Check : public CliTest {};

// The file of the seed, but for its store.
constexpr const char* kPolicy = R"(require_headers:
  - Idempotency-Key
reject_on_body_mismatch: true
stores:
  fence: main
  ttl:
    webhook_days: 14
    api_hours: 48
    batch_days: 3
logging:
  include_fields:
    - idempotency_key
    - effect_id
on_conflict:
  status: 409
  include_diff: true
)";

TEST_F(Check, APolicyThatProtectsHasNoFindings) {
    write("p.yml", kPolicy);
    const Ended checked = run({"check", "p.yml", "--provider", "stripe", "--provider", "Svix"});
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("nothing found"));
    write("semel.yaml", "store: ./x.db\npolicy: p.yml\n");
    EXPECT_EQ(run({"check", "semel.yaml"}).code, 0);
}

// The server takes what the provider needs, where that is longer: for claims that name it.
TEST_F(Check, AWindowThatIsTooShortForAProviderIsAWarning) {
    write("p.yml", "stores: { ttl: { webhook_days: 1 } }\n");
    const Ended checked = run({"check", "p.yml", "--provider", "slack", "--provider", "stripe"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_THAT(checked.out, AllOf(StartsWith("warning  stores.ttl.webhook_days: `stripe`"),
                                   HasSubstr("remembered for 6d"), HasSubstr("for 1d only")));
    EXPECT_THAT(checked.out, Not(HasSubstr("slack")));
    EXPECT_THAT(run({"check", "p.yml", "--provider", "slack"}).out, HasSubstr("nothing found"));
    const Ended misspelt = run({"check", "p.yml", "--provider", "strippe"});
    EXPECT_EQ(misspelt.code, 2);
    EXPECT_THAT(misspelt.err, HasSubstr("did you mean `stripe`?"));
    const Ended as_json = run({"check", "p.yml", "--provider", "stripe", "--json"});
    EXPECT_THAT(as_json.out, HasSubstr(R"("severity":"warning")"));
}

class CheckedServer : public ServerTest {
protected:
    void SetUp() override {}
};

// What `semel check` says of a provider is what the server does.
TEST_F(CheckedServer, RemembersAProvidersEventsForAsLongAsCheckSays) {
    write("p.yml", "stores: { ttl: { webhook_days: 14 } }\n");
    write("semel.yaml", "policy: p.yml\n");
    const Ended checked = run({"check", "p.yml", "--provider", "adyen"});
    EXPECT_EQ(checked.code, 0) << "an error would mean that the server does not start";
    EXPECT_THAT(checked.out, AllOf(HasSubstr("remembered for 60d"), HasSubstr("for 14d only")));
    start_server({"--config", "semel.yaml"});
    const auto days_of = [&](const std::string& source_type) {
        const Ended claimed = semel({"fence", "claim", "--class", "webhook", "--source-type",
                                     source_type, "--source-id", "1", "--json"});
        const Ended sealed = semel({"fence", "seal", unquoted(member(claimed.out, "key")),
                                    member(claimed.out, "token"), "--effect-id", "e", "--json"});
        const auto at = [&](const char* name) {
            return parse_rfc3339(unquoted(member(sealed.out, name))).value_or(Time{});
        };
        return (at("expiresAt") - at("sealedAt")) / std::chrono::hours(24);
    };
    EXPECT_EQ(days_of("adyen"), 60);
    EXPECT_EQ(days_of("shop"), 14);
}

TEST_F(Check, WhatItCallsAnErrorIsRefusedByTheServerInTheSameWords) {
    const std::pair<const char*, const char*> policies[] = {
        {"stores: { ttl: { webhook_days: 0 } }\n",
         "stores.ttl.webhook_days: 0 is not a time that a key can be remembered for"},
        {"stores: { ttl: { batch_days: 9223372036854775807 } }\n",
         "stores.ttl.batch_days: 9223372036854775807 is not a time"},
        {"on_conflict: { status: 200 }\n",
         "on_conflict.status: clients do not take 200 for a conflict"},
        {"on_conflict: { mask: [card] }\n", "on_conflict.mask: `card` is no JSON pointer"},
        {"logging: { include_fields: [colour] }\n",
         "logging.include_fields: the line of a decision has no field `colour`"},
    };
    write("semel.yaml", "store: ./x.db\npolicy: p.yml\n");
    for (const auto& [policy, words] : policies) {
        write("p.yml", policy);
        for (const char* file : {"p.yml", "semel.yaml"}) {
            const Ended checked = run({"check", file});
            EXPECT_EQ(checked.code, 1) << policy << checked.err;
            EXPECT_THAT(checked.out, HasSubstr(words)) << file;
        }
        const Ended served = run({"serve", "--config", "semel.yaml", "--listen", "127.0.0.1:0"});
        EXPECT_EQ(served.code, 2) << policy;
        EXPECT_THAT(served.err, AllOf(HasSubstr("p.yml"), HasSubstr(words)));
    }
}

TEST_F(Check, WhatCannotBeUsedSaysWhere) {
    write("p.yml", "stores:\n  tll: {}\n");
    const Ended unknown = run({"check", "p.yml"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("p.yml:2:3"), HasSubstr("`stores.ttl`")));
    write("q.yml", "reject_on_body_mismatch: maybe\n");
    EXPECT_THAT(run({"check", "q.yml"}).err, HasSubstr("q.yml:1:26"));
    write("r.yml", "stores: [\n");
    EXPECT_EQ(run({"check", "r.yml"}).code, 2);
    EXPECT_EQ(run({"check", "nothing.yml"}).code, 2);
    write("s.yml", " ,a");  // documents without end, to the parser
    write("semel.yaml", "policy: s.yml\n");
    const Ended endless = run({"check", "semel.yaml"});
    EXPECT_EQ(endless.code, 2);
    EXPECT_THAT(endless.err, HasSubstr("a second document"));
    EXPECT_EQ(run({"check"}).code, 2);
}

}  // namespace
}  // namespace semel::cli
