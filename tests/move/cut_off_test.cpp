// A move that is cut off goes on with the same call, and ends as if nothing had happened.
#include <algorithm>

#include "move/fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Fails behind its `n`th page, which is committed: as if the answer had been lost.
class LosesAnAnswer final : public TransferTarget {
public:
    LosesAnAnswer(std::unique_ptr<TransferTarget> target, int n)
        : target_(std::move(target)), left_(n) {}

    Result<TransferState> inspect(const TransferOrigin& origin) override {
        return target_->inspect(origin);
    }
    Result<TransferState> begin(const TransferOrigin& origin) override {
        return target_->begin(origin);
    }
    Result<void> put(const RowPage& page, const TransferState& from,
                     const TransferState& to) override {
        SEMEL_CHECK(target_->put(page, from, to));
        return left_-- > 0 ? Result<void>() : Error(ErrorCode::unavailable, "lost");
    }
    Result<void> finish(const TransferOrigin& origin) override { return target_->finish(origin); }
    Result<RowPage> page(RowKind kind, const std::string& after) override {
        return target_->page(kind, after);
    }

private:
    const std::unique_ptr<TransferTarget> target_;
    int left_;
};

class CutOffTransfer : public TransferTest {
protected:
    // How many pages a whole move asks for, and what it brings.
    int watched_ = 0;
    StoreTally whole_;

    void SetUp() override {
        fill(5, 200);
        const auto moved = transfer_to(make_database(), [this](std::string_view, double part) {
            EXPECT_GE(part, 0.0);
            EXPECT_LE(part, 1.0);
            ++watched_;
            return true;
        });
        ASSERT_TRUE(moved.has_value()) << moved.error().message();
        whole_ = moved->tally;
    }
    void expect_whole(const Result<TransferReport>& moved, const std::string& url) {
        ASSERT_TRUE(moved.has_value()) << moved.error().message();
        EXPECT_EQ(moved->tally.tables(), whole_.tables());
        StoreWorld world(open_database(url), 1);
        EXPECT_THAT(broken_invariants(world.rows()), IsEmpty());
    }
};

TEST_F(CutOffTransfer, GoesOnFromWhereverItWasStopped) {
    ASSERT_GT(watched_, 20);
    for (int at = 0; at < watched_; at += std::max(1, watched_ / 12)) {
        const std::string url = make_database();
        const auto stopped = transfer_to(url, stop_at(at));
        ASSERT_FALSE(stopped.has_value());
        EXPECT_EQ(stopped.error().code(), ErrorCode::stopped);
        const auto opened = open_store(url);
        ASSERT_FALSE(opened.has_value()) << "a half of a store is not served";
        EXPECT_THAT(opened.error().message(), HasSubstr("is being filled from " + file));
        expect_whole(transfer_to(url), url);
    }
}

TEST_F(CutOffTransfer, EndsAlsoWhenItIsStoppedAgainAndAgain) {
    const std::string url = make_database();
    int runs = 0;
    auto moved = transfer_to(url, stop_at(5));
    for (; !moved && runs < watched_; ++runs) {
        ASSERT_EQ(moved.error().code(), ErrorCode::stopped);
        // Reading back begins anew with each run.
        moved = transfer_to(url, stop_at(5 + runs * 10));
    }
    EXPECT_GT(runs, 2);
    expect_whole(moved, url);
}

TEST_F(CutOffTransfer, APageWhoseAnswerWasLostIsNotWrittenTwice) {
    for (const int at : {0, 1, 4, 9}) {
        const std::string url = make_database();
        {
            const auto source = open_transfer_source(file, kSmallPages).value();
            LosesAnAnswer target(open_transfer_target(url).value(), at);
            const auto lost = transfer_rows(*source, target, [](auto, auto) { return true; });
            ASSERT_FALSE(lost.has_value());
            ASSERT_EQ(lost.error().message(), "lost");
        }
        expect_whole(transfer_to(url), url);
    }
}

TEST_F(CutOffTransfer, TheSameCommandAfterTheEndDoesNothing) {
    const std::string url = make_database();
    ASSERT_TRUE(transfer_to(url).has_value());
    {
        const auto store = open_database(url);
        ASSERT_TRUE(StoreDriver(*store).write(inserting({ready_job(4321)})).has_value());
    }
    const auto again = transfer_to(url);
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_TRUE(again->finished_before.has_value());
}

TEST_F(CutOffTransfer, OfTwoAtOnceOneGoesOn) {
    const std::string url = make_database();
    const auto source = open_transfer_source(file, kSmallPages).value();
    const auto one = open_transfer_target(url).value();
    const auto other = open_transfer_target(url).value();
    const TransferState state = one->begin(source->origin()).value();
    ASSERT_EQ(other->begin(source->origin()).value().after, state.after);
    const RowPage page = source->page(RowKind::claims, "").value();
    TransferState next = state;
    next.after = page.last;
    next.rows = page.count;
    ASSERT_TRUE(one->put(page, state, next).has_value());
    const auto second = other->put(page, state, next);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code(), ErrorCode::busy);
    EXPECT_THAT(second.error().message(), HasSubstr("another `semel migrate`"));
}

TEST_F(CutOffTransfer, WhatDiffersAtTheEndIsFoundAndNotServed) {
    const std::vector<std::pair<std::string, std::string>> harms = {
        {"jobs",
         "update semel.job set payload = 'x' where id = (select id from semel.job order by id "
         "limit 1)"},
        {"attempts",
         "delete from semel.attempt where job = (select job from semel.attempt limit 1)"},
        {"attempts",
         "update semel.job set completed_by = 'x' where id = (select id from semel.job where "
         "completed_by is not null limit 1)"},
        {"decisions",
         "update semel.decision set day = day + 1 where sequence = (select min(sequence) from "
         "semel.decision)"},
        {"claims", "delete from semel.claim where id = (select id from semel.claim limit 1)"}};
    for (const auto& [table, harm] : harms) {
        const std::string url = make_database();
        const auto moved =
            transfer_to(url, [&, harmed = false](std::string_view what, double) mutable {
                if (!harmed && what.starts_with("reading back")) {
                    ask_postgres(url, harm);
                    harmed = true;
                }
                return true;
            });
        ASSERT_FALSE(moved.has_value()) << table;
        EXPECT_EQ(moved.error().code(), ErrorCode::corrupt);
        EXPECT_THAT(moved.error().message(), HasSubstr(table + " differ: "));
        EXPECT_FALSE(open_store(url).has_value());
    }
}

TEST_F(CutOffTransfer, ANodeThatRunsAlreadyCommitsNothingMeanwhile) {
    const std::string url = make_database();
    const auto node = open_database(url);  // by its clock nobody sees it
    StoreDriver driver(*node);
    ASSERT_FALSE(transfer_to(url, stop_at(3)).has_value());
    const auto written = driver.write(inserting({ready_job(4321)}));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code(), ErrorCode::unavailable);
    EXPECT_THAT(written.error().message(), HasSubstr("being filled from another store"));
    expect_whole(transfer_to(url), url);
    EXPECT_TRUE(driver.write(inserting({ready_job(4321)})).has_value());
}

}  // namespace
}  // namespace semel::test
