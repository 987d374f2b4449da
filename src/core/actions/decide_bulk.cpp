// Decisions on many actions at once.
#include <numeric>

#include "core/actions/operate.hpp"
#include "core/chains/cycle.hpp"
#include "core/decide.hpp"

namespace semel {
namespace {

// Why an action that was found is left as it is; empty: nothing stands against it.
std::string try_one(Workspace& workspace, const BulkRun& bulk_run, const JobId& id) {
    const Job* job = workspace.jobs.find(id);
    const bool matches =
        job != nullptr && job->tenant == bulk_run.tenant && bulk_run.filter.matches(*job);
    if (!matches) {
        return std::string(kNoLongerMatching);
    }
    const auto problem = operate(workspace, *job, bulk_run.operation, false);
    return problem ? std::string(to_string(problem->code)) : "";
}

std::int64_t looked_at(const BulkRun& bulk_run) {
    return std::accumulate(
        bulk_run.skipped.begin(), bulk_run.skipped.end(), bulk_run.done,
        [](std::int64_t sum, const auto& reason) { return sum + reason.second; });
}

// Ends the run. Actions that matched at the start and were not found again count as skipped,
// because they have changed.
void finish(BulkRun& bulk_run, Time now) {
    bulk_run.finished_at = now;
    const std::int64_t missing = bulk_run.matched - looked_at(bulk_run);
    if (missing > 0) {
        bulk_run.skipped[std::string(kNoLongerMatching)] += missing;
    }
}

}  // namespace

void name_rows(const StartBulk&, LoadSpec&) {}

Reply<StartBulk> decide(const StartBulk& command, Workspace& workspace) {
    BulkRun bulk_run;
    bulk_run.id = workspace.new_id_after(command.matched.newest);
    bulk_run.tenant = command.tenant;
    bulk_run.operation = command.operation;
    bulk_run.filter = command.filter;
    bulk_run.dry_run = command.dry_run;
    bulk_run.matched = command.matched.count;
    bulk_run.created_at = workspace.now();
    workspace.bulk_runs.put(bulk_run.id, bulk_run);
    return bulk_run;
}

void name_rows(const StepBulk& command, LoadSpec& spec) {
    spec.bulk_runs.push_back(command.bulk_run);
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
    const BulkRun* known = workspace.bulk_runs.find(command.bulk_run);
    if (known == nullptr) {
        return not_found("there is no bulk run with this id");
    }
    if (known->finished_at) {
        return *known;  // a step that was read before the last one was decided
    }
    BulkRun bulk_run = *known;
    bool is_last = command.is_last;
    for (const JobId& id : command.actions) {
        if (workspace.is_left_out(id)) {
            is_last = false;  // the next step begins with it
            break;
        }
        if (bulk_run.cursor && id <= *bulk_run.cursor) {
            continue;  // a commit whose answer was lost has been here
        }
        bulk_run.cursor = id;
        workspace.begin_item();
        std::string reason = try_one(workspace, bulk_run, id);
        if (const auto refusal = workspace.refusal_of_locked_item()) {
            reason = to_string(refusal->code);
        }
        ++(reason.empty() ? bulk_run.done : bulk_run.skipped[reason]);
    }
    if (bulk_run.dry_run) {
        workspace.roll_back();
    }
    if (is_last) {
        finish(bulk_run, workspace.now());
    }
    workspace.bulk_runs.put(command.bulk_run, bulk_run);
    return bulk_run;
}

}  // namespace semel
