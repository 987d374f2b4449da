// A ledger with several lines of commits.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "engine/ledger.hpp"
#include "store/memory/memory_store.hpp"
#include "support/virtual_env.hpp"

namespace semel {
namespace {

// Has three committers that keep nothing, and remembers what each was asked to load.
class EmptyStore final : public Store {
public:
    explicit EmptyStore(Store& inner) : inner_(inner) {}

    std::unique_ptr<Committer> open_committer(Post post) override {
        asked_.emplace_back();
        return std::make_unique<Line>(asked_, asked_.size() - 1, std::move(post));
    }
    int committers() const override { return 3; }
    Reads& reads() override { return inner_.reads(); }
    Time now() const override { return inner_.now(); }
    Millis clock_offset() const override { return inner_.clock_offset(); }
    StoreInfo info() const override { return inner_.info(); }

    [[nodiscard]] const std::vector<std::vector<LoadSpec>>& asked() const { return asked_; }

private:
    class Line final : public Committer {
    public:
        Line(std::vector<std::vector<LoadSpec>>& asked, std::size_t number, Post post)
            : asked_(asked), number_(number), post_(std::move(post)) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            asked_[number_].push_back(std::move(spec));
            post_([done = std::move(done)] { done(Loaded()); });
        }
        void save(std::shared_ptr<const Changes>, Done<void> done) override { succeed(done); }
        void commit(Done<void> done) override { succeed(done); }
        void roll_back(Done<void> done) override { succeed(done); }

    private:
        void succeed(const Done<void>& done) {
            post_([done] { done(Result<void>()); });
        }

        std::vector<std::vector<LoadSpec>>& asked_;
        std::size_t number_;
        Post post_;
    };

    Store& inner_;
    std::vector<std::vector<LoadSpec>> asked_;  // by committer
};

// Names rows and changes nothing.
class Naming final : public Task {
public:
    Naming(LoadSpec spec, std::vector<Result<void>>& answers)
        : spec_(std::move(spec)), answers_(answers) {}

    TaskSize size() const override { return {.items = 1}; }
    void name_rows(LoadSpec& spec) const override {
        spec.claims.insert(spec.claims.end(), spec_.claims.begin(), spec_.claims.end());
        spec.jobs.insert(spec.jobs.end(), spec_.jobs.begin(), spec_.jobs.end());
    }
    void decide(Workspace&) override {}
    void answer(const Result<void>& committed) override { answers_.push_back(committed); }

private:
    LoadSpec spec_;
    std::vector<Result<void>>& answers_;
};

class LedgerLines : public testing::Test {
protected:
    void submit(LoadSpec spec) {
        ledger.submit(std::make_unique<Naming>(std::move(spec), answers));
    }
    static ClaimId claim(int number) { return sha256(std::to_string(number)); }

    // Which lines each claim was seen on.
    [[nodiscard]] std::map<ClaimId, std::set<std::size_t>> lines_by_claim() const {
        std::map<ClaimId, std::set<std::size_t>> lines;
        for (std::size_t line = 0; line < store.asked().size(); ++line) {
            for (const LoadSpec& spec : store.asked()[line]) {
                for (const ClaimId& id : spec.claims) lines[id].insert(line);
            }
        }
        return lines;
    }

    test::VirtualEnv env;
    std::unique_ptr<Store> memory = make_memory_store([this] { return env.now(); });
    EmptyStore store{*memory};
    Settings settings;
    Ledger ledger{env,
                  store,
                  settings,
                  {.recorded = [](const Changes&) {},
                   .committed = [](const Changes&) {},
                   .postponed = [] {},
                   .unknown = [] {}}};
    std::vector<Result<void>> answers;
};

TEST_F(LedgerLines, CommandsOfOneKeyGoDownOneLineAndKeysSpread) {
    for (int i = 0; i < 300; ++i) submit({.claims = {claim(i % 30)}});
    env.settle();
    EXPECT_EQ(answers.size(), 300U);
    std::set<std::size_t> used;
    for (const auto& [id, lines] : lines_by_claim()) {
        EXPECT_EQ(lines.size(), 1U);
        used.insert(lines.begin(), lines.end());
    }
    EXPECT_EQ(used.size(), 3U);
}

TEST_F(LedgerLines, AnIdempotencyKeyDoesNotPartCommandsOfOneKey) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(1000 + i), claim(7)}});
    env.settle();
    EXPECT_EQ(lines_by_claim().at(claim(7)).size(), 1U);
}

TEST_F(LedgerLines, WhatNamesNothingGoesWhereLeastWaits) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(7)}});
    for (int i = 0; i < 2; ++i) submit({});
    env.settle();
    const std::size_t busy = *lines_by_claim().at(claim(7)).begin();
    for (const LoadSpec& spec : store.asked()[busy]) EXPECT_FALSE(spec.claims.empty());
}

TEST_F(LedgerLines, ClosesWhenEveryLineHasAnswered) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(i)}});
    std::size_t answered_before = 0;
    ledger.close([&] { answered_before = answers.size(); });
    env.settle();
    EXPECT_EQ(answered_before, 30U);
    submit({.claims = {claim(1)}});
    EXPECT_EQ(answers.back().error().code(), ErrorCode::stopped);
}

}  // namespace
}  // namespace semel
