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
    rows.open_bulk_runs = driver_.list_open_bulk_runs();
    rows.edges = edges(rows.actions);
    return rows;
}

std::vector<Edge> StoreWorld::edges(const std::vector<ActionView>& actions) {
    LoadSpec spec;
    for (const ActionView& view : actions) {
        if (view.job.blockers > 0) {
            spec.jobs.push_back({.id = view.job.id, .stays = true, .blockers = true});
        }
    }
    return spec.jobs.empty() ? std::vector<Edge>() : driver_.look(spec).edges;
}

std::string StoreWorld::chains_text(const std::string& tenant) {
    std::string text;
    const auto add = [&](const ChainFilter& filter) {
        for (const ChainView& chain : driver_.list_chains(tenant, filter)) {
            text += to_text(chain) + "\n";
        }
    };
    add({});
    for (const Status status : {Status::blocked, Status::pending, Status::running,
                                Status::completed, Status::failed, Status::cancelled}) {
        text += fmt::format("{}\n", to_string(status));
        add({.status = status});
    }
    for (const ChainView& chain : driver_.list_chains(tenant)) {
        for (const StepView& step : driver_.list_steps(tenant, chain.first.id)) {
            text += to_text(step.view) + to_text(step.blockers) + "\n";
        }
    }
    return text;
}

// What the claims were first asked for with, and their sources.
std::string StoreWorld::fences_text(const std::vector<Claim>& claims) {
    LoadSpec spec{.sources = RandomCommands::sources()};
    for (const Claim& claim : claims) {
        spec.claims.push_back(claim.id);
        spec.contents.push_back({claim.id, Hash256()});
    }
    const Loaded loaded = driver_.look(std::move(spec));
    std::string text;
    for (const auto& [id, content] : loaded.contents) {
        text += fmt::format("{} {}\n", id.to_hex(), content.json);
    }
    for (const Source& source : loaded.sources) text += to_text(source) + "\n";
    return text;
}

std::string StoreWorld::to_text_all() {
    const StoredRows all = rows();
    std::string text;
    for (const ActionView& view : all.actions) {
        text += to_text(view) + "\n";
        const auto details = driver_.get_action(view.job.tenant, view.job.id);
        for (const Attempt& attempt : details->history) text += to_text(attempt) + "\n";
        text += to_text(details->blockers) + "\n";
    }
    for (const LockGroup& group : all.groups) {
        text += fmt::format("{} {} {}\n", group.key.tenant, group.key.name, group.head.to_string());
    }
    for (const ScheduleView& view : all.schedules) text += to_text(view) + "\n";
    for (const BulkRun& run : all.open_bulk_runs) text += to_text(run) + "\n";
    for (const Claim& claim : all.claims) {
        text += to_text(claim) + "\n";
        const auto read = driver_.get_claim(claim.tenant, claim.id);
        text += (read == claim ? "" : "and read " + (read ? to_text(*read) : "-")) + "\n";
    }
    text += fences_text(all.claims);
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

namespace {

// The jobs of a chain, and where it is asked for of those that they waited for.
void add_deleted(const DeleteChain& command, const StoredRows& before, std::set<JobId>& ids) {
    std::vector<JobId> open{command.chain};
    std::set<JobId> seen;
    while (!open.empty()) {
        const JobId chain = open.back();
        open.pop_back();
        if (!seen.insert(chain).second) continue;
        std::set<JobId> jobs;
        for (const ActionView& view : before.actions) {
            if (view.job.chain == chain) jobs.insert(view.job.id);
        }
        for (const Edge& edge : before.edges) {
            if (command.cascade && jobs.contains(edge.key.blocked)) open.push_back(edge.blocker);
        }
        ids.insert(jobs.begin(), jobs.end());
    }
}

}  // namespace

std::set<JobId> retried_by(const std::vector<AnyCommand>& batch, const StoredRows& before) {
    std::set<JobId> ids;
    for (const AnyCommand& command : batch) {
        if (const auto* operate = std::get_if<OperateAction>(&command)) {
            if (operate->operation == Operation::retry) ids.insert(operate->id);
        }
        if (const auto* deletion = std::get_if<DeleteChain>(&command)) {
            add_deleted(*deletion, before, ids);
        }
        if (const auto* step = std::get_if<StepBulk>(&command)) {
            for (const BulkRun& run : before.open_bulk_runs) {
                if (run.id == step->bulk_run && run.operation == Operation::retry && !run.dry_run) {
                    ids.insert(step->actions.begin(), step->actions.end());
                }
            }
        }
    }
    return ids;
}

}  // namespace semel::test
