// How PostgreSQL carries out what a batch asks of it, on a database that was just made: nobody has
// analysed it, or somebody has while it was empty.
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cluster/cluster.hpp"
#include "core/chains/chain_request.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

constexpr int kActions = 400;
constexpr int kChains = 40;

// Some with keys, some in lock groups, some for later, some twice; all but the last are handled.
void live(const std::string& url) {
    Record<std::string> handled;  // outlives the node, whose handlers write to it
    const auto node = open_node(url);
    node->handle("step", [&handled](const Work& work) {
        handled.add(work.payload);
        return semel::done();
    });
    node->start();
    for (int round = 0; round < 2; ++round) {
        std::vector<ActionSpec> actions;
        for (int i = 0; i < kActions; ++i) {
            ActionSpec action;
            action.type = "step";
            action.payload = "{\"entityId\":" + std::to_string(i) + "}";
            action.lock_group = i % 4 == 0 ? "line" + std::to_string(i % 20) : "";
            action.deduplication.window = std::chrono::hours(1);
            actions.push_back(action);
        }
        actions.back().delay = std::chrono::hours(1);
        ASSERT_TRUE(node->schedule_all(actions).has_value());
    }
    static_cast<void>(handled.wait_for(kActions - 1));
}

Continuation follow(const JobId& blocker) {
    const auto document = json::Document::parse(
        fmt::format(R"({{"type":"next","blockers":["{}"]}})", blocker.to_string()));
    return std::get<Continuation>(read_continuation(document->root(), "default", Settings{}, ""));
}

template <typename Command>
Reply<Command> run(Host& host, Command command) {
    auto reply = host.execute(std::move(command));
    EXPECT_TRUE(reply.has_value()) << reply.error().message();
    return std::move(*reply);
}

JobId start_chain(Host& host, const std::string& body) {
    const auto document = json::Document::parse(body);
    StartChains command{.tenant = "default", .items = {}};
    command.items.push_back(read_chain_request(document->root(), "default", Settings{}, ""));
    const auto reply = run(host, command);
    return std::get<StartedChain>(std::get<StartChains::Outcome>(reply).front()).chain.first.id;
}

// Chains that go on, wait, fail and are pruned, and whoever looks at them.
void live_with_chains(const std::string& url) {
    Observer silent;
    Host host(open_store(url).value(), NodeOptions{}, silent);
    host.start();
    for (int i = 0; i < kChains; ++i) {
        const JobId first = start_chain(
            host, fmt::format(R"({{"type":"first","deduplication":{{"key":"{}"}}}})", i));
        const JobId second = start_chain(
            host, fmt::format(R"({{"type":"second","blockers":["{}"]}})", first.to_string()));
        run(host, CompleteChain{.tenant = "default", .chain = first});
        run(host,
            CompleteChain{.tenant = "default", .chain = second, .continue_with = follow(first)});
        run(host, CompleteChain{.tenant = "default", .chain = second, .chain_index = 1});
        const JobId third = start_chain(
            host, fmt::format(R"({{"type":"third","blockers":["{}",{{"type":"fourth"}}]}})",
                              first.to_string()));
        run(host, CancelChain{.tenant = "default", .chain = third});
    }
    run(host, FailDependants{});
    run(host, PruneJobs{});
    StoreDriver looking(host.store());
    for (const Status status : {Status::completed, Status::cancelled, Status::pending}) {
        using Chains = std::vector<ChainView>;
        const auto chains = looking.read<Chains>([&](Reads& reads, Done<Chains> done) {
            reads.list_chains("default", {.status = status}, std::nullopt, 10, std::move(done));
        });
        ASSERT_TRUE(chains.has_value()) << chains.error().message();
        for (const ChainView& chain : *chains) {
            using Steps = std::vector<StepView>;
            EXPECT_TRUE(looking
                            .read<Steps>([&](Reads& reads, Done<Steps> done) {
                                reads.list_steps("default", chain.first.id, 0, 10, std::move(done));
                            })
                            .has_value());
        }
    }
}

// Of the plans of the backends that set up batches, by their numbers in the log: what reads a large
// table whole, also by an index; only a look for the first few rows may name none.
std::vector<std::string> whole_scans(const std::string& log) {
    const std::regex line_start(R"(^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] )");
    const std::string tables =
        R"((job|claim|edge|ready|later|waiting|job_result|attempt|lock_group|schedule|)"
        R"(bulk_run|decision|commit_mark)\b)";
    const std::regex by_heap("Seq Scan on " + tables);
    const std::regex by_index("Index (Only )?Scan using \\S+ on " + tables);
    const std::regex changes("Query Text: (with touched as \\()?(delete from|update) semel\\.");
    std::string index_scan;                                 // the line before, if it is one
    std::map<std::string, std::vector<std::string>> found;  // by backend
    std::set<std::string> writers;
    bool has_changes = false;
    std::string backend;
    std::string query;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, line_start)) backend = match[1];
        if (line.find("Query Text:") != std::string::npos) query = line;
        if (line.find("set_config('enable_seqscan'") != std::string::npos) writers.insert(backend);
        if (!index_scan.empty() && line.find("Index Cond:") == std::string::npos) {
            found[backend].emplace_back(query).append("\n").append(index_scan);
        }
        const bool is_change = std::regex_search(query, changes);
        has_changes = has_changes || is_change;
        index_scan = is_change && std::regex_search(line, by_index) ? line : "";
        if (std::regex_search(line, by_heap)) {
            found[backend].emplace_back(query).append("\n").append(line);
        }
    }
    EXPECT_TRUE(has_changes && !writers.empty()) << "the log has no plans: nothing was proved";
    std::vector<std::string> scans;
    for (const std::string& writer : writers) {
        scans.insert(scans.end(), found[writer].begin(), found[writer].end());
    }
    return scans;
}

enum class Analysed { never, when_empty };

void expect_no_whole_scans(Analysed analysed, const std::string& parameters) {
    PostgresServer server({.settings = {"shared_preload_libraries=auto_explain",
                                        "auto_explain.log_min_duration=0", "autovacuum=off"}});
    const std::string database = server.make_database();
    ASSERT_TRUE(migrate_postgres_schema(database).has_value());  // whose own may read all
    if (analysed == Analysed::when_empty) ask_postgres(database, "analyze");
    live(database + parameters);
    live_with_chains(database + parameters);
    for (const std::string& scan : whole_scans(server.log())) ADD_FAILURE() << scan;
}

TEST(ClusterPlans, ABatchReadsNoLargeTableWholeOnADatabaseThatWasJustMade) {
    expect_no_whole_scans(Analysed::never, "");
}

TEST(ClusterPlans, NorWhereItWasAnalysedWhileItWasEmptyAndPlansAreKept) {
    expect_no_whole_scans(Analysed::when_empty, "?prepared=true");
}

}  // namespace
}  // namespace semel::test
