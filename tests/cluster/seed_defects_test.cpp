// Contract section 9, numbers 1 and 2: what callers at one moment do to a chain, with real threads
// on real stores; each with a control that plants the defect.
#include <barrier>
#include <iostream>
#include <latch>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "cluster/cluster.hpp"
#include "cluster/hosts.hpp"
#include "support/planted.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {
namespace {

// Where it happens: a file with its one node, or a database with some.
class Place {
public:
    static Place sqlite() { return {"sqlite", 1}; }
    static Place postgres(std::size_t nodes) {
        return {nodes == 1 ? "postgres" : "two nodes", nodes};
    }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] const std::string& url() const { return url_; }

private:
    Place(const std::string& name, std::size_t nodes)
        : name_(name),
          nodes_(nodes),
          url_(name == "sqlite" ? folder_->file("semel.db")
                                : PostgresServer::shared().make_database()) {}

    std::shared_ptr<TempFolder> folder_ = std::make_shared<TempFolder>();
    std::string name_;
    std::size_t nodes_;
    std::string url_;
};

// ---- number 1: concurrent starts of one key ---------------------------------------------------

constexpr std::size_t kStarts = 100;

struct Made {
    std::size_t told = 0;      // to how many callers theirs is new
    std::size_t stored = 0;    // chains
    std::set<JobId> answered;  // ids
};

// Gives every line of commits something to do, so that those who come next share their commit.
void keep_busy(Host& host) {
    constexpr int kCommands = 8;
    constexpr std::size_t kChains = 200;
    for (int i = 0; i < kCommands; ++i) {
        StartChains command{.tenant = "default", .items = {}};
        command.items.assign(kChains, chain_request(R"({"type":"busy"})"));
        command.items.push_back(
            chain_request(fmt::format(R"({{"type":"busy","deduplication":{{"key":"{}"}}}})", i)));
        host.submit(std::move(command), [](const Result<Reply<StartChains>>&) {});
    }
}

Made start_at_once(const Place& place) {
    Hosts hosts(place.url(), place.nodes());
    hosts.start();
    std::latch ready(kStarts + 1);
    std::vector<StartedChain> started(kStarts);
    std::vector<std::thread> callers;
    callers.reserve(kStarts);
    for (std::size_t i = 0; i < kStarts; ++i) {
        callers.emplace_back([&, i] {
            const std::string body =
                fmt::format(R"({{"type":"t","input":{},"deduplication":{{"key":"k"}}}})", i);
            ready.arrive_and_wait();
            started[i] = start_chain(hosts[i], body);
        });
    }
    for (std::size_t node = 0; node < place.nodes(); ++node) keep_busy(hosts[node]);
    ready.arrive_and_wait();
    for (std::thread& caller : callers) caller.join();
    Made made;
    for (std::size_t i = 0; i < kStarts; ++i) {
        made.answered.insert(started[i].chain.first.id);
        if (!started[i].deduplicated) {
            ++made.told;
            EXPECT_EQ(started[i].chain.input.payload, std::to_string(i)) << "another's input";
        }
    }
    made.stored = list_jobs(hosts[0], {.type = "t"}).size();
    return made;
}

void expect_one_chain(const Place& place) {
    const Made made = start_at_once(place);
    EXPECT_EQ(made.told, 1U) << place.name();
    EXPECT_EQ(made.stored, 1U) << place.name();
    EXPECT_EQ(made.answered.size(), 1U) << place.name();
}

TEST(SeedDefects, N01_AHundredStartsOfOneKeyMakeOneChainOnSqlite) {
    expect_one_chain(Place::sqlite());
}

TEST(SeedDefects, N01_AHundredStartsOfOneKeyMakeOneChainOnPostgres) {
    expect_one_chain(Place::postgres(1));
}

TEST(SeedDefects, N01_AHundredStartsOfOneKeyMakeOneChainOnTwoNodes) {
    expect_one_chain(Place::postgres(2));
}

// ---- number 2: blockers that complete together ------------------------------------------------

// What became of those who waited.
struct Rounds {
    std::size_t stranded = 0;  // blocked, although both of their chains have completed
    std::size_t early = 0;     // ran before both had
    std::size_t twice = 0;     // ran again
};

// One round: a job, and the two chains that it waits for.
struct Round {
    JobId left;
    JobId right;
};

std::vector<Round> start_rounds(Host& host, int count) {
    constexpr int kAtOnce = 100;
    std::vector<Round> rounds;
    while (static_cast<int>(rounds.size()) < count) {
        const int more = std::min(kAtOnce, count - static_cast<int>(rounds.size()));
        const auto blockers = start_chains(
            host, std::vector<std::string>(static_cast<std::size_t>(2 * more), R"({"type":"b"})"));
        std::vector<std::string> waiting;
        for (std::size_t i = 0; i + 1 < blockers.size(); i += 2) {
            const Round round{blockers[i].chain.first.id, blockers[i + 1].chain.first.id};
            waiting.push_back(fmt::format(R"({{"type":"waiter","blockers":["{}","{}"]}})",
                                          round.left.to_string(), round.right.to_string()));
            rounds.push_back(round);
        }
        start_chains(host, waiting);
    }
    return rounds;
}

// Two callers, on two nodes where there are two, who meet before each round.
void complete_together(Hosts& hosts, const std::vector<Round>& rounds) {
    std::barrier together(2);
    const auto complete_all = [&](std::size_t caller, JobId Round::*side) {
        for (const Round& round : rounds) {
            together.arrive_and_wait();
            complete_chain(hosts[caller], round.*side, std::to_string(caller));
        }
    };
    std::thread other([&] { complete_all(1, &Round::right); });
    complete_all(0, &Round::left);
    other.join();
}

// The outputs of what a job waited for, as its handler got them.
struct Run {
    JobId job;
    std::vector<std::string> outputs;
};

HandlerFunction recorder(Record<Run>& runs) {
    return [&runs](const TakenJob& taken, const std::stop_token&) {
        Run run{taken.job.id, {}};
        for (const BlockerView& blocker : taken.blockers) {
            run.outputs.push_back(blocker.output.value_or("none"));
        }
        runs.add(std::move(run));
        return semel::done();
    };
}

Rounds run_rounds(const Place& place, int count) {
    Record<Run> record;  // outlives the nodes, whose handlers write to it
    Hosts hosts(place.url(), place.nodes());
    hosts.add_handler("waiter", recorder(record));
    hosts.start();
    complete_together(hosts, start_rounds(hosts[0], count));
    Rounds rounds;
    rounds.stranded = list_jobs(hosts[0], {.status = Status::blocked}).size();
    const std::size_t released = static_cast<std::size_t>(count) - rounds.stranded;
    (void)record.wait_for(released);
    hosts.stop();  // whoever was released a second time has run by now
    std::set<JobId> jobs;
    for (const Run& run : record.wait_for(released)) {
        rounds.twice += jobs.insert(run.job).second ? 0 : 1;
        rounds.early += run.outputs == std::vector<std::string>{"0", "1"} ? 0 : 1;
    }
    std::cout << fmt::format("barrier {}: rounds {} stranded {} early {} twice {}\n", place.name(),
                             count, rounds.stranded, rounds.early, rounds.twice);
    return rounds;
}

void expect_released_once(const Place& place) {
    const Rounds rounds = run_rounds(place, times_of("SEMEL_BARRIER_ROUNDS", 100));
    EXPECT_EQ(rounds.stranded, 0U) << place.name();
    EXPECT_EQ(rounds.early, 0U) << place.name();
    EXPECT_EQ(rounds.twice, 0U) << place.name();
}

TEST(SeedDefects, N02_BlockersAtABarrierStrandNobodyOnSqlite) {
    expect_released_once(Place::sqlite());
}

TEST(SeedDefects, N02_BlockersAtABarrierStrandNobodyOnPostgres) {
    expect_released_once(Place::postgres(1));
}

TEST(SeedDefects, N02_BlockersAtABarrierStrandNobodyOnTwoNodes) {
    expect_released_once(Place::postgres(2));
}

// ---- controls: the defects are seen -----------------------------------------------------------

#ifdef SEMEL_BUGGED

TEST(SeedDefectsControl, N01_AKeyThatACommitDoesNotSeeMakesSeveralChains) {
    const Planted planted(Mutation::chain_key_of_batch_unseen);
    for (const Place& place : {Place::sqlite(), Place::postgres(1), Place::postgres(2)}) {
        EXPECT_GT(start_at_once(place).told, 1U) << place.name();
    }
}

TEST(SeedDefectsControl, N02_ALastBlockerThatReleasesNobodyStrandsThem) {
    const Planted planted(Mutation::last_blocker_releases_nobody);
    EXPECT_EQ(run_rounds(Place::sqlite(), 20).stranded, 20U);
}

TEST(SeedDefectsControl, N02_ABlockerThatCountsTwiceReleasesTooEarly) {
    const Planted planted(Mutation::blocker_counts_twice);
    // Blockers that end in one commit hide it: rounds go on until two of them do not.
    std::size_t early = 0;
    for (int tries = 0; early == 0 && tries < 400; ++tries) {
        early = run_rounds(Place::sqlite(), 100).early;
    }
    EXPECT_GT(early, 0U);
}

#endif

}  // namespace
}  // namespace semel::test
