#include "support/store_world.hpp"

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

constexpr int kAll = 1'000'000;

}  // namespace

MatchedActions StoreWorld::count(const std::string& tenant, const ActionFilter& filter) {
    return driver_.count_actions(tenant, filter);
}

std::vector<JobId> StoreWorld::walk(const BulkRun& run, int limit) {
    return driver_.walk_actions(run.tenant, run.filter, run.cursor, run.id, limit);
}

StoredRows StoreWorld::rows() {
    StoredRows rows;
    LoadSpec spec;
    spec.groups = RandomCommands::groups();
    spec.claims = RandomCommands::claims();
    Loaded loaded = driver_.look(spec);
    rows.now = loaded.now;
    rows.groups = std::move(loaded.groups);
    rows.claims = std::move(loaded.claims);
    for (const std::string& tenant : RandomCommands::tenants()) {
        for (ActionView& view : driver_.list_actions(tenant)) {
            rows.actions.push_back(std::move(view));
        }
        for (ScheduleView& view : driver_.list_schedules(tenant, std::nullopt, kAll)) {
            rows.schedules.push_back(std::move(view));
        }
    }
    rows.open_runs = driver_.list_open_bulk_runs();
    return rows;
}

// With their jobs, and what those wait for.
std::string StoreWorld::chains_text(const std::string& tenant) {
    using Chains = std::vector<ChainView>;
    const auto chains = driver_
                            .read<Chains>([&](Reads& reads, Done<Chains> done) {
                                reads.list_chains(tenant, {}, std::nullopt, kAll, std::move(done));
                            })
                            .value();
    std::string text;
    for (const ChainView& chain : chains) {
        using Steps = std::vector<StepView>;
        const auto steps =
            driver_
                .read<Steps>([&](Reads& reads, Done<Steps> done) {
                    reads.list_steps(tenant, chain.first.id, 0, kAll, std::move(done));
                })
                .value();
        text += "chain " + to_text(chain) + "\n";
        for (const StepView& step : steps) {
            text += "step " + to_text(step.view) + "\n";
            for (const BlockerView& blocker : step.blockers) text += to_text(blocker) + "\n";
        }
    }
    return text;
}

std::string StoreWorld::to_text_all() {
    const StoredRows all = rows();
    std::string text;
    for (const ActionView& view : all.actions) {
        text += to_text(view) + "\n";
        const auto details = driver_.get_action(view.job.tenant, view.job.id);
        for (const Attempt& attempt : details->history) text += to_text(attempt) + "\n";
    }
    for (const LockGroup& group : all.groups) {
        text += fmt::format("{} {} {}\n", group.key.tenant, group.key.name, group.head.to_string());
    }
    for (const ScheduleView& view : all.schedules) text += to_text(view) + "\n";
    for (const BulkRun& run : all.open_runs) text += to_text(run) + "\n";
    for (const Claim& claim : all.claims) text += to_text(claim) + "\n";
    for (const std::string& tenant : RandomCommands::tenants()) {
        text += chains_text(tenant);
        for (const auto& logged : driver_.list_decisions(tenant)) {
            text += to_text(logged.entry) + "\n";
        }
    }
    for (const JobCount& count : driver_.count_jobs()) {
        text += fmt::format("{} {} {}\n", count.type, to_string(count.status), count.count);
    }
    return text;
}

std::set<JobId> retried_by(const std::vector<AnyCommand>& batch, const StoredRows& before) {
    std::set<JobId> ids;
    for (const AnyCommand& command : batch) {
        if (const auto* operate = std::get_if<OperateAction>(&command)) {
            if (operate->operation == Operation::retry) ids.insert(operate->id);
        }
        if (const auto* step = std::get_if<StepBulk>(&command)) {
            for (const BulkRun& run : before.open_runs) {
                if (run.id == step->run && run.operation == Operation::retry && !run.dry_run) {
                    ids.insert(step->actions.begin(), step->actions.end());
                }
            }
        }
    }
    return ids;
}

}  // namespace semel::test
