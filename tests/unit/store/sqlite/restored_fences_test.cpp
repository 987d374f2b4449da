// What becomes of fences that were held when a backup was made, or taken after it.
#include <fstream>
#include <future>

#include "store/sqlite/store_restore.hpp"
#include "support/fence_calls.hpp"
#include "support/pass_calls.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

constexpr const char* kLongLease = R"({"key":"k","leaseMs":86400000})";

// A store in the words of FenceCalls.
struct StoreTable {
    explicit StoreTable(std::unique_ptr<Store> opened) : store(std::move(opened)), driver(*store) {}

    template <typename Command>
    Reply<Command> run(Command command) {
        auto [reply] = driver.run(std::move(command));
        return std::move(reply);
    }
    const Settings& command_settings() { return settings; }

    std::unique_ptr<Store> store;
    StoreDriver driver;
    Settings settings;
};

struct FenceStore : FenceCalls<StoreTable> {
    explicit FenceStore(std::unique_ptr<Store> opened)
        : FenceCalls{StoreTable(std::move(opened))} {}
};

class RestoredFences : public SqliteTest {
protected:
    void back_up(Store& store) const {
        std::promise<Result<OpenFile>> promise;
        store.copy([] { return true; },
                   [&](Result<OpenFile> copied) { promise.set_value(std::move(copied)); });
        const auto copied = promise.get_future().get();
        ASSERT_TRUE(copied.has_value()) << copied.error().message();
        std::ofstream(backup, std::ios::binary) << copied->read(0, copied->size()).value();
    }
    void restore() const {
        const Time now = std::chrono::floor<Millis>(std::chrono::system_clock::now());
        const auto restored = sqlite::restore_store(
            {.file = backup, .path = options.path, .replaces = true, .wall_clock = now});
        ASSERT_TRUE(restored.has_value()) << restored.error().message();
    }
    template <typename Reply>
    static std::optional<ProblemCode> code_of(const Reply& reply) {
        const auto* problem = std::get_if<Problem>(&reply);
        return problem == nullptr ? std::nullopt : std::optional(problem->code);
    }

    const std::string backup = folder.file("backup.db");
};

TEST_F(RestoredFences, ASentRequestIsUncertainUnderBothItsClaims) {
    PassAnswer pass;
    {
        PassCalls<StoreTable> before(open());
        pass = before.send({.key = "k", .guard = "hello"});
        back_up(*before.store);
    }
    restore();
    PassCalls<StoreTable> after(open());
    EXPECT_TRUE(after.settle(pass, PassEnd::seal).is_key_stale);
    EXPECT_TRUE(after.settle(pass, PassEnd::seal).is_guard_stale);
    EXPECT_EQ(code_of(after.try_admit({.key = "k"})), ProblemCode::uncertain);
    EXPECT_EQ(code_of(after.try_admit({.guard = "hello"})), ProblemCode::uncertain);
    after.resolve(*pass.key, ClaimOutcome::released);
    EXPECT_EQ(after.admit({.key = "k", .guard = "hello"}).decision, Decision::new_)
        << "they are still twins";
}

TEST_F(RestoredFences, AnOwnerFromBeforeIsLateWhateverItsLease) {
    Claim owned;
    {
        FenceStore before(open());
        owned = before.own(kLongLease);
        back_up(*before.store);
        done(before.seal(owned, "happened"));
    }
    restore();
    FenceStore after(open());
    for (const FenceVerb verb :
         {FenceVerb::seal, FenceVerb::heartbeat, FenceVerb::release, FenceVerb::uncertain}) {
        EXPECT_EQ(code_of(after.call(verb, owned, "happened")), ProblemCode::stale_token);
    }
    const FenceAnswer next = after.claim(kLongLease);
    EXPECT_EQ(next.decision, Decision::new_) << "it is taken over at once";
    EXPECT_TRUE(next.takeover) << "whoever comes next has to look";
    EXPECT_GT(next.claim->token, owned.token);
    EXPECT_EQ(code_of(after.seal(owned)), ProblemCode::stale_token);
    done(after.seal(*next.claim));
}

TEST_F(RestoredFences, ATokenFromAfterTheBackupIsNotHadAgain) {
    std::vector<Claim> later;
    {
        FenceStore before(open());
        before.release(before.own(R"({"key":"released"})"));
        back_up(*before.store);
        for (const char* key : {R"({"key":"released"})", R"({"key":"unknown"})"}) {
            later.push_back(before.own(key));
        }
    }
    restore();
    FenceStore after(open());
    EXPECT_EQ(code_of(after.seal(later.at(0))), ProblemCode::stale_token);
    EXPECT_EQ(code_of(after.seal(later.at(1))), ProblemCode::not_found);
    const Claim released = after.own(R"({"key":"released"})");
    const Claim unknown = after.own(R"({"key":"unknown"})");
    EXPECT_GT(released.token, later.at(0).token);
    EXPECT_GT(unknown.token, later.at(1).token);
    EXPECT_EQ(code_of(after.seal(later.at(1))), ProblemCode::stale_token);
}

TEST_F(RestoredFences, ASourceIsHeldByNobody) {
    constexpr const char* kSecond =
        R"({"parts":{"sourceType":"s","sourceId":"1","revision":"2"},"version":2,"leaseMs":86400000})";
    constexpr const char* kThird =
        R"({"parts":{"sourceType":"s","sourceId":"1","revision":"3"},"version":3})";
    Claim second;
    {
        FenceStore before(open());
        second = before.own(kSecond);
        EXPECT_EQ(before.decision(kThird), Decision::in_flight);
        back_up(*before.store);
    }
    restore();
    FenceStore after(open());
    done(after.seal(after.own(kThird)));
    EXPECT_EQ(code_of(after.seal(second)), ProblemCode::stale_token);
    EXPECT_EQ(after.decision(kSecond), Decision::stale);
}

TEST_F(RestoredFences, WhatWasSealedStaysSo) {
    Claim sealed;
    {
        FenceStore before(open());
        sealed = done(before.seal(before.own(kLongLease), "e-1", R"({"n": 1.0})"));
        back_up(*before.store);
    }
    restore();
    FenceStore after(open());
    const FenceAnswer told = after.claim(kLongLease);
    EXPECT_EQ(told.decision, Decision::duplicate);
    EXPECT_EQ(*told.claim, sealed);
}

}  // namespace
}  // namespace semel::test
