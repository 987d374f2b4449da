// Chains on several nodes: a key is one chain's, and whoever waits for chains is released, once.
#include <barrier>
#include <latch>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "cluster/cluster.hpp"
#include "core/chain_request.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"
#include "support/planted.hpp"

namespace semel::test {
namespace {

constexpr std::size_t kNodes = 2;

class Hosts {
public:
    explicit Hosts(const std::string& url) {
        for (std::size_t i = 0; i < kNodes; ++i) {
            hosts_.push_back(
                std::make_unique<Host>(open_store(url).value(), NodeOptions{}, silent_));
        }
    }
    ~Hosts() {
        for (const auto& host : hosts_) host->stop(std::chrono::seconds(5));
    }
    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    Host& operator[](std::size_t i) { return *hosts_.at(i); }
    void start() {
        for (const auto& host : hosts_) host->start();
    }

private:
    Observer silent_;
    std::vector<std::unique_ptr<Host>> hosts_;
};

// Starts one chain. An error is a failure of the test.
StartedChain start_chain(Host& host, const std::string& body) {
    const auto document = json::Document::parse(body);
    StartChains command{.tenant = "default", .items = {}};
    command.items.push_back(read_chain_request(document->root(), "default", Settings{}, ""));
    const auto reply = host.execute(command);
    EXPECT_TRUE(reply.has_value()) << reply.error().message();
    const auto& item = std::get<StartChains::Outcome>(*reply).front();
    const auto* started = std::get_if<StartedChain>(&item);
    EXPECT_NE(started, nullptr) << std::get<Problem>(item).detail;
    return started != nullptr ? *started : StartedChain{};
}

void complete(Host& host, const JobId& chain, const std::string& output) {
    const auto reply =
        host.execute(CompleteChain{.tenant = "default", .chain = chain, .output = output});
    ASSERT_TRUE(reply.has_value()) << reply.error().message();
    const auto* problem = std::get_if<Problem>(&*reply);
    ASSERT_EQ(problem, nullptr) << problem->detail;
}

TEST(ClusterChains, AHundredStartsOfOneKeyMakeOneChain) {
    constexpr std::size_t kStarts = 100;
    const std::string url = PostgresServer::shared().make_database();
    Hosts hosts(url);
    hosts.start();
    std::latch ready(kStarts);
    std::vector<StartedChain> started(kStarts);
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < kStarts; ++i) {
        callers.emplace_back([&, i] {
            ready.arrive_and_wait();
            started[i] = start_chain(
                hosts[i % kNodes],
                fmt::format(R"({{"type":"t","input":{},"deduplication":{{"key":"k"}}}})", i));
        });
    }
    for (std::thread& caller : callers) caller.join();
    std::set<std::string> ids;
    std::size_t made = 0;
    for (std::size_t i = 0; i < kStarts; ++i) {
        ids.insert(started[i].chain.first.id.to_string());
        if (started[i].deduplicated) continue;
        ++made;
        EXPECT_EQ(started[i].chain.input.payload, std::to_string(i));
    }
    EXPECT_EQ(made, 1U);
    EXPECT_EQ(ids.size(), 1U);
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.job"), "1");
}

// What a job was told of the chains that it waited for.
struct Released {
    JobId job;
    std::vector<std::string> outputs;
};

HandlerFunction recorder(Record<Released>& record) {
    return [&record](const TakenJob& taken, const std::stop_token&) {
        Released released{taken.job.id, {}};
        for (const BlockerView& blocker : taken.blockers) {
            released.outputs.push_back(blocker.output.value_or("none"));
        }
        record.add(std::move(released));
        return done();
    };
}

// Each round one job waits for two chains, and each node completes one of them.
std::vector<Released> complete_pairs(const std::string& url, int rounds) {
    Record<Released> record;  // outlives the nodes, whose handlers write to it
    Hosts hosts(url);
    for (std::size_t node = 0; node < kNodes; ++node) {
        hosts[node].add_handler("waiter", {}, recorder(record));
    }
    hosts.start();
    std::vector<std::vector<JobId>> blockers(kNodes);
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t node = 0; node < kNodes; ++node) {
            blockers[node].push_back(start_chain(hosts[node], R"({"type":"b"})").chain.first.id);
        }
        start_chain(hosts[0],
                    fmt::format(R"({{"type":"waiter","blockers":["{}","{}"]}})",
                                blockers[0].back().to_string(), blockers[1].back().to_string()));
    }
    std::barrier together(static_cast<std::ptrdiff_t>(kNodes));
    std::vector<std::thread> completers;
    for (std::size_t node = 0; node < kNodes; ++node) {
        completers.emplace_back([&, node] {
            for (const JobId& chain : blockers[node]) {
                together.arrive_and_wait();
                complete(hosts[node], chain, std::to_string(node));
            }
        });
    }
    for (std::thread& completer : completers) completer.join();
    return record.wait_for(static_cast<std::size_t>(rounds));
}

TEST(ClusterChains, TwoBlockersThatCompleteAtOnceReleaseWhoeverWaitsOnce) {
    const int rounds = times_of("SEMEL_BLOCKER_ROUNDS", 100);
    const std::string url = PostgresServer::shared().make_database();
    const auto released = complete_pairs(url, rounds);
    std::set<JobId> jobs;
    for (const Released& one : released) {
        jobs.insert(one.job);
        EXPECT_THAT(one.outputs, testing::ElementsAre("0", "1"));
    }
    EXPECT_EQ(jobs.size(), released.size()) << "somebody was released twice";
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.job where status = 0"), "0");
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.edge where not done"), "0");
    std::cout << "rounds " << rounds << " released " << released.size() << "\n";
}

// As long as a line of chains is that wait for one another: a continuation looks for a circle in
// it.
TEST(ClusterChains, ALongLineOfWaitsIsSearchedForACircle) {
    constexpr int kLength = 150;
    const std::string url = PostgresServer::shared().make_database();
    Hosts hosts(url);
    hosts.start();
    const JobId first = start_chain(hosts[0], R"({"type":"t"})").chain.first.id;
    JobId last = first;
    for (int i = 0; i < kLength; ++i) {
        last = start_chain(hosts[0],
                           fmt::format(R"({{"type":"t","blockers":["{}"]}})", last.to_string()))
                   .chain.first.id;
    }
    const auto follow =
        json::Document::parse(fmt::format(R"({{"type":"t","blockers":["{}"]}})", last.to_string()));
    auto continuation = read_continuation(follow->root(), "default", Settings{}, "");
    const auto reply =
        hosts[1].execute(CompleteChain{.tenant = "default",
                                       .chain = first,
                                       .continue_with = std::get<Continuation>(continuation)});
    ASSERT_TRUE(reply.has_value()) << reply.error().message();
    ASSERT_TRUE(std::holds_alternative<Problem>(*reply));
    EXPECT_EQ(std::get<Problem>(*reply).code, ProblemCode::cycle);
}

}  // namespace
}  // namespace semel::test
