// The simulated database and a real PostgreSQL, side by side: the same random batches by several
// committers, whose loads, saves and ends come in any order, find the same rows, held or not, lose
// the same keys, and leave the same behind.
#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/stepped_store.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/random_commands.hpp"
#include "support/rows.hpp"
#include "support/store_world.hpp"

namespace semel::sim {
namespace {

using test::AnyCommand;
using test::AnyReply;

constexpr int kSeeds = 12;
constexpr int kSteps = 400;  // of each seed
constexpr int kSessions = 3;

int seeds() {
    const char* wanted = std::getenv("SEMEL_SEEDS");
    return wanted != nullptr ? std::atoi(wanted) : kSeeds;
}

// How often each thing happened, over all seeds.
std::map<std::string, int> sometimes;
GuessTally guessed;

// Time that the test moves, and a store's threads look at.
struct Clock {
    std::atomic<std::int64_t> ms = to_ms(test::kStart);

    [[nodiscard]] Time now() const { return from_ms(ms); }
    [[nodiscard]] ClockSample sample() const { return {now(), now().time_since_epoch()}; }
};

std::unique_ptr<Store> open_real(Clock& clock) {
    PostgresOptions options;
    options.url = test::PostgresServer::shared().make_database() + "?prepared=true";
    options.clock = [&clock] { return clock.sample(); };
    return std::move(open_postgres_store(options)).value();
}

// ---- what is compared -------------------------------------------------------------------------

template <typename Ids>
std::string ids_text(std::string_view what, const Ids& ids) {
    std::string text(what);
    for (const auto& id : ids) text += " " + id.to_string();
    return text + "\n";
}

template <typename Keys>
std::string keys_text(std::string_view what, const Keys& keys) {
    std::string text(what);
    for (const auto& key : keys) text += fmt::format(" {}/{}", key.tenant, key.name);
    return text + "\n";
}

std::string to_text(const LockedElsewhere& held) {
    std::string text = "held claims";
    for (const ClaimId& id : held.claims) text += " " + id.to_hex();
    for (const SourceKey& key : held.sources) text += " source " + key.id;
    return text + "\n" + ids_text("held jobs", held.jobs) + keys_text("held groups", held.groups) +
           keys_text("held schedules", held.schedules) + ids_text("held runs", held.bulk_runs);
}

std::string to_text(const std::map<JobId, std::vector<BlockerView>>& of_jobs) {
    std::string text;
    for (const auto& [job, blockers] : of_jobs) {
        text += job.to_string() + test::to_text(blockers) + "\n";
    }
    return text;
}

std::string to_text(const Loaded& loaded) {
    std::string text = fmt::format("at {}\n", to_ms(loaded.now)) + to_text(loaded.locked_elsewhere);
    for (const Claim& claim : loaded.claims) text += test::to_text(claim) + "\n";
    for (const Job& job : loaded.jobs) text += test::to_text(job) + "\n";
    for (const auto& [id, body] : loaded.bodies) text += id.to_string() + body.payload + "\n";
    for (const LockGroup& group : loaded.groups) {
        text += fmt::format("{}/{} {}\n", group.key.tenant, group.key.name, group.head.to_string());
    }
    for (const Schedule& schedule : loaded.schedules) text += test::to_text(schedule) + "\n";
    for (const BulkRun& run : loaded.bulk_runs) text += test::to_text(run) + "\n";
    for (const Edge& edge : loaded.edges) {
        text += fmt::format("{}[{}] waits for {} done {}\n", edge.key.blocked.to_string(),
                            edge.key.position, edge.blocker.to_string(), edge.done);
    }
    for (const auto& [step, id] : loaded.steps) {
        text += fmt::format("{}[{}] {}\n", step.chain.to_string(), step.index, id.to_string());
    }
    for (const Wait& wait : loaded.waits) {
        text += wait.chain.to_string() + " waits for " + wait.blocker.to_string() + "\n";
    }
    for (const Source& source : loaded.sources) text += test::to_text(source) + "\n";
    for (const auto& [id, content] : loaded.contents) {
        text += fmt::format("content of {} {}\n", id.to_hex(), content.json);
    }
    text += ids_text("taken", loaded.taken_ids);
    for (const QueryResult& found : loaded.queries) {
        text += to_text(found.blockers);
        for (const auto& [chain, jobs] : found.deletion.value_or(ChainDeletion{}).chains) {
            text += ids_text("deleted " + chain.to_string(), jobs);
        }
        for (const FinishedChain& chain : found.chains) {
            text += chain.last.to_string() + ids_text(" before", chain.before);
        }
        text += ids_text("found", found.jobs) + ids_text("found runs", found.bulk_runs);
        text += fmt::format("found {} claims, {} sources, next at {}\n", found.claims.size(),
                            found.sources.size(), found.next_at ? to_ms(*found.next_at) : 0);
    }
    return text;
}

std::string outcome_of(const Result<void>& result) {
    return result ? "done" : fmt::format("error {}", static_cast<int>(result.error().code()));
}

// A sequence is counted on when a row is inserted, not when it is committed: lines of the decision
// log that two transactions wrote beside one another may stand in either order.
std::vector<std::string> sorted_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
}

// ---- one committer, on one of the two ----------------------------------------------------------

class Session {
public:
    Session(Store& store, std::uint64_t seed)
        : driver_(store, seed), engine_(seed), random_([this] { return engine_(); }) {}

    Result<Loaded> load(const LoadSpec& spec) { return driver_.load(spec); }

    // Decides a batch as a node would: what met a held row is left out.
    std::vector<std::optional<AnyReply>> decide(const std::vector<AnyCommand>& batch,
                                                Loaded loaded) {
        Workspace workspace(std::move(loaded), settings_, ids_, random_);
        std::vector<std::optional<AnyReply>> replies;
        for (const AnyCommand& command : batch) {
            workspace.savepoint();
            AnyReply reply = std::visit(
                [&](const auto& one) { return AnyReply(semel::decide(one, workspace)); }, command);
            const bool is_left_out = workspace.met_locked();
            if (is_left_out || test::is_refused(reply)) workspace.roll_back();
            replies.push_back(is_left_out ? std::nullopt : std::optional(std::move(reply)));
        }
        changes_ = workspace.take_changes();
        return replies;
    }

    [[nodiscard]] bool has_changes() const { return !changes_.empty(); }
    Result<void> commit() { return driver_.commit(std::move(changes_)); }
    Result<void> roll_back() { return driver_.roll_back(); }

private:
    test::StoreDriver driver_;
    Settings settings_;
    std::mt19937_64 engine_;
    std::function<std::uint64_t()> random_;
    UuidGenerator ids_{random_};
    Changes changes_;
};

// The same on both, compared.
class Pair {
public:
    Pair(Store& model, Store& real, std::uint64_t seed) : model_(model, seed), real_(real, seed) {}

    [[nodiscard]] bool is_idle() const { return state_ == State::idle; }

    void step(test::RandomCommands& commands, test::BulkSource& source, test::Dice& dice) {
        switch (state_) {
            case State::idle: load(commands.next_batch(source), dice); break;
            case State::loaded: end(commands, dice.one_in(5)); break;
        }
    }
    void finish(test::RandomCommands& commands) {
        if (state_ == State::loaded) end(commands, false);
    }

private:
    enum class State { idle, loaded };

    void load(const std::vector<AnyCommand>& batch, test::Dice& dice) {
        LoadSpec spec;
        for (const AnyCommand& command : batch) {
            std::visit([&](const auto& one) { name_rows(one, spec); }, command);
        }
        spec.wait = spec.queries.empty() && dice.one_in(8);
        auto modelled = model_.load(spec);
        auto loaded = real_.load(spec);
        ASSERT_EQ(modelled.has_value(), loaded.has_value());
        if (!loaded) {
            ASSERT_EQ(modelled.error().code(), loaded.error().code());
            ++sometimes["waited in vain"];
            return;
        }
        ASSERT_EQ(to_text(*modelled), to_text(*loaded));
        if (!loaded->locked_elsewhere.empty()) ++sometimes["held"];
        const auto told = model_.decide(batch, std::move(*modelled));
        replies_ = real_.decide(batch, std::move(*loaded));
        for (std::size_t i = 0; i < told.size(); ++i) {
            ASSERT_EQ(told[i].has_value(), replies_[i].has_value());
            if (told[i]) {
                ASSERT_EQ(test::to_text(*told[i]), test::to_text(*replies_[i]));
            }
        }
        state_ = State::loaded;
    }

    void end(test::RandomCommands& commands, bool rolls_back) {
        state_ = State::idle;
        ASSERT_EQ(model_.has_changes(), real_.has_changes());
        if (rolls_back || !real_.has_changes()) {
            if (real_.has_changes()) ++sometimes["rolled back"];
            ASSERT_EQ(outcome_of(model_.roll_back()), outcome_of(real_.roll_back()));
            return;
        }
        const auto committed = real_.commit();
        ASSERT_EQ(outcome_of(model_.commit()), outcome_of(committed));
        ++sometimes[committed ? "saved" : "lost a key"];
        if (!committed) return;
        for (const auto& reply : replies_) {
            if (reply) commands.learn(*reply);
        }
    }

    Session model_;
    Session real_;
    State state_ = State::idle;
    std::vector<std::optional<AnyReply>> replies_;
};

void run_seed(std::uint64_t seed) {
    Clock clock;
    test::StoreWorld model(
        std::make_unique<SteppedStore>([&clock] { return clock.now(); }, guessed), seed);
    test::StoreWorld real(open_real(clock), seed);
    // Stores take tenants in the order in which they came, or in that of their names: let that be
    // the same.
    for (const std::string& tenant : test::RandomCommands::tenants()) {
        const ActionRequest request{.type = "nobody's", .delay = std::chrono::hours(1)};
        const std::vector<AnyCommand> first{ScheduleActions{tenant, {request}}};
        ASSERT_EQ(test::to_text(model.run(first).at(0)), test::to_text(real.run(first).at(0)));
    }
    test::RandomCommands commands(seed);
    test::Dice dice(seed);
    std::vector<std::unique_ptr<Pair>> pairs;
    for (std::uint64_t i = 1; i <= kSessions; ++i) {
        pairs.push_back(std::make_unique<Pair>(model.store(), real.store(), seed * 100 + i));
    }
    for (int step = 0; step < kSteps && !testing::Test::HasFatalFailure(); ++step) {
        if (dice.one_in(4)) clock.ms += commands.pause().count();
        dice.any_of(pairs)->step(commands, model, dice);
    }
    for (const auto& pair : pairs) {
        if (!testing::Test::HasFatalFailure()) pair->finish(commands);
    }
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    ASSERT_EQ(sorted_lines(model.to_text_all()), sorted_lines(real.to_text_all()));
}

TEST(ReadCommitted, IsTheSameInTheSimulatorAndOnPostgres) {
    const int count = seeds();
    for (int seed = 1; seed <= count; ++seed) {
        run_seed(static_cast<std::uint64_t>(seed));
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
    for (const char* name : {"held", "saved", "lost a key", "rolled back", "waited in vain"}) {
        EXPECT_GE(sometimes[name], count / 2) << name << " hardly ever happens";
    }
    EXPECT_GE(guessed.right, count / 2);
    EXPECT_GT(guessed.untested, 0);
}

}  // namespace
}  // namespace semel::sim
