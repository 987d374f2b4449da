// Schedules that all nodes put at once, as programs do when they start.
#include <latch>
#include <map>
#include <thread>

#include "cluster/cluster.hpp"
#include "core/schedules/schedule_request.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"
#include "support/planted.hpp"

namespace semel::test {
namespace {

constexpr int kServers = 8;
constexpr std::size_t kSlots = 5;

// Its slots lie a second apart and begin in the past: the first few are due at once.
PutSchedule put_tick(Host& host) {
    const Time start = host.store().now() - std::chrono::seconds(kSlots);
    const std::string body = R"({"type":"tick","every":"PT1S","missed":"all","startAt":")" +
                             format_rfc3339(start) + R"("})";
    const auto document = json::Document::parse(body);
    auto spec = read_schedule_request(document->root(), host.node().settings());
    return {.key = {.tenant = "default", .name = "tick"},
            .spec = std::get<ScheduleSpec>(std::move(spec))};
}

// A node from its start to its end: it puts the schedule, and works until there are enough slots.
void live(const std::string& url, std::latch& ready, Record<Time>& slots) {
    Observer observer;
    auto store = open_store(url);
    ASSERT_TRUE(store.has_value()) << store.error().message();
    Host host(std::move(*store), NodeOptions{}, observer);
    host.add_handler("tick", {}, [&slots](const TakenJob& job, const std::stop_token&) {
        slots.add(*job.job.occurrence->slot);
        return semel::done();
    });
    host.start();
    ready.arrive_and_wait();
    const auto put = host.execute(put_tick(host));
    EXPECT_TRUE(put.has_value()) << put.error().message();
    static_cast<void>(slots.wait_for(kSlots));
    host.stop(std::chrono::seconds(5));
}

TEST(ClusterSchedules, NodesThatStartTogetherMakeOneOccurrencePerSlot) {
    const int rounds = times_of("SEMEL_START_ROUNDS", 5);
    int occurrences = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::string url = PostgresServer::shared().make_database();
        std::latch ready(kServers);
        Record<Time> slots;
        std::vector<std::thread> nodes;
        for (int i = 0; i < kServers; ++i) {
            nodes.emplace_back([&] { live(url, ready, slots); });
        }
        for (std::thread& node : nodes) node.join();
        std::map<Time, int> times;
        for (const Time slot : slots.wait_for(kSlots)) ++times[slot];
        for (const auto& [slot, count] : times) EXPECT_EQ(count, 1) << format_rfc3339(slot);
        EXPECT_EQ(ask_postgres(url, "select count(*) from semel.schedule"), "1");
        EXPECT_EQ(ask_postgres(url, "select count(*) - count(distinct slot) from semel.job"), "0");
        occurrences += static_cast<int>(times.size());
    }
    std::cout << "starts " << rounds << " occurrences " << occurrences << "\n";
}

}  // namespace
}  // namespace semel::test
