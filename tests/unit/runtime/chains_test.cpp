// Chains through the library.
#include "unit/runtime/own_tables.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class LibraryChains : public OwnTables {};

TEST_F(LibraryChains, AStartIsDeduplicatedByItsKey) {
    engine->start();
    ChainSpec chain{.type = "a", .input = "1", .deduplication = ChainKey{.key = "k"}};
    const auto first = engine->chains().start(chain).value();
    ASSERT_TRUE(first) << first.problem->detail;
    EXPECT_FALSE(first.deduplicated);
    chain.input = "2";
    const auto second = engine->chains().start(chain).value();
    EXPECT_TRUE(second.deduplicated);
    EXPECT_TRUE(second.input_differs);
    EXPECT_EQ(second.id, first.id);
    chain.deduplication->exclude = {first.id};
    EXPECT_NE(engine->chains().start(chain).value().id, first.id);
}

TEST_F(LibraryChains, EverySettingArrives) {
    engine->start();
    const ChainAnswer blocker = engine->chains().start({.type = "b"}).value();
    const ChainAnswer chain = engine->chains()
                                  .start({.type = "a",
                                          .input = R"({"n":1})",
                                          .delay = 1h,
                                          .blockers = {blocker.id, ChainSpec{.type = "c"}},
                                          .on_blocker_failed = OnBlockerFailed::wait,
                                          .lock_group = "g",
                                          .max_retries = 3,
                                          .backoff = R"({"kind":"fixed","delayMs":5})",
                                          .timeout = 2min,
                                          .priority = 7,
                                          .tenant = "default"})
                                  .value();
    ASSERT_TRUE(chain) << chain.problem->detail;
    const auto info = engine->chains().get(chain.id).value();
    ASSERT_TRUE(info.has_value());
    EXPECT_EQ(info->type, "a");
    EXPECT_EQ(info->input, R"({"n":1})");
    EXPECT_EQ(info->status, Status::blocked);
    EXPECT_EQ(engine->chains().get(blocker.id, "acme").value(), std::nullopt);
}

TEST_F(LibraryChains, WhatIsWrongWithAStartIsSaid) {
    engine->start();
    const std::vector<std::pair<ChainSpec, std::string>> cases = {
        {{.type = ""}, "/type"},
        {{.type = "a", .input = "{"}, "/input"},
        {{.type = "a", .blockers = {ChainSpec{.type = "b", .input = "{"}}}, "/blockers/0/input"},
        {{.type = "a", .deduplication = ChainKey{.key = ""}}, "/deduplication/key"},
        {{.type = "a", .backoff = "{"}, "/backoff"},
        {{.type = "a", .tenant = ""}, "/tenant"},
        {{.type = "a", .deduplication = ChainKey{.key = "k", .scope = Scope::pending}},
         "/deduplication/scope"},
    };
    for (const auto& [chain, pointer] : cases) {
        const auto answer = engine->chains().start(chain);
        ASSERT_TRUE(answer.has_value()) << pointer;
        ASSERT_TRUE(answer->problem.has_value()) << pointer;
        EXPECT_EQ(answer->problem->pointer, pointer) << answer->problem->detail;
    }
    EXPECT_FALSE(engine->chains().start_all({{.type = "a"}, {.type = "a", .tenant = "b"}}));
}

TEST_F(LibraryChains, AJobIsCompletedWithoutAWorker) {
    engine->start();
    const Uuid id = engine->chains().start({.type = "a"}).value().id;
    const auto complete = [&](int index, const HandlerResult& result) {
        return engine->chains().complete(id, index, result).value();
    };
    EXPECT_TRUE(complete(0, failed("no")).has_value());
    EXPECT_TRUE(complete(0, done("{")).has_value());
    EXPECT_TRUE(complete(0, continue_with("b", "{")).has_value());
    EXPECT_EQ(complete(0, continue_with("b")), std::nullopt);
    EXPECT_TRUE(complete(0, done("1")).has_value()) << "it went on already";
    EXPECT_EQ(complete(1, done("2")), std::nullopt);
    const auto ended = engine->chains().wait(id, 60s).value();
    ASSERT_TRUE(ended.has_value());
    EXPECT_EQ(ended->status, Status::completed);
    EXPECT_EQ(ended->output, "2");
}

TEST_F(LibraryChains, AWaitEndsWithItsPatience) {
    engine->start();
    const Uuid id = engine->chains().start({.type = "a"}).value().id;
    EXPECT_EQ(engine->chains().wait(id, 1ms).value()->status, Status::pending);
    EXPECT_EQ(engine->chains().wait(Uuid{}, 1ms).value(), std::nullopt);
    EXPECT_EQ(engine->chains().cancel(id).value(), std::nullopt);
    EXPECT_EQ(engine->chains().wait(id, 60s).value()->status, Status::cancelled);
}

}  // namespace
}  // namespace semel::test
