// The table of exit codes in docs/reference/cli.md, row by row.
#include "cli/program.hpp"

namespace semel::cli {
namespace {

struct Row {
    int code;
    std::vector<std::string> arguments;
    const char* said;  // on the standard error
    Environment environment = {};
};

using ExitCodes = CliTest;
using Arguments = std::vector<std::string>;

const std::string kNoServer = "0198c5a0-0000-7000-8000-000000000000";
const std::string kNowhere = "http://127.0.0.1:1";

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

// Every command that asks for something by its name or id: there is none such.
std::vector<Arguments> commands_about_one_thing() {
    return {{"actions", "show", kNoServer},
            {"actions", "run", kNoServer},
            {"actions", "retry", kNoServer},
            {"actions", "cancel", kNoServer},
            {"why", kNoServer},
            {"chains", "show", kNoServer},
            {"chains", "jobs", kNoServer},
            {"chains", "wait", kNoServer},
            {"chains", "cancel", kNoServer},
            {"chains", "delete", kNoServer},
            {"chains", "complete", kNoServer, "--index", "0", "--output", "1"},
            {"schedules", "show", "none"},
            {"schedules", "pause", "none"},
            {"schedules", "resume", "none"},
            {"schedules", "trigger", "none"},
            {"schedules", "delete", "none"},
            {"fence", "get", "none"},
            {"fence", "seal", "none", "1", "--effect-id", "e"},
            {"fence", "heartbeat", "none", "1"},
            {"fence", "release", "none", "1"},
            {"fence", "uncertain", "none", "1"},
            {"fence", "resolve", "none", "--outcome", "released", "--reason", "r"},
            {"fence", "delete", "none", "--reason", "r"},
            {"explain", "none"},
            {"token", "delete", kNoServer}};
}

// The others that ask a server; none of them makes a store.
std::vector<Arguments> commands_about_many() {
    return {{"actions", "list"},   {"actions", "tail"},     {"chains", "list"},
            {"schedules", "list"}, {"fence", "claim", "k"}, {"fence", "key"},
            {"decisions"},         {"token", "list"},       {"backup", "b.db"}};
}

// Those that make a store where none is.
std::vector<Arguments> commands_that_begin() {
    return {{"schedule", "t"},
            {"chains", "start", "t"},
            {"schedules", "put", "s", "--type", "t", "--every", "daily"},
            {"token", "create", "--name", "n", "--scopes", "admin"}};
}

std::vector<Arguments> commands_that_ask() {
    std::vector<Arguments> all = commands_about_one_thing();
    for (const auto& some : {commands_about_many(), commands_that_begin()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

// One of the same kind is the same code, whichever command it happens to.
TEST_F(ExitCodes, AreTheSameForEveryCommand) {
    std::vector<Arguments> all = commands_that_ask();
    for (const Arguments& arguments : all) {
        EXPECT_EQ(run(with(arguments, {"--url", kNowhere})).code, 3)
            << testing::PrintToString(arguments);
    }
    const Arguments others[] = {{"serve"},      {"work", "--type", "t", "--exec", "true"},
                                {"bench"},      {"restore", "f", "--store", "s.db"},
                                {"migrate"},    {"doctor"},
                                {"check", "f"}, {"fence", "verify", "f", "--key", "k"},
                                {"version"},    {"completion", "bash"}};
    all.insert(all.end(), std::begin(others), std::end(others));
    for (const Arguments& arguments : all) {
        const Ended unknown = run(with(arguments, {"--no-such-option"}));
        EXPECT_EQ(unknown.code, 2) << testing::PrintToString(arguments);
        EXPECT_NE(unknown.err.find("`--no-such-option` is not an argument of semel "),
                  std::string::npos)
            << unknown.err;
        EXPECT_EQ(unknown.out, "");
    }
}

TEST_F(ExitCodes, AStoreThatIsNotThereIsTheSameForEveryCommand) {
    std::vector<Arguments> all = commands_about_one_thing();
    for (const Arguments& arguments : commands_about_many()) all.push_back(arguments);
    all.push_back({"work", "--type", "t", "--exec", "true"});
    all.push_back({"migrate"});
    for (const Arguments& arguments : all) {
        const Ended ended = run(with(arguments, {"--store", "none.db"}));
        EXPECT_EQ(ended.code, 3) << testing::PrintToString(arguments);
        EXPECT_NE(ended.err.find("there is no store none.db"), std::string::npos) << ended.err;
    }
    EXPECT_FALSE(std::filesystem::exists(path("none.db")));
}

// A file that says how to go about it is part of the arguments; one that a command is about may be
// not found.
TEST_F(ExitCodes, OfFilesThatAreNotThere) {
    write("receipt.json", "{}");
    const std::string key(43, 'A');
    const Row rows[] = {
        {2, {"serve", "--config", "none"}, "cannot read none"},
        {2, {"migrate", "--config", "none"}, "cannot read none"},
        {2, {"check", "none"}, "cannot read none"},
        {2, {"check", "."}, "cannot read ."},
        {2, {"fence", "verify", "receipt.json", "--key", "none"}, "--key: cannot read none"},
        {2, {"schedule", "t", "--payload", "@none"}, "cannot read none"},
        {2, {"fence", "claim", "k", "--content", "@none"}, "cannot read none"},
        {2, {"fence", "seal", "k", "1", "--effect-id", "e", "--receipt", "@none"}, "cannot read"},
        {2, {"chains", "start", "t", "--input", "@none"}, "cannot read none"},
        {4, {"fence", "verify", "none", "--key", key}, "cannot read none"},
        {4, {"restore", "none", "--store", "s.db"}, "cannot read none"},
    };
    for (const Row& row : rows) {
        const Ended ended = run(row.arguments);
        EXPECT_EQ(ended.code, row.code) << testing::PrintToString(row.arguments) << ended.err;
        EXPECT_NE(ended.err.find(row.said), std::string::npos) << ended.err;
    }
}

TEST_F(ExitCodes, OfWhatIsWrongBeforeAnybodyIsAsked) {
    std::filesystem::create_directory(path("folder"));
    write("junk.db", std::string(8192, 'x'));
    write("cert.yaml", "tls: { cert: none.pem, key: file:none.key }\n");
    write("hosts.yaml", "hosts: [a.example.com, 'http://b.example.com']\n");
    const Row rows[] = {
        // 2: arguments and configuration
        {2, {"serve", "--store", "folder"}, "cannot open folder: it is not a file"},
        {2, {"actions", "list", "--store", "folder"}, "cannot open folder: it is not a file"},
        {2, {"serve", "--config", "cert.yaml", "--listen", "127.0.0.1:0"}, "none.pem"},
        {2, {"serve", "--config", "none.yaml"}, "cannot read none.yaml"},
        {2, {"serve", "--config", "hosts.yaml"}, "hosts.yaml:1:8: `hosts`: a host is a name"},
        {2, {"serve"}, "`hosts`: a host is a name", {{"SEMEL_HOSTS", "a.example.com, b"}}},
        {2, {"serve", "--store", "file:x?mode=memory"}, "not a URI: write `x?mode=memory`"},
        {2, {"actions", "list", "--store", "file:x"}, "not a URI: write `x`"},
        {2, {"serve", "--listen", "192.0.2.1:0", "--store", "folder/a.db"}, "needs an API token"},
        {2,
         {"actions", "list"},
         "the environment has no variable NOPE",
         {{"SEMEL_TOKEN", "env:NOPE"}}},
        {2, {"actions", "list", "--tenant", "a\nb", "--url", kNowhere}, "cannot be sent"},
        {2, {"actions", "list", "--token", "a\nb", "--url", kNowhere}, "cannot be sent"},
        {2, {"actions", "list", "--token", "file:none"}, "the API token: cannot read none"},
        {2, {"work", "--type", "t", "--exec", "true", "--token", "env:NOPE"}, "no variable NOPE"},
        {2, {"actions", "list", "--ca", "none.pem"}, "--ca: cannot read none.pem"},
        {2, {"actions", "list", "--url", "http://127.0.0.1:1/v1"}, "without a path"},
        {2, {"actions", "list", "--url", ""}, "--url is empty"},
        {2, {"actions", "list", "--store", ""}, "--store is empty"},
        {2, {"serve", "--listen", ""}, "--listen is empty"},
        {2, {"serve", "--store="}, "--store: 1 required PATH missing"},
        {2, {"schedule", "t", "--payload", ""}, "--payload is empty"},
        {2, {"schedule", ""}, "TYPE is empty"},
        {2, {"actions", "list", "--limit", "0"}, "--limit: it must be a whole number from 1 to "},
        {2,
         {"actions", "list", "--limit", "some"},
         "--limit: it must be a whole number from 1 to "},
        {2, {"actions", "list", "--limit", "5", "--all"}, "excludes"},
        {2, {"schedule", "t", "--key", "k", "--no-dedup"}, "excludes"},
        {2, {"schedule", "t", "--window", "5s", "--no-dedup"}, "excludes"},
        {2, {"schedule", "t", "--key-field", "/a", "--no-dedup"}, "excludes"},
        {2,
         {"actions", "list", "--store", "x.db", "--url", kNowhere},
         "--url is for a server, and --store asks none"},
        // 3: nobody there, or no store
        {3, {"actions", "list"}, "no answer from http://127.0.0.1:1", {{"SEMEL_URL", kNowhere}}},
        {3, {"serve", "--store", "no/such/folder/semel.db"}, "there is no folder"},
        {3, {"serve", "--store", "junk.db"}, "the file is no SQLite database"},
    };
    for (const Row& row : rows) {
        const Ended ended = run(row.arguments, row.environment);
        EXPECT_EQ(ended.code, row.code) << testing::PrintToString(row.arguments) << ended.err;
        EXPECT_NE(ended.err.find(row.said), std::string::npos)
            << "expected " << row.said << "\nfound " << ended.err;
        EXPECT_EQ(ended.out, "");
    }
    EXPECT_FALSE(std::filesystem::exists(path("x")));
    EXPECT_FALSE(std::filesystem::exists(path("file:x")));
}

// Nobody need be asked to know it: there is no server here.
TEST_F(ExitCodes, OfKeysThatAreMissingOrContradict) {
    const Row rows[] = {
        {2, {"fence", "claim"}, "give a KEY, or parts of one"},
        {2, {"fence", "claim", "--content", "1"}, "give a KEY, or parts of one"},
        {2, {"fence", "claim", "k", "--source-type", "doc"}, "not both"},
        {2, {"fence", "claim", "k", "--version", "1"}, "--version needs --source-type"},
        {2,
         {"fence", "claim", "--source-type", "doc", "--version", "1"},
         "--version needs --source-type and --source-id"},
        {2,
         {"fence", "claim", "k", "--content", "1", "--fingerprint", "f"},
         "--content excludes --fingerprint"},
        {2, {"explain"}, "give a KEY, or --claim-id"},
        {2, {"explain", "k", "--claim-id", "c"}, "give a KEY, or --claim-id"},
        {2, {"explain", "k", "--space", "fence"}, "did you mean `fences`?"},
        {2, {"explain", "k", "--space", "somewhere"}, "actions, chains, fences or api"},
    };
    for (const Row& row : rows) {
        const Ended ended = run(with(row.arguments, {"--url", kNowhere}));
        EXPECT_EQ(ended.code, row.code) << testing::PrintToString(row.arguments) << ended.err;
        EXPECT_NE(ended.err.find(row.said), std::string::npos) << ended.err;
    }
}

class ExitCodesOfAnswers : public ServerTest {};

TEST_F(ExitCodesOfAnswers, SayWhatTheAnswerWas) {
    const std::string id = schedule({"t", "--key", "k", "--scope", "any"});
    const Row rows[] = {
        {0, {"actions", "show", id}, ""},
        {0, {"schedule", "t", "--key", "k", "--scope", "any"}, ""},  // a duplicate is done
        {3, {"actions", "list", "--store", "semel.db"}, "is in use by process"},
        {5, {"actions", "retry", id}, "wrong_state: "},
    };
    for (const Row& row : rows) {
        std::vector<std::string> arguments = row.arguments;
        if (std::find(arguments.begin(), arguments.end(), "--store") == arguments.end()) {
            arguments.insert(arguments.end(), {"--url", url_});
        }
        const Ended ended = run(arguments, row.environment);
        EXPECT_EQ(ended.code, row.code) << testing::PrintToString(arguments) << ended.err;
        EXPECT_NE(ended.err.find(row.said), std::string::npos) << ended.err;
    }
}

// Whether this program sees that an argument is wrong or the server does is nobody's business.
TEST_F(ExitCodesOfAnswers, ArgumentsAreWrongWhoeverFindsIt) {
    const std::string id = schedule({"t"});
    const std::string long_name(300, 'k');
    const Arguments wrong[] = {
        {"schedule", "t", "--scope", "some"},
        {"schedule", "t", "--lock-group", long_name},
        {"actions", "list", "--status", "odd"},
        {"chains", "list", "--status", "odd"},
        {"chains", "start", "a", "--on-blocker-failed", "odd"},
        {"chains", "complete", id, "--index", "0", "--continue-with", "{}"},
        {"schedules", "put", "s", "--type", "t", "--every", "P1M"},
        {"schedules", "show", "a\tb"},
        {"fence", "claim", "k", "--class", "cron"},
        {"fence", "claim", "k", "--run-window", "1h"},
        {"fence", "claim", "k", "--lease", "1ms"},
        {"fence", "claim", "k", "--wait", "2h"},
        {"fence", "claim", long_name},
        {"fence", "get", long_name},
        {"fence", "get", std::string(9000, 'k')},  // more than a request's head may have
        {"fence", "heartbeat", "k", "1", "--lease", "1ms"},
        {"fence", "resolve", "k", "--outcome", "odd", "--reason", "r"},
        {"explain", "--claim-id", "abc"},
        {"token", "create", "--name", "n", "--scopes", "odd"},
        {"token", "create", "--name", "n", "--scopes", "read"},
        {"work", "--type", "a\tb", "--exec", "true"},
    };
    for (const Arguments& arguments : wrong) {
        const Ended ended = semel(arguments);
        EXPECT_EQ(ended.code, 2) << testing::PrintToString(arguments) << ended.err;
        EXPECT_NE(ended.err, "");
    }
}

TEST_F(ExitCodesOfAnswers, WhatIsNotThereIsTheSameForEveryCommand) {
    for (const Arguments& arguments : commands_about_one_thing()) {
        const Ended ended = semel(arguments);
        EXPECT_EQ(ended.code, 4) << testing::PrintToString(arguments) << ended.err;
        EXPECT_EQ(ended.out, "");
    }
}

TEST_F(ExitCodesOfAnswers, ARefusalIsTheSameForEveryCommand) {
    ASSERT_EQ(semel({"token", "create", "--name", "ops", "--scopes", "admin"}).code, 0);
    std::vector<Arguments> all = commands_that_ask();
    all.push_back({"work", "--type", "t", "--exec", "true"});
    for (const Arguments& arguments : all) {
        const Ended ended = semel(arguments);
        EXPECT_EQ(ended.code, 1) << testing::PrintToString(arguments) << ended.err;
        EXPECT_NE(ended.err.find("unauthorized: "), std::string::npos) << ended.err;
    }
}

}  // namespace
}  // namespace semel::cli
