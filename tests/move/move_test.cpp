// What a move brings to the other side.
#include <fstream>
#include <iterator>

#include "move/fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kSeeds = 6;
constexpr Millis kLater = std::chrono::seconds(20);  // a new store's time begins a little later

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> log_of(Store& store, const std::string& tenant) {
    std::vector<std::string> lines;
    for (const auto& logged : StoreDriver(store).list_decisions(tenant)) {
        lines.push_back(std::to_string(logged.sequence) + " " + to_text(logged.entry));
    }
    return lines;
}

ScheduleActions one_action(const std::string& key) {
    ActionRequest request{.type = "mail"};
    request.deduplication = Deduplication{.claim = hash_of(77),
                                          .full_key = key,
                                          .window = std::chrono::hours(24),
                                          .scope = Scope::any};
    return {.tenant = "acme", .items = {request}};
}

const ScheduledAction& first_of(const Reply<ScheduleActions>& reply) {
    return std::get<ScheduledAction>(std::get<ScheduleActions::Outcome>(reply).at(0));
}

TakeJobs take_mail() {
    TakeJobs take;
    take.query.tenant = "acme";
    take.query.types = {"mail"};
    take.query.limit = 1;
    take.worker = "w";
    take.lease = std::chrono::hours(1);
    return take;
}

SettleJobs complete(const JobId& job, Token token) {
    return {.tenant = "acme", .calls = {JobCall{.id = job, .token = token}}};
}

class Transfer : public TransferTest {};

TEST_F(Transfer, EverythingIsThereAndGoesOnAsItWouldHave) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const std::string before = fill(seed);
        const std::string url = make_database();
        const auto moved = transfer_to(url);
        ASSERT_TRUE(moved.has_value()) << moved.error().message();
        pass(kLater);
        StoreWorld source(open_file(), seed + 1000);
        StoreWorld target(open_database(url), seed + 1000);
        EXPECT_EQ(target.to_text_all(), before) << "seed " << seed;
        EXPECT_THAT(broken_invariants(target.rows()), IsEmpty()) << "seed " << seed;
        EXPECT_EQ(log_of(target.store(), "acme"), log_of(source.store(), "acme"));
        go_on_alike(source, target, seed);
        if (HasFailure()) {
            return;
        }
        std::filesystem::remove(file);
    }
}

TEST_F(Transfer, TheKeyThatReceiptsAreSignedWithGoesAlong) {
    const auto offer = [](Store& store, const std::string& secret) {
        return std::get<std::string>(
            std::get<0>(StoreDriver(store).run(KeepSigningKey{.secret = secret})));
    };
    const std::string kept(64, 'a');
    EXPECT_EQ(offer(*open_file(), kept), kept);
    const std::string url = make_database();
    const auto moved = transfer_to(url);
    ASSERT_TRUE(moved.has_value()) << moved.error().message();
    pass(kLater);
    EXPECT_EQ(offer(*open_database(url), std::string(64, 'b')), kept);
}

ResponseChange kept_body(int number) {
    return {ResponseVerb::write, id_at(kStart, number), kStart + std::chrono::hours(1),
            std::make_shared<const std::string>("sent")};
}

TEST_F(Transfer, EveryFieldOfEveryRowIsMoved) {
    Changes rows;
    rows.claims = {inserted(full_claim(1)), inserted(small_claim(2)), inserted(held_fence(3)),
                   inserted(sealed_fence(4))};
    rows.contents = {{held_fence(3).id, Content{R"({ "a": 1.0 })"}}};
    Source free = full_source(5);
    free.holder.reset();
    free.highest.reset();
    rows.sources = {inserted(full_source(3)), inserted(free)};
    rows.responses = {kept_body(9)};
    for (const Status status : {Status::pending, Status::running, Status::completed, Status::failed,
                                Status::cancelled, Status::superseded}) {
        Job job = full_job(static_cast<int>(status), status);
        job.last = job.id;  // one that is there
        rows.jobs.push_back(inserted(job));
        rows.bodies.emplace_back(job.id, JobBody{std::string(100'000, 'x') + payload_of(job.id)});
        rows.results.emplace_back(job.id, JobResult{"{}", "message", std::nullopt});
        rows.attempts.push_back(full_attempt(job.id, 1));
        rows.attempts.push_back(full_attempt(job.id, 2));
    }
    Schedule schedule = full_schedule(1);
    schedule.current = rows.jobs.front().after->id;
    rows.schedules = {inserted(schedule)};
    BulkRun ended = full_bulk_run(2);
    ended.finished_at = kStart;
    rows.bulk_runs = {inserted(full_bulk_run(1)), inserted(ended)};
    rows.api_tokens = {inserted(full_api_token(1)), inserted(full_api_token(2))};
    rows.groups = {inserted(LockGroup{{"acme", "line"}, id_at(kStart, 1)})};
    rows.decisions = {full_decision(1), full_decision(2, "other")};
    rows.edges = {inserted(Edge{{id_at(kStart, 1), 0}, id_at(kStart, 2), true}),
                  inserted(Edge{{id_at(kStart, 1), 1}, id_at(kStart, 3), false})};
    ASSERT_TRUE(StoreDriver(*open_file()).write(rows).has_value());

    const std::string url = make_database();
    const auto moved = transfer_to(url);
    ASSERT_TRUE(moved.has_value()) << moved.error().message();
    std::map<std::string, std::int64_t> counts;
    for (const TableTally& table : moved->tally.tables()) {
        counts[std::string(table.name)] = table.tally.rows;
    }
    EXPECT_EQ(counts, (std::map<std::string, std::int64_t>{{"claims", 4},
                                                           {"jobs", 6},
                                                           {"results", 6},
                                                           {"attempts", 12},
                                                           {"groups", 1},
                                                           {"schedules", 1},
                                                           {"bulkRuns", 2},
                                                           {"apiTokens", 2},
                                                           {"decisions", 2},
                                                           {"blockers", 2},
                                                           {"contents", 1},
                                                           {"sources", 2},
                                                           {"responses", 1}}));
    const auto store = open_database(url);
    StoreDriver target(*store);
    const Loaded loaded = target.look({.claims = {full_claim(1).id}});
    ASSERT_EQ(loaded.claims.size(), 1U);
    EXPECT_EQ(loaded.claims.front(), full_claim(1)) << "with its receipt";
    const Loaded fences = target.look({.claims = {held_fence(3).id, sealed_fence(4).id},
                                       .contents = {{held_fence(3).id, Hash256()}},
                                       .sources = {full_source(3).key, free.key}});
    EXPECT_THAT(fences.claims, ElementsAre(held_fence(3), sealed_fence(4)));
    ASSERT_EQ(fences.contents.size(), 1U);
    EXPECT_EQ(fences.contents.front().second.json, R"({ "a": 1.0 })");
    EXPECT_THAT(fences.sources, ElementsAre(full_source(3), free));
    EXPECT_EQ(target.get_response(kept_body(9).id), "sent");
    EXPECT_EQ(target.list_api_tokens().size(), 2U);
    EXPECT_EQ(target.list_api_tokens().front(), full_api_token(1));
    EXPECT_EQ(target.get_bulk_run(ended.tenant, ended.id), ended);
}

TEST_F(Transfer, AnActionFromBeforeIsADuplicateAndItsOwnerGoesOn) {
    Token lost{};
    Token held{};
    JobId job;
    {
        const auto store = open_file();
        StoreDriver source(*store);
        const auto [made] = source.run(one_action("order-1"));
        job = first_of(made).action.job.id;
        const auto [first] = source.run(take_mail());
        lost = std::get<TakeJobs::Outcome>(first).at(0).job.token;
        const auto [released] = source.run(SettleJobs{
            .tenant = "acme", .calls = {JobCall{.id = job, .token = lost, .verb = Verb::release}}});
        ASSERT_TRUE(std::holds_alternative<SettleJobs::Outcome>(released));
        const auto [second] = source.run(take_mail());
        held = std::get<TakeJobs::Outcome>(second).at(0).job.token;
    }
    const std::string url = make_database();
    ASSERT_TRUE(transfer_to(url).has_value());
    const auto store = open_database(url);
    StoreDriver target(*store);
    const auto [again] = target.run(one_action("order-1"));
    EXPECT_EQ(first_of(again).decision, Decision::duplicate);
    EXPECT_EQ(first_of(again).action.job.id, job);
    const auto settled = [&](Token token) {
        const auto [reply] = target.run(complete(job, token));
        return std::holds_alternative<JobAnswer>(std::get<SettleJobs::Outcome>(reply).at(0));
    };
    EXPECT_FALSE(settled(lost));
    EXPECT_TRUE(settled(held));
    EXPECT_EQ(target.get_action("acme", job)->view.job.status, Status::completed);
}

TEST_F(Transfer, TimeAndNumbersGoOnBehindTheSource) {
    fill(3, 60);
    const std::string url = make_database();
    ASSERT_TRUE(transfer_to(url).has_value());
    now_ms -= Millis(std::chrono::hours(5)).count();  // the database server's clock is behind
    const auto store = open_database(url);
    EXPECT_GT(to_ms(store->now()), now_ms + Millis(std::chrono::hours(5)).count());
    const auto last = StoreDriver(*store).list_decisions("acme", std::nullopt, 1).at(0).sequence;
    StoreDriver target(*store);
    const auto [made] = target.run(one_action("new"));
    EXPECT_EQ(first_of(made).decision, Decision::new_);
    EXPECT_GT(target.list_decisions("acme", std::nullopt, 1).at(0).sequence, last);
}

TEST_F(Transfer, TheSourceIsLeftAsItIs) {
    fill(1, 100);
    const std::string before = bytes_of(file);
    ASSERT_FALSE(before.empty());
    ASSERT_TRUE(transfer_to(make_database()).has_value());
    EXPECT_EQ(bytes_of(file), before);
}

TEST_F(Transfer, CommitsThatAProcessLeftInItsLogAreMovedToo) {
    const auto store = open_file();
    ASSERT_TRUE(StoreDriver(*store).write(inserting({ready_job(1), ready_job(2)})).has_value());
    const TempFolder other;
    for (const char* suffix : {"", "-wal"}) {
        std::filesystem::copy_file(file + suffix, other.file("semel.db") + suffix);
    }
    ASSERT_GT(std::filesystem::file_size(other.file("semel.db-wal")), 0U);
    const std::string url = make_database();
    const auto source = open_transfer_source(other.file("semel.db"));
    ASSERT_TRUE(source.has_value()) << source.error().message();
    const auto target = open_transfer_target(url);
    ASSERT_TRUE(transfer_rows(**source, **target, [](auto, auto) { return true; }).has_value());
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.ready"), "2");
}

}  // namespace
}  // namespace semel::test
