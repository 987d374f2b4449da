// A ledger with several commit streams.
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "engine/ledger.hpp"
#include "store/memory/memory_store.hpp"
#include "support/virtual_env.hpp"

namespace semel {
namespace {

// The rows of a spec, each with the name of its table.
std::set<std::string> rows_of(const LoadSpec& spec) {
    std::set<std::string> rows;
    for (const ClaimId& id : spec.claims) rows.insert("claim " + id.to_hex());
    for (const SourceKey& key : spec.sources) rows.insert("source " + key.id);
    for (const JobRef& ref : spec.jobs) rows.insert("job " + ref.id.to_string());
    for (const StepRef& step : spec.steps) rows.insert("job " + step.chain.to_string());
    for (const JobId& id : spec.wanted_ids) rows.insert("job " + id.to_string());
    for (const GroupKey& key : spec.groups) rows.insert("group " + key.name);
    for (const ScheduleKey& key : spec.schedules) rows.insert("schedule " + key.name);
    for (const Uuid& id : spec.bulk_runs) rows.insert("bulk run " + id.to_string());
    for (const Uuid& id : spec.api_tokens) rows.insert("token " + id.to_string());
    return rows;
}

// Has three committers that keep nothing, and remembers what each was asked to load.
class EmptyStore final : public Store {
public:
    explicit EmptyStore(Store& inner) : inner_(inner) {}

    std::unique_ptr<Committer> open_committer(Post post) override {
        asked_.emplace_back();
        open_.emplace_back();
        return std::make_unique<Line>(*this, asked_.size() - 1, std::move(post));
    }
    int committers() const override { return 3; }
    Reads& reads() override { return inner_.reads(); }
    Time now() const override { return inner_.now(); }
    Millis clock_offset() const override { return inner_.clock_offset(); }
    StoreInfo info() const override { return inner_.info(); }

    [[nodiscard]] const std::vector<std::vector<LoadSpec>>& asked() const { return asked_; }

    std::set<ClaimId> held;  // by another node
    int refusals = 0;        // rows that a load could not lock, because another stream has them

private:
    class Line final : public Committer {
    public:
        Line(EmptyStore& store, std::size_t number, Post post)
            : store_(store), number_(number), post_(std::move(post)) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            Loaded loaded;
            for (const ClaimId& id : spec.claims) {
                if (store_.held.contains(id)) loaded.locked_elsewhere.claims.push_back(id);
            }
            const auto rows = rows_of(spec);
            for (const auto& open : store_.open_) {
                for (const std::string& row : open) store_.refusals += rows.contains(row) ? 1 : 0;
            }
            store_.open_[number_] = rows;
            store_.asked_[number_].push_back(std::move(spec));
            post_([done = std::move(done), loaded] { done(loaded); });
        }
        void commit(std::shared_ptr<const Changes>, Done<void> done) override { end(done); }
        void roll_back(Done<void> done) override { end(done); }

    private:
        void end(const Done<void>& done) {
            store_.open_[number_].clear();
            post_([done] { done(Result<void>()); });
        }

        EmptyStore& store_;
        std::size_t number_;
        Post post_;
    };

    Store& inner_;
    std::vector<std::vector<LoadSpec>> asked_;  // by committer
    std::vector<std::set<std::string>> open_;   // rows of transactions, by committer
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// Names rows, looks at its claims and changes nothing.
class Naming final : public Task {
public:
    using Callback = std::function<void(const Result<void>&)>;

    Naming(LoadSpec spec, std::size_t items, Callback done)
        : spec_(std::move(spec)), items_(items), done_(std::move(done)) {}

    TaskSize size() const override { return {.items = items_}; }
    void name_rows(LoadSpec& spec) const override {
        append(spec.claims, spec_.claims);
        append(spec.sources, spec_.sources);
        append(spec.jobs, spec_.jobs);
        append(spec.steps, spec_.steps);
        append(spec.wanted_ids, spec_.wanted_ids);
        append(spec.groups, spec_.groups);
        append(spec.schedules, spec_.schedules);
        append(spec.bulk_runs, spec_.bulk_runs);
        append(spec.api_tokens, spec_.api_tokens);
    }
    void decide(Workspace& workspace) override {
        for (const ClaimId& id : spec_.claims) (void)workspace.claims.find(id);
    }
    void answer(const Result<void>& committed) override { done_(committed); }

private:
    LoadSpec spec_;
    std::size_t items_;
    Callback done_;
};

class LedgerStreams : public testing::Test {
protected:
    [[nodiscard]] std::unique_ptr<Task> naming(LoadSpec spec, std::size_t items = 1) {
        return std::make_unique<Naming>(std::move(spec), items,
                                        [this, number = ++submitted](const Result<void>& answer) {
                                            answers.push_back(answer);
                                            order.push_back(number);
                                        });
    }
    void submit(LoadSpec spec) { ledger.submit(naming(std::move(spec))); }
    static ClaimId claim(int number) { return sha256(std::to_string(number)); }
    // One that goes down this stream if no stream has a row of its command.
    static ClaimId claim_of(std::size_t stream) {
        for (int number = 0;; ++number) {
            if (std::hash<ClaimId>()(claim(number)) % 3 == stream) return claim(number);
        }
    }

    // Which streams each claim was seen on.
    [[nodiscard]] std::map<ClaimId, std::set<std::size_t>> streams_by_claim() const {
        std::map<ClaimId, std::set<std::size_t>> streams;
        for (std::size_t stream = 0; stream < store.asked().size(); ++stream) {
            for (const LoadSpec& spec : store.asked()[stream]) {
                for (const ClaimId& id : spec.claims) streams[id].insert(stream);
            }
        }
        return streams;
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
    int submitted = 0;
    std::vector<Result<void>> answers;
    std::vector<int> order;  // of the answers: numbers of commands, the first is 1
};

TEST_F(LedgerStreams, CommandsOfOneKeyGoDownOneStreamAndKeysSpread) {
    for (int i = 0; i < 300; ++i) submit({.claims = {claim(i % 30)}});
    env.settle();
    EXPECT_EQ(answers.size(), 300U);
    std::set<std::size_t> used;
    for (const auto& [id, streams] : streams_by_claim()) {
        EXPECT_EQ(streams.size(), 1U);
        used.insert(streams.begin(), streams.end());
    }
    EXPECT_EQ(used.size(), 3U);
}

TEST_F(LedgerStreams, AnIdempotencyKeyDoesNotPartCommandsOfOneKey) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(1000 + i), claim(7)}});
    env.settle();
    EXPECT_EQ(streams_by_claim().at(claim(7)).size(), 1U);
}

TEST_F(LedgerStreams, WhatNamesNothingGoesWhereLeastWaits) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(7)}});
    for (int i = 0; i < 2; ++i) submit({});
    env.settle();
    const std::size_t busy = *streams_by_claim().at(claim(7)).begin();
    for (const LoadSpec& spec : store.asked()[busy]) EXPECT_FALSE(spec.claims.empty());
}

TEST_F(LedgerStreams, ClosesWhenEveryStreamHasAnswered) {
    for (int i = 0; i < 30; ++i) submit({.claims = {claim(i)}});
    std::size_t answered_before = 0;
    ledger.close([&] { answered_before = answers.size(); });
    env.settle();
    EXPECT_EQ(answered_before, 30U);
    submit({.claims = {claim(1)}});
    EXPECT_EQ(answers.back().error().code(), ErrorCode::stopped);
}

// ---- rows in flight ---------------------------------------------------------------------------

TEST_F(LedgerStreams, ACommandFollowsEachKindOfRow) {
    const Uuid id = Uuid::parse("0190a8c0-0000-7000-8000-000000000001").value();
    const std::vector<LoadSpec> kinds{{.claims = {claim(-1)}},
                                      {.sources = {{"acme", "order", "1"}}},
                                      {.jobs = {{.id = id}}},
                                      {.steps = {{id, 3}}},
                                      {.wanted_ids = {id}},
                                      {.groups = {{"acme", "g"}}},
                                      {.schedules = {{"acme", "s"}}},
                                      {.bulk_runs = {id}},
                                      {.api_tokens = {id}}};
    for (const LoadSpec& kind : kinds) {
        LoadSpec first = kind;
        first.claims.push_back(claim_of(0));
        submit(first);
        LoadSpec second = kind;
        second.claims.push_back(claim_of(1));
        submit(second);
        env.settle();
    }
    const std::set<std::size_t> first_line{0};
    EXPECT_EQ(streams_by_claim().at(claim_of(1)), first_line);
    EXPECT_EQ(answers.size(), 2 * kinds.size());
}

TEST_F(LedgerStreams, ARowsLineIsFreeAgainOnceItsBatchHasEnded) {
    submit({.claims = {claim(-1), claim_of(0)}});
    env.settle();
    submit({.claims = {claim(-1), claim_of(1)}});
    env.settle();
    EXPECT_EQ(streams_by_claim().at(claim(-1)), (std::set<std::size_t>{0, 1}));
}

TEST_F(LedgerStreams, AWishForALineComesAfterTheRows) {
    submit({.claims = {claim_of(0)}});
    ledger.submit_to(1, naming({.claims = {claim_of(0)}}));
    ledger.submit_to(1, naming({.claims = {claim_of(2)}}));
    env.settle();
    EXPECT_EQ(streams_by_claim().at(claim_of(0)), (std::set<std::size_t>{0}));
    EXPECT_EQ(streams_by_claim().at(claim_of(2)), (std::set<std::size_t>{1}));
}

TEST_F(LedgerStreams, ACommandBetweenTwoLinesWaitsAndIsNotOvertaken) {
    submit({.claims = {claim_of(0)}});
    submit({.claims = {claim_of(1)}});
    submit({.claims = {claim_of(0), claim_of(1)}});
    submit({.claims = {claim_of(0)}});
    submit({.claims = {claim_of(2)}});
    env.settle();
    EXPECT_EQ(order, (std::vector{1, 2, 5, 3, 4}));
    EXPECT_EQ(store.refusals, 0);
}

// Both rows are always in flight, on a stream each, unless the command between them comes first.
TEST_F(LedgerStreams, AParkedCommandIsNotStarved) {
    int left = 1000;
    std::function<void(std::size_t)> repeat = [&](std::size_t stream) {
        if (left-- > 0) {
            ledger.submit(std::make_unique<Naming>(LoadSpec{.claims = {claim_of(stream)}}, 1,
                                                   [&, stream](const auto&) { repeat(stream); }));
        }
    };
    for (const std::size_t stream : {0, 0, 1, 1}) repeat(stream);
    int left_at_answer = 0;
    ledger.submit(std::make_unique<Naming>(LoadSpec{.claims = {claim_of(0), claim_of(1)}}, 1,
                                           [&](const Result<void>&) { left_at_answer = left; }));
    env.settle();
    EXPECT_GT(left_at_answer, 980);
    EXPECT_EQ(store.refusals, 0);
}

TEST_F(LedgerStreams, NoTwoLinesWorkOnOneRow) {
    std::mt19937 random(3);
    const auto below = [&random](std::uint32_t end) { return static_cast<int>(random() % end); };
    int left = 3000;
    std::function<void()> more = [&] {
        for (int count = below(4); count > 0 && left > 0; --count, --left) {
            LoadSpec spec;
            for (int rows = below(4); rows >= 0; --rows) spec.claims.push_back(claim(below(60)));
            if (below(3) == 0) spec.groups.push_back({"acme", std::to_string(below(10))});
            submit(std::move(spec));
        }
        if (left > 0) env.post(more);
    };
    env.post(more);
    env.settle();
    EXPECT_EQ(answers.size(), 3000U);
    EXPECT_EQ(store.refusals, 0);
    for (const auto& asked : store.asked()) EXPECT_GT(asked.size(), 20U);
}

// Another node's transaction may hold a row for seconds. Commands that do not need it go on.
TEST_F(LedgerStreams, APostponedCommandMakesNobodyWait) {
    store.held = {claim_of(0), claim_of(1)};
    submit({.claims = {claim_of(0)}});
    submit({.claims = {claim_of(1)}});
    env.settle();
    submit({.claims = {claim_of(0), claim_of(1), claim_of(2)}});
    submit({.claims = {claim_of(2)}});
    env.settle();
    EXPECT_EQ(order, (std::vector{4}));
    store.held.clear();
    env.advance(std::chrono::seconds(1));
    EXPECT_EQ(answers.size(), 4U);
}

TEST_F(LedgerStreams, AParkedCommandIsAnsweredBeforeTheClose) {
    submit({.claims = {claim_of(0)}});
    submit({.claims = {claim_of(1)}});
    submit({.claims = {claim_of(0), claim_of(1)}});
    std::size_t answered_before = 0;
    ledger.close([&] { answered_before = answers.size(); });
    submit({.claims = {claim_of(2)}});
    EXPECT_EQ(answers.at(0).error().code(), ErrorCode::stopped);
    env.settle();
    EXPECT_EQ(answered_before, 4U);
    for (std::size_t i = 1; i < answers.size(); ++i) EXPECT_TRUE(answers[i].has_value());
}

TEST_F(LedgerStreams, ParkedCommandsCountAsWaiting) {
    submit({.claims = {claim_of(0)}});
    submit({.claims = {claim_of(1)}});
    ledger.submit(naming({.claims = {claim_of(0), claim_of(1)}}, 10'000));
    EXPECT_TRUE(ledger.is_full());
    env.settle();
    EXPECT_FALSE(ledger.is_full());
}

}  // namespace
}  // namespace semel
