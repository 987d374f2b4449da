// --store: the same commands without a server.
#include "cli/program.hpp"

namespace semel::cli {
namespace {

class DirectStore : public ServerTest {
protected:
    void SetUp() override {}
    Ended here(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--store", "semel.db"});
        return run(arguments);
    }
};

TEST_F(DirectStore, CommandsWorkWithoutAServer) {
    const Ended made = here({"schedule", "t", "--payload", "{\"entityId\":1}"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out.find("new  "), 0U) << made.out;
    EXPECT_EQ(made.err, "");
    const std::string id = made.out.substr(5, 36);
    EXPECT_NE(here({"actions", "list"}).out.find(id), std::string::npos);
    EXPECT_EQ(here({"why", id}).out.find("It is not running because no worker"), 0U);
    const Ended worked = here({"work", "--type", "t", "--exec", "cat", "--once"});
    EXPECT_EQ(worked.code, 0) << worked.err;
    EXPECT_NE(here({"actions", "show", id}).out.find("status       completed"), std::string::npos);
}

TEST_F(DirectStore, ItAsksForNoTokenSinceTheFileIsOpenToItsOwner) {
    for (const char* name : {"one", "two"}) {
        ASSERT_EQ(here({"token", "create", "--name", name, "--scopes", "admin"}).code, 0);
    }
    const Ended listed = here({"token", "list"});
    EXPECT_EQ(std::count(listed.out.begin(), listed.out.end(), '\n'), 3) << listed.out;
    EXPECT_EQ(here({"schedule", "t"}).code, 0);
    start_server();
    EXPECT_EQ(semel({"schedule", "t"}).code, 1);
}

TEST_F(DirectStore, AStoreThatAServerHasIsRefused) {
    start_server();
    const Ended ended = here({"actions", "list"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_EQ(ended.err.find("semel: semel.db is in use by process "), 0U) << ended.err;
}

}  // namespace
}  // namespace semel::cli
