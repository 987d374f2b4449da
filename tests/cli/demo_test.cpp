// semel demo: the steps it shows, and what it leaves behind.
#include <csignal>

#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;

class Demo : public CliTest {
protected:
    Demo() { std::filesystem::create_directory(temporary()); }

    [[nodiscard]] std::string temporary() const { return path("tmp"); }
    [[nodiscard]] bool is_temporary_empty() const { return std::filesystem::is_empty(temporary()); }
};

// The lines that matter, in their order.
const char* const kShown[] = {
    "1. One payment, sent twice\n",
    "    201 Created\n    Semel-Claim: ",
    R"(    {"charge":"ch_1","paid":{"amount":12}})",
    "    201 Created\n    Idempotent-Replayed: true\n",
    R"(    {"charge":"ch_1","paid":{"amount":12}})",
    "  The service's book for order-17: requests 1, charges 1.\n",
    "  $ semel explain order-17 --url http://127.0.0.1:",
    "2. The gateway dies during a payment\n",
    "  The service has charged, and has not answered yet.\n",
    "  $ kill -9 ",
    "  The gateway starts again on the same store.",
    "    409 Conflict\n    Semel-Claim: ",
    R"("code":"uncertain")",
    "  $ semel claims list --url http://127.0.0.1:",
    "  key.",
    "  order-18  uncertain\n",
    "  $ semel claims resolve ",
    " --outcome released --reason 'the service charges once per key' --url http://127.0.0.1:",
    "    201 Created\n    Semel-Claim: ",
    R"(    {"charge":"ch_2","paid":{"amount":12}})",
    "  The service's book for order-18: requests 2, charges 1.\n",
    "\nShown: 2 payments, 5 requests, 1 gateway killed: each payment was charged once.\n",
};

TEST_F(Demo, ChargesEachPaymentOnceAndLeavesNothingBehind) {
    const Ended ended = run({"demo"}, {{"TMPDIR", temporary()}});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    std::size_t at = 0;
    for (const std::string line : kShown) {
        const std::size_t found = ended.out.find(line, at);
        ASSERT_NE(found, std::string::npos) << "no `" << line << "` in\n" << ended.out.substr(at);
        at = found + line.size();
    }
    EXPECT_TRUE(is_temporary_empty());
}

TEST_F(Demo, SettingsOfARealServerAreNotUsed) {
    const Ended ended = run({"demo"}, {{"TMPDIR", temporary()},
                                       {"SEMEL_STORE", "postgres://nowhere.invalid/x"},
                                       {"SEMEL_CONFIG", path("none.yaml")}});
    EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(Demo, ASignalEndsItWithItsNumberAndTheFolderIsDeleted) {
    Program demo({"demo"}, folder_, {{"TMPDIR", temporary()}});
    ASSERT_TRUE(demo.out_shows("  service  "));
    demo.signal(SIGTERM);
    const Ended ended = demo.wait();
    EXPECT_EQ(ended.code, 128 + SIGTERM);
    EXPECT_THAT(ended.err, HasSubstr("stopped; the temporary folder is deleted"));
    EXPECT_TRUE(is_temporary_empty());
}

TEST_F(Demo, WithoutATemporaryFolderItSaysWhichIsMissing) {
    const Ended ended = run({"demo"}, {{"TMPDIR", path("none")}});
    EXPECT_EQ(ended.code, 3);
    EXPECT_THAT(ended.err, HasSubstr("TMPDIR cannot be used: "));
}

}  // namespace
}  // namespace semel::cli
