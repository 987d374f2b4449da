// A line of commits whose commands meet rows that somebody else holds.
#include <set>

#include <gtest/gtest.h>

#include "engine/commit_stream.hpp"
#include "store/memory/memory_store.hpp"
#include "support/virtual_env.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

constexpr Millis kLockTimeout = 50ms;

// Keeps nothing, and has claims that somebody holds. A load takes no time, but for one that waits.
class LockingStore final : public Store {
public:
    LockingStore(Env& env, Store& inner) : env_(env), inner_(inner) {}

    std::unique_ptr<Committer> open_committer(Post) override {
        return std::make_unique<Line>(*this);
    }
    Reads& reads() override { return inner_.reads(); }
    Time now() const override { return inner_.now(); }
    Millis clock_offset() const override { return inner_.clock_offset(); }
    StoreInfo info() const override { return inner_.info(); }

    std::set<ClaimId> held;  // for long
    std::set<ClaimId> hot;   // by one commit after another: who waits has it at once
    bool is_locked = false;  // its tables are
    std::vector<LoadSpec> asked;
    Millis waited{0};

private:
    class Line final : public Committer {
    public:
        explicit Line(LockingStore& store) : store_(store) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            Loaded loaded;
            bool in_vain = false;
            for (const ClaimId& id : spec.claims) {
                in_vain = in_vain || (spec.wait && store_.held.contains(id));
                const bool is_hot = store_.hot.contains(id) && !spec.wait;
                if (store_.held.contains(id) || is_hot)
                    loaded.locked_elsewhere.claims.push_back(id);
            }
            store_.asked.push_back(std::move(spec));
            if (in_vain) {
                store_.waited += kLockTimeout;
                store_.env_.after(kLockTimeout, [done = std::move(done)] {
                    done(Error(ErrorCode::busy, "lock timeout"));
                });
            } else {
                store_.env_.post([done = std::move(done), loaded] { done(loaded); });
            }
        }
        void commit(std::shared_ptr<const Changes>, Done<void> done) override {
            if (store_.is_locked) {
                store_.env_.post([done] { done(Error(ErrorCode::busy, "lock timeout")); });
            } else {
                succeed(done);
            }
        }
        void roll_back(Done<void> done) override { succeed(done); }

    private:
        void succeed(const Done<void>& done) {
            store_.env_.post([done] { done(Result<void>()); });
        }

        LockingStore& store_;
    };

    Env& env_;
    Store& inner_;
};

struct Answered {
    int number = 0;
    Millis after{0};
    Result<void> result;
};

// Looks for one claim.
class Looking final : public Task {
public:
    Looking(test::VirtualEnv& env, int number, std::vector<Answered>& answers)
        : env_(env), number_(number), since_(env.now()), answers_(answers) {}

    static ClaimId claim(int number) { return sha256(std::to_string(number)); }

    TaskSize size() const override { return {.items = 1}; }
    void name_rows(LoadSpec& spec) const override { spec.claims.push_back(claim(number_)); }
    void decide(Workspace& workspace) override { (void)workspace.claims.find(claim(number_)); }
    void answer(const Result<void>& committed) override {
        answers_.push_back({number_, env_.now() - since_, committed});
    }

private:
    test::VirtualEnv& env_;
    int number_;
    Time since_;
    std::vector<Answered>& answers_;
};

class LockedElsewhereRows : public testing::Test {
protected:
    void submit(std::unique_ptr<Task> task) {
        line.submit({.task = std::move(task), .since = env.monotonic()});
    }
    void find(int number) { submit(std::make_unique<Looking>(env, number, answers)); }
    void hold(int number) { store.held.insert(Looking::claim(number)); }
    // Since the last call.
    std::vector<Answered> take_answers() { return std::exchange(answers, {}); }

    test::VirtualEnv env;
    std::unique_ptr<Store> memory = make_memory_store([this] { return env.now(); });
    LockingStore store{env, *memory};
    Settings settings;
    std::vector<Answered> answers;
    CommitStream line{env,
                      store,
                      settings,
                      {.recorded = [](const Changes&) {},
                       .committed = [](const Changes&) {},
                       .postponed = [] {},
                       .unknown = [] {}}};
};

TEST_F(LockedElsewhereRows, ManyCommandsForOneOfThemStopNobodyElse) {
    hold(1);
    for (int i = 0; i < 40; ++i) find(1);
    Millis slowest{0};
    int free = 0;
    for (int i = 0; i < 400; ++i) {
        find(2);
        env.advance(10ms);
        for (const Answered& answered : take_answers()) {
            EXPECT_EQ(answered.number, 2);
            slowest = std::max(slowest, answered.after);
            ++free;
        }
    }
    EXPECT_GE(free, 395);
    EXPECT_LE(slowest, kLockTimeout);
    EXPECT_LE(store.waited, Millis(4s) / 10 + kLockTimeout);
    EXPECT_LE(store.asked.size(), 1000U) << "and they do not keep the store busy";
}

TEST_F(LockedElsewhereRows, TheirCommandsAreToldAfterFiveSeconds) {
    hold(1);
    for (int i = 0; i < 40; ++i) find(1);
    env.advance(5s);
    EXPECT_TRUE(answers.empty());
    env.advance(300ms);
    ASSERT_EQ(answers.size(), 40U);
    for (const Answered& answered : answers) {
        ASSERT_FALSE(answered.result.has_value());
        EXPECT_EQ(answered.result.error().code(), ErrorCode::busy);
    }
}

TEST_F(LockedElsewhereRows, OnceLetGoAllOfThemAreDecidedTogether) {
    hold(1);
    for (int i = 0; i < 40; ++i) find(1);
    env.advance(2s);
    store.held.clear();
    const std::size_t before = store.asked.size();
    env.advance(200ms);
    EXPECT_EQ(answers.size(), 40U);
    EXPECT_LE(store.asked.size() - before, 10U);
}

// The turn to wait goes round: one that waits in vain does not wait for all.
TEST_F(LockedElsewhereRows, WhoComesTooLateEachTimeMayWait) {
    hold(1);
    for (int i = 0; i < 5; ++i) find(1);
    store.hot.insert(Looking::claim(2));
    find(2);
    env.advance(4900ms);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers.front().number, 2);
    EXPECT_TRUE(answers.front().result.has_value());
}

// Two actions, of which the first has the key of a claim that is held.
class LockedItems : public LockedElsewhereRows {
protected:
    static Item<ActionRequest> action(int number) {
        ActionRequest request;
        request.type = "t";
        request.deduplication = Deduplication{
            .claim = Looking::claim(number), .full_key = std::to_string(number), .window = 5s};
        return request;
    }
    void SetUp() override { hold(1); }

    ScheduleActions command{.tenant = "default", .items = {action(1), action(2)}};
};

TEST_F(LockedItems, AreRefusedAloneAfterASecond) {
    std::optional<Result<Reply<ScheduleActions>>> answer;
    submit(std::make_unique<CommandTask<ScheduleActions>>(
        command, [&](Result<Reply<ScheduleActions>> reply) { answer = std::move(reply); }));
    env.advance(1s);
    EXPECT_FALSE(answer.has_value()) << "another node holds a row for less";
    env.advance(300ms);
    ASSERT_TRUE(answer && answer->has_value());
    const auto& items = std::get<ScheduleActions::Outcome>(**answer);
    ASSERT_TRUE(std::holds_alternative<Problem>(items[0]));
    EXPECT_EQ(std::get<Problem>(items[0]).code, ProblemCode::store_unavailable);
    ASSERT_TRUE(std::holds_alternative<ScheduledAction>(items[1]));
    EXPECT_EQ(std::get<ScheduledAction>(items[1]).decision, Decision::new_);
}

TEST_F(LockedItems, AreTriedForAsLongAsAnyCommandWhereTheyAreAlone) {
    command.items.pop_back();
    std::optional<Result<Reply<ScheduleActions>>> answer;
    submit(std::make_unique<CommandTask<ScheduleActions>>(
        command, [&](Result<Reply<ScheduleActions>> reply) { answer = std::move(reply); }));
    env.advance(4s);
    EXPECT_FALSE(answer.has_value());
    store.held.clear();
    env.advance(300ms);
    ASSERT_TRUE(answer && answer->has_value());
}

// Its answer may be there: nothing may be refused, or done, before that is known.
TEST_F(LockedItems, AreNotRefusedWhileTheRequestsOwnKeyIsLocked) {
    hold(3);
    IdempotencyGuard guard;
    guard.claim = Looking::claim(3);
    bool rendered = false;
    std::optional<Result<Rendered>> answer;
    submit(std::make_unique<RenderedTask<ScheduleActions>>(
        command, guard,
        [&](const Reply<ScheduleActions>&) {
            rendered = true;
            return Receipt{};
        },
        [&](Result<Rendered> reply) { answer = std::move(reply); }));
    env.advance(6s);
    ASSERT_TRUE(answer.has_value());
    ASSERT_FALSE(answer->has_value());
    EXPECT_EQ(answer->error().code(), ErrorCode::busy);
    EXPECT_FALSE(rendered);
}

struct StoreErrors final : Observer {
    void on_store_error(StoreRole /*store*/, const Error& error) override {
        told.push_back(error.message());
    }
    std::vector<std::string> told;
};

TEST_F(LockedItems, AreNoErrorOfTheStoreAndALockedTableIs) {
    StoreErrors errors;
    env.observe(errors);
    const auto run = [&](int number) {
        bool is_refused = false;
        submit(std::make_unique<CommandTask<ScheduleActions>>(
            ScheduleActions{.tenant = "default", .items = {action(number)}},
            [&](const Result<Reply<ScheduleActions>>& reply) { is_refused = !reply; }));
        env.advance(6s);
        return is_refused;
    };
    EXPECT_TRUE(run(1));
    EXPECT_TRUE(errors.told.empty());
    store.is_locked = true;
    EXPECT_TRUE(run(2));
    EXPECT_EQ(errors.told, std::vector<std::string>{"lock timeout"});
}

TEST_F(LockedElsewhereRows, WhatWaitsForThemIsAnsweredBeforeTheEnd) {
    hold(1);
    find(1);
    env.settle();
    bool closed = false;
    line.close([&] { closed = true; });
    EXPECT_FALSE(closed);
    env.advance(6s);
    EXPECT_TRUE(closed);
    EXPECT_EQ(answers.size(), 1U);
}

}  // namespace
}  // namespace semel
