// One node that writes on two connections, with calls that share keys and lock groups: its own
// streams of commits must not refuse each other's rows.
#include <atomic>
#include <future>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "cluster/hosts.hpp"
#include "core/actions/action_request.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

// What the two streams came to.
struct Tally {
    std::atomic<int> loads{0};      // with rows
    std::atomic<int> refused{0};    // of those, loads that met a row of another transaction
    std::atomic<int> not_saved{0};  // batches that the server rolled back
    std::array<std::atomic<int>, 2> commits{};  // by stream
};

// Counts what a store's committers answer.
class Counted final : public Store {
public:
    Counted(std::unique_ptr<Store> inner, Tally& tally) : inner_(std::move(inner)), tally_(tally) {}

    std::unique_ptr<Committer> open_committer(Post post) override {
        return std::make_unique<Stream>(inner_->open_committer(std::move(post)), tally_,
                                        tally_.commits.at(opened_++));
    }
    [[nodiscard]] int committers() const override { return inner_->committers(); }
    Reads& reads() override { return inner_->reads(); }
    [[nodiscard]] Time now() const override { return inner_->now(); }
    [[nodiscard]] Millis clock_offset() const override { return inner_->clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return inner_->info(); }

private:
    class Stream final : public Committer {
    public:
        Stream(std::unique_ptr<Committer> inner, Tally& tally, std::atomic<int>& commits)
            : inner_(std::move(inner)), tally_(tally), commits_(commits) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            const bool has_rows = !spec.claims.empty() || !spec.groups.empty();
            inner_->load(std::move(spec),
                         [this, has_rows, done = std::move(done)](Result<Loaded> loaded) {
                             tally_.loads += has_rows ? 1 : 0;
                             tally_.refused += !loaded || !loaded->locked_elsewhere.empty() ? 1 : 0;
                             done(std::move(loaded));
                         });
        }
        void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
            inner_->commit(std::move(changes),
                           [this, done = std::move(done)](const Result<void>& committed) {
                               ++(committed ? commits_ : tally_.not_saved);
                               done(committed);
                           });
        }
        void roll_back(Done<void> done) override { inner_->roll_back(std::move(done)); }

    private:
        std::unique_ptr<Committer> inner_;
        Tally& tally_;
        std::atomic<int>& commits_;
    };

    std::unique_ptr<Store> inner_;
    Tally& tally_;
    std::size_t opened_ = 0;
};

constexpr int kCallers = 8;
constexpr int kCalls = 40;  // of each
constexpr int kItems = 10;  // of a call
constexpr std::uint32_t kKeys = 400;
constexpr std::uint32_t kGroups = 50;

// An item's key says its lock group. A duplicate has another payload, so that each batch writes.
std::string body(std::uint32_t key, int note) {
    return fmt::format(
        R"({{"type":"t","payload":{{"note":{}}},"lockGroup":"g{}","deduplication":{{"key":"k{}","windowSeconds":60}}}})",
        note, key % kGroups, key);
}

TEST(ClusterStreams, DoNotRefuseEachOthersRows) {
    const std::string url = PostgresServer::shared().make_database();
    Tally tally;
    Observer silent;
    Host host(std::make_unique<Counted>(open_store(url + "?committers=2").value(), tally), {},
              silent);
    host.start();
    std::atomic<int> fresh = 0;
    std::vector<std::future<void>> callers;
    for (int caller = 0; caller < kCallers; ++caller) {
        callers.push_back(std::async(std::launch::async, [&, caller] {
            std::mt19937 random(static_cast<std::uint32_t>(caller));
            for (int call = 0; call < kCalls; ++call) {
                ScheduleActions command{.tenant = "default", .items = {}};
                // Some calls have one key: they keep both streams busy.
                const int items = call % 2 == 0 ? kItems : 1;
                for (int item = 0; item < items; ++item) {
                    command.items.push_back(read_action_request(
                        json::Document::parse(
                            body(static_cast<unsigned>(random() % kKeys), call * kItems + item))
                            ->root(),
                        "default", Settings{}, ""));
                }
                const auto reply = host.execute(std::move(command));
                ASSERT_TRUE(reply.has_value()) << reply.error().message();
                for (const auto& item : std::get<ScheduleActions::Outcome>(*reply)) {
                    const auto* made = std::get_if<ScheduledAction>(&item);
                    ASSERT_NE(made, nullptr) << std::get<Problem>(item).detail;
                    fresh += made->decision == Decision::new_ ? 1 : 0;
                }
            }
        }));
    }
    for (auto& caller : callers) caller.get();
    EXPECT_EQ(list_jobs(host, {}).size(), static_cast<std::size_t>(fresh.load()));
    host.stop(std::chrono::seconds(5));
    EXPECT_GT(tally.loads, 30);
    EXPECT_EQ(tally.refused, 0);
    EXPECT_EQ(tally.not_saved, 0);
    EXPECT_GT(tally.commits[0], 5);
    EXPECT_GT(tally.commits[1], 5);
}

}  // namespace
}  // namespace semel::test
