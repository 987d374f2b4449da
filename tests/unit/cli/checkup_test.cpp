#include "cli/doctor/checkup.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "cli/byte_progress.hpp"
#include "cli/doctor/clock_words.hpp"
#include "cli/doctor/machine_checks.hpp"
#include "cli/doctor/store_checks.hpp"

namespace semel::cli {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

Verdict disk(std::uint64_t free_bytes, std::uint64_t store_bytes) {
    Checkup checkup;
    judge_disk(checkup, free_bytes, store_bytes);
    return checkup.findings().at(0).verdict;
}

Verdict exposure(const std::string& listen, bool has_tls, std::int64_t tokens) {
    Config config;
    config.listen = *ListenAddress::parse(listen);
    config.tls_cert = has_tls ? "cert" : "";
    Checkup checkup;
    check_exposure(checkup, config, tokens);
    return checkup.findings().at(0).verdict;
}

Finding clock(Millis ahead) {
    Checkup checkup;
    warn_of_clock(checkup, ahead);
    return checkup.findings().at(0);
}

TEST(Clock, WhoIsAheadIsSaidAndWhatToDo) {
    using namespace std::chrono_literals;
    EXPECT_EQ(clock(90s).detail, "the wall clock is 90 s ahead of store time");
    const Finding behind = clock(-7'199'606ms);
    EXPECT_EQ(behind.detail, "store time is 7199 s ahead of the wall clock");
    EXPECT_NE(behind.advice.find("until they meet, in 19 hours"), std::string::npos);
    const Finding far = clock(-24h * 365 * 13);
    EXPECT_EQ(far.detail, "store time is 4745 days ahead of the wall clock");
    EXPECT_EQ(far.advice.find("until they meet"), std::string::npos) << "after 130 years";
    EXPECT_NE(far.advice.find("restore a backup from before"), std::string::npos);
}

TEST(Checkup, OnlyWhatIsBadMakesItFail) {
    Checkup checkup;
    checkup.good("disk", "12 GiB free");
    checkup.warn("clock", "off", "look");
    EXPECT_FALSE(checkup.has_bad());
    checkup.bad("store", "none\x1b", "make one");
    EXPECT_TRUE(checkup.has_bad());
    std::ostringstream out;
    Console console(out, out, false);
    checkup.print(console);
    EXPECT_EQ(out.str(),
              "✓ disk         12 GiB free\n"
              "! clock        off\n"
              "               → look\n"
              "✗ store        none\\x1b\n"
              "               → make one\n");
    EXPECT_EQ(checkup.to_json(),
              R"({"healthy":false,"checks":[{"check":"disk","verdict":"good",)"
              R"("detail":"12 GiB free"},{"check":"clock","verdict":"warning","detail":"off",)"
              R"("advice":"look"},{"check":"store","verdict":"bad","detail":"none\u001b",)"
              R"("advice":"make one"}]})");
}

TEST(Checkup, ADiskIsJudgedByWhatABackupNeeds) {
    EXPECT_EQ(disk(100 * kMiB, 1), Verdict::bad);
    EXPECT_EQ(disk(200 * kMiB, 300 * kMiB), Verdict::warning);
    EXPECT_EQ(disk(300 * kMiB, 300 * kMiB), Verdict::good);
}

TEST(Checkup, FewDescriptorsAreAWarning) {
    for (const auto& [limit, verdict] : std::vector<std::pair<std::uint64_t, Verdict>>{
             {1024, Verdict::warning}, {65'536, Verdict::good}, {~0ULL, Verdict::good}}) {
        Checkup checkup;
        judge_descriptors(checkup, limit);
        EXPECT_EQ(checkup.findings().at(0).verdict, verdict) << limit;
    }
}

TEST(Checkup, AnAddressThatOthersReachNeedsTokensAndShouldHaveTls) {
    EXPECT_EQ(exposure("127.0.0.1:7363", false, 0), Verdict::good);
    EXPECT_EQ(exposure("0.0.0.0:7363", true, 0), Verdict::bad);
    EXPECT_EQ(exposure("0.0.0.0:7363", false, 1), Verdict::warning);
    EXPECT_EQ(exposure("0.0.0.0:7363", true, 1), Verdict::good);
}

TEST(ByteProgress, SizesAreShort) {
    EXPECT_EQ(describe_bytes(0), "0 B");
    EXPECT_EQ(describe_bytes(1023), "1023 B");
    EXPECT_EQ(describe_bytes(1536), "1.5 KiB");
    EXPECT_EQ(describe_bytes(412 * kMiB), "412 MiB");
    EXPECT_EQ(describe_bytes(1000 * kMiB), "1.0 GiB");
    EXPECT_EQ(describe_bytes(~0ULL), "16777216 TiB");
}

TEST(ByteProgress, SaysNothingWhereThereIsNoTerminal) {
    std::ostringstream out;
    {
        ByteProgress progress(out, false);
        progress.say("a");
        progress.moved(1, 2);
    }
    EXPECT_EQ(out.str(), "");
    {
        ByteProgress progress(out, true);
        progress.moved(1024, 2048);
    }
    EXPECT_EQ(out.str(), "\r\x1b[K1.0 KiB of 2.0 KiB\r\x1b[K");
}

}  // namespace
}  // namespace semel::cli
