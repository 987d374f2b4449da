// Tabletop: decisions on a memory store, one command at a time, at a time that the test sets.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/actions/action_request.hpp"
#include "core/decide.hpp"
#include "store/memory/memory_store.hpp"
#include "store/store.hpp"

namespace semel::test {

class Tabletop {
public:
    Tabletop()
        : store_(make_memory_store([this] { return now; })),
          committer_(store_->open_committer([](const std::function<void()>& run) { run(); })),
          random_([this] { return engine_(); }),
          ids_(random_) {}

    Time now = *parse_rfc3339("2026-03-01T12:00:00Z");
    Settings settings;

    void advance(Millis by) { now += by; }
    [[nodiscard]] const Settings& command_settings() const { return settings; }

    // Load, decide, save, commit.
    template <typename Command>
    Reply<Command> run(const Command& command) {
        return std::move(run_batch(std::vector<Command>{command}).front());
    }

    // Several commands in one commit.
    template <typename Command>
    std::vector<Reply<Command>> run_batch(const std::vector<Command>& commands) {
        LoadSpec spec;
        for (const Command& command : commands) {
            name_rows(command, spec);
        }
        std::vector<Reply<Command>> replies;
        commit(spec, [&](Workspace& workspace) {
            for (const Command& command : commands) {
                replies.push_back(decide_one(command, workspace));
            }
        });
        return replies;
    }

    // Two commands of different kinds in one commit.
    template <typename First, typename Second>
    std::pair<Reply<First>, Reply<Second>> run_together(const First& first, const Second& second) {
        LoadSpec spec;
        name_rows(first, spec);
        name_rows(second, spec);
        std::optional<Reply<First>> one;
        std::optional<Reply<Second>> two;
        commit(spec, [&](Workspace& workspace) {
            one = decide_one(first, workspace);
            two = decide_one(second, workspace);
        });
        return {std::move(*one), std::move(*two)};
    }

    Item<ActionRequest> request(const std::string& json, const std::string& tenant = "default") {
        const auto document = json::Document::parse(json);
        EXPECT_TRUE(document.has_value()) << json;
        return read_action_request(document->root(), tenant, settings, "");
    }

    Item<ScheduledAction> try_schedule(const std::string& json,
                                       const std::string& tenant = "default") {
        auto reply = run(ScheduleActions{.tenant = tenant, .items = {request(json, tenant)}});
        return std::get<ScheduleActions::Outcome>(reply).front();
    }

    ScheduledAction schedule(const std::string& json, const std::string& tenant = "default") {
        auto item = try_schedule(json, tenant);
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<ScheduledAction>(item) : ScheduledAction{};
    }

    std::vector<TakenJob> take(std::vector<std::string> types, int max = 1,
                               std::optional<std::string> tenant = "default") {
        TakeJobs command;
        command.query.tenant = std::move(tenant);
        command.query.types = std::move(types);
        command.query.limit = max;
        command.worker = "w";
        command.lease = std::chrono::seconds(15);
        return std::get<TakeJobs::Outcome>(run(command));
    }

    TakenJob take_one(const std::string& type) {
        auto jobs = take({type});
        EXPECT_EQ(jobs.size(), 1U);
        return jobs.empty() ? TakenJob{} : jobs.front();
    }

    Item<JobAnswer> call(JobCall call, const std::string& tenant = "default") {
        auto reply = run(SettleJobs{.tenant = tenant, .calls = {std::move(call)}});
        return std::get<SettleJobs::Outcome>(reply).front();
    }
    Item<JobAnswer> complete(const TakenJob& job, std::optional<std::string> output = {}) {
        return call({.id = job.job.id,
                     .token = job.job.token,
                     .verb = Verb::complete,
                     .output = std::move(output)});
    }
    Item<JobAnswer> fail(const TakenJob& job, const std::string& error = "boom",
                         bool final = false) {
        return call({.id = job.job.id,
                     .token = job.job.token,
                     .verb = Verb::fail,
                     .error = error,
                     .final = final});
    }
    Item<JobAnswer> release(const TakenJob& job) {
        return call({.id = job.job.id, .token = job.job.token, .verb = Verb::release});
    }
    Item<JobAnswer> heartbeat(const TakenJob& job,
                              std::optional<Millis> lease = std::chrono::seconds(15)) {
        JobCall beat{.id = job.job.id, .token = job.job.token, .verb = Verb::heartbeat};
        beat.lease = lease;
        return call(beat);
    }

    Reply<OperateAction> operate(Operation operation, const JobId& id, bool force = false,
                                 const std::string& tenant = "default") {
        return run(
            OperateAction{.tenant = tenant, .id = id, .operation = operation, .force = force});
    }
    UpkeepOutcome promote() { return std::get<UpkeepOutcome>(run(PromoteDue{})); }
    UpkeepOutcome rescue() { return std::get<UpkeepOutcome>(run(RescueExpired{})); }
    UpkeepOutcome prune() {
        return std::get<UpkeepOutcome>(run(PruneJobs{.retention = settings.job_retention}));
    }

    std::optional<ActionDetails> find(const JobId& id, const std::string& tenant = "default") {
        std::optional<ActionDetails> found;
        store_->reads().get_action(tenant, id, [&](auto result) { found = std::move(*result); });
        return found;
    }
    ActionDetails get(const JobId& id, const std::string& tenant = "default") {
        auto found = find(id, tenant);
        EXPECT_TRUE(found.has_value());
        return found.value_or(ActionDetails{});
    }
    Job job(const JobId& id) { return get(id).view.job; }
    Status status(const JobId& id) { return job(id).status; }
    std::vector<ActionView> list(const std::string& tenant = "default") {
        std::vector<ActionView> all;
        store_->reads().list_actions(tenant, {}, std::nullopt, 500,
                                     [&](auto result) { all = std::move(*result); });
        return all;
    }

    Reads& reads() { return store_->reads(); }
    std::optional<Claim> claim(const ClaimId& id) {
        std::optional<Claim> found;
        commit({.claims = {id}}, [&](const Workspace& workspace) {
            if (const Claim* claim = workspace.claims.find(id)) found = *claim;
        });
        return found;
    }

    // Puts a row into a state that no command of today makes.
    void edit_job(const JobId& id, const std::function<void(Job&)>& edit) {
        commit({.jobs = {{.id = id}}}, [&](Workspace& workspace) { edit(workspace.edit_job(id)); });
    }

    void edit_claim(const ClaimId& id, const std::function<void(Workspace&, Claim&)>& edit) {
        commit({.claims = {id}},
               [&](Workspace& workspace) { edit(workspace, workspace.claims.edit(id)); });
    }

    // A row that is gone, as from a damaged store.
    void lose_job(const JobId& id) {
        commit({.jobs = {{.id = id}}}, [&](Workspace& workspace) { workspace.remove_job(id); });
    }

    std::vector<DecisionEntry> decisions;
    std::vector<DecisionEntry> repeats;
    bool was_postponed = false;  // the last command: it must be decided later

private:
    template <typename Command>
    Reply<Command> decide_one(const Command& command, Workspace& workspace) {
        workspace.savepoint();
        auto reply = decide(command, workspace);
        was_postponed = workspace.met_locked();
        if (was_postponed || std::holds_alternative<Problem>(reply)) {
            workspace.roll_back();
        }
        return reply;
    }

    void commit(const LoadSpec& spec, const std::function<void(Workspace&)>& decide_all) {
        std::optional<Loaded> loaded;
        committer_->load(spec, [&](Result<Loaded> rows) { loaded = std::move(*rows); });
        Workspace workspace(std::move(*loaded), settings, ids_, random_);
        decide_all(workspace);
        const auto changes = std::make_shared<const Changes>(workspace.take_changes());
        decisions.insert(decisions.end(), changes->decisions.begin(), changes->decisions.end());
        repeats.insert(repeats.end(), changes->repeats.begin(), changes->repeats.end());
        committer_->commit(changes,
                           [](const Result<void>& done) { ASSERT_TRUE(done.has_value()); });
    }

    std::unique_ptr<Store> store_;
    std::unique_ptr<Committer> committer_;
    std::mt19937_64 engine_{7};
    std::function<std::uint64_t()> random_;
    UuidGenerator ids_;
};

// The code of a refused item or reply; nothing if it was not refused.
template <typename Variant>
std::optional<ProblemCode> code_of(const Variant& answer) {
    const auto* problem = std::get_if<Problem>(&answer);
    return problem == nullptr ? std::nullopt : std::optional(problem->code);
}

inline JobAnswer ok(const Item<JobAnswer>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    EXPECT_EQ(problem, nullptr) << problem->detail;
    return problem == nullptr ? std::get<JobAnswer>(item) : JobAnswer{};
}

}  // namespace semel::test
