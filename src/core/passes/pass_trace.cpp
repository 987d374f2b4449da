#include "core/passes/pass_trace.hpp"

#include "core/fences/fence_trace.hpp"

namespace semel {
namespace {

Decision decision_of(const Item<PassAnswer>& answer) {
    if (const auto* given = std::get_if<PassAnswer>(&answer)) {
        return given->decision;
    }
    return std::get<Problem>(answer).code == ProblemCode::uncertain ? Decision::uncertain
                                                                    : Decision::conflict;
}

}  // namespace

DecisionEntry admission_entry(const AdmitPass& command, const Claim& decider,
                              const Item<PassAnswer>& answer, std::string_view rule, Time now) {
    DecisionEntry entry = entry_about(decider, decision_of(answer), rule, now);
    entry.other_claim.reset();
    for (const auto* asked : {&command.request.key, &command.request.guard}) {
        if (*asked && (*asked)->claim != decider.id) {
            entry.other_claim = (*asked)->claim;
        }
    }
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        entry.diff_bytes = problem->diff_json.size();
    }
    return entry;
}

void trace(Workspace& workspace, const AdmitPass& command, const Claim& decider,
           const Item<PassAnswer>& answer, std::string_view rule) {
    workspace.record(admission_entry(command, decider, answer, rule, workspace.now()));
}

}  // namespace semel
