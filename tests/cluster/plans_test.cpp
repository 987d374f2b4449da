// How PostgreSQL carries out what a batch asks of it, on a database that was just made and that
// nobody has analysed.
#include <regex>
#include <set>
#include <sstream>

#include "cluster/cluster.hpp"
#include "store/postgres/postgres_store.hpp"

namespace semel::test {
namespace {

constexpr int kActions = 400;

// Some with keys, some in lock groups, some for later, some twice; all but the last are handled.
void live(const std::string& url) {
    Record<std::string> handled;  // outlives the node, whose handlers write to it
    const auto node = open_node(url);
    node->handle("step", [&handled](const Work& work) {
        handled.add(work.payload);
        return done();
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

// The plans of the backends that set up batches, by their numbers in the log.
std::vector<std::string> seq_scans(const std::string& log) {
    const std::regex line_start(R"(^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] )");
    const std::regex big_table(
        R"(Seq Scan on (job|claim|ready|later|waiting|job_result|attempt|lock_group|schedule|)"
        R"(bulk_run|decision|commit_mark)\b)");
    std::map<std::string, std::vector<std::string>> found;  // by backend
    std::set<std::string> writers;
    std::string backend;
    std::string query;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, line_start)) backend = match[1];
        if (line.find("Query Text:") != std::string::npos) query = line;
        if (line.find("set_config('enable_seqscan'") != std::string::npos) writers.insert(backend);
        if (std::regex_search(line, big_table)) {
            found[backend].emplace_back(query).append("\n").append(line);
        }
    }
    EXPECT_FALSE(writers.empty()) << "the log has no plans, so nothing was proved";
    std::vector<std::string> scans;
    for (const std::string& writer : writers) {
        scans.insert(scans.end(), found[writer].begin(), found[writer].end());
    }
    return scans;
}

TEST(ClusterPlans, ABatchReadsNoLargeTableWholeOnADatabaseThatWasJustMade) {
    PostgresServer server({.settings = {"shared_preload_libraries=auto_explain",
                                        "auto_explain.log_min_duration=0", "autovacuum=off"}});
    const std::string url = server.make_database();
    ASSERT_TRUE(migrate_postgres_schema(url).has_value());  // whose own statements may read all
    live(url);
    for (const std::string& scan : seq_scans(server.log())) ADD_FAILURE() << scan;
}

TEST(ClusterPlans, TakingAJobMovesNoIndex) {
    const std::string url = PostgresServer::shared().make_database();
    live(url);
    // What a backend did is counted when it has ended, a moment after its client.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    int updated = 0;
    while (updated < kActions && std::chrono::steady_clock::now() < deadline) {
        updated = std::stoi(
            ask_postgres(url, "select n_tup_upd from pg_stat_user_tables where relname = 'job'"));
    }
    EXPECT_GE(updated, kActions);
    EXPECT_GT(std::stoi(ask_postgres(
                  url, "select n_tup_hot_upd from pg_stat_user_tables where relname = 'job'")),
              kActions / 2);
}

}  // namespace
}  // namespace semel::test
