// Decisions on many actions at once.
#include <numeric>

#include "core/cycle.hpp"
#include "core/decide.hpp"
#include "core/operate.hpp"

namespace semel {
namespace {

// Why an action that was found is left as it is; empty: nothing stands against it.
std::string try_one(Workspace& workspace, const BulkRun& run, const JobId& id) {
    const Job* job = workspace.jobs.find(id);
    const bool matches = job != nullptr && job->tenant == run.tenant && run.filter.matches(*job);
    if (!matches) {
        return std::string(kNoLongerMatching);
    }
    const auto problem = operate(workspace, *job, run.operation, false);
    return problem ? std::string(to_string(problem->code)) : "";
}

std::int64_t looked_at(const BulkRun& run) {
    return std::accumulate(
        run.skipped.begin(), run.skipped.end(), run.done,
        [](std::int64_t sum, const auto& reason) { return sum + reason.second; });
}

// What matched at the start and was not met again had changed before the walk came by.
void finish(BulkRun& run, Time now) {
    run.finished_at = now;
    const std::int64_t missing = run.matched - looked_at(run);
    if (missing > 0) {
        run.skipped[std::string(kNoLongerMatching)] += missing;
    }
}

}  // namespace

void name_rows(const StartBulk&, LoadSpec&) {}

Reply<StartBulk> decide(const StartBulk& command, Workspace& workspace) {
    BulkRun run;
    run.id = workspace.new_id_after(command.matched.newest);
    run.tenant = command.tenant;
    run.operation = command.operation;
    run.filter = command.filter;
    run.dry_run = command.dry_run;
    run.matched = command.matched.count;
    run.created_at = workspace.now();
    workspace.bulk_runs.put(run.id, run);
    return run;
}

void name_rows(const StepBulk& command, LoadSpec& spec) {
    spec.bulk_runs.push_back(command.run);
    for (const JobId& id : command.actions) {
        spec.jobs.push_back({.id = id,
                             .claim = true,
                             .blockers = command.reopens_in.has_value(),
                             .may_wait = true});
    }
    if (command.reopens_in) {
        name_graph(*command.reopens_in, spec);
    }
}

Reply<StepBulk> decide(const StepBulk& command, Workspace& workspace) {
    const BulkRun* known = workspace.bulk_runs.find(command.run);
    if (known == nullptr) {
        return not_found("there is no bulk run with this id");
    }
    if (known->finished_at) {
        return *known;  // a step that was read before the last one was decided
    }
    BulkRun run = *known;
    bool is_last = command.is_last;
    for (const JobId& id : command.actions) {
        if (workspace.is_left_out(id)) {
            is_last = false;  // the next step begins with it
            break;
        }
        if (run.cursor && id <= *run.cursor) {
            continue;  // a commit whose answer was lost has been here
        }
        run.cursor = id;
        workspace.begin_item();
        std::string reason = try_one(workspace, run, id);
        if (const auto refusal = workspace.refusal_of_locked_item()) {
            reason = to_string(refusal->code);
        }
        ++(reason.empty() ? run.done : run.skipped[reason]);
    }
    if (run.dry_run) {
        workspace.roll_back();
    }
    if (is_last) {
        finish(run, workspace.now());
    }
    workspace.bulk_runs.put(command.run, run);
    return run;
}

}  // namespace semel
