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

TEST_F(ExitCodes, OfWhatIsWrongBeforeAnybodyIsAsked) {
    std::filesystem::create_directory(path("folder"));
    write("junk.db", std::string(8192, 'x'));
    write("cert.yaml", "tls: { cert: none.pem, key: file:none.key }\n");
    write("hosts.yaml", "hosts: [a.example.com, 'http://b.example.com']\n");
    const std::string nowhere = "http://127.0.0.1:1";
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
        {2, {"actions", "list", "--tenant", "a\nb", "--url", nowhere}, "cannot be sent"},
        {2, {"actions", "list", "--token", "a\nb", "--url", nowhere}, "cannot be sent"},
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
         {"actions", "list", "--store", "x.db", "--url", nowhere},
         "--url is for a server, and --store asks none"},
        // 3: nobody there, or no store
        {3, {"actions", "list"}, "no answer from http://127.0.0.1:1", {{"SEMEL_URL", nowhere}}},
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

class ExitCodesOfAnswers : public ServerTest {};

TEST_F(ExitCodesOfAnswers, SayWhatTheAnswerWas) {
    const std::string nobody = "0198c5a0-0000-7000-8000-000000000000";
    const std::string id = schedule({"t", "--key", "k", "--scope", "any"});
    const Row rows[] = {
        {0, {"actions", "show", id}, ""},
        {0, {"schedule", "t", "--key", "k", "--scope", "any"}, ""},  // a duplicate is done
        {1, {"schedule", "t", "--scope", "some"}, "invalid: "},
        {1, {"token", "create", "--name", "n", "--scopes", "read"}, "invalid: "},
        {3, {"actions", "list", "--store", "semel.db"}, "is in use by process"},
        {4, {"actions", "show", nobody}, "not_found: "},
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

}  // namespace
}  // namespace semel::cli
