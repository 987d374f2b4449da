// The decisions: every change of a row is decided here. Each command has two functions.
//
//   name_rows  adds the rows that the command needs to a LoadSpec
//   decide     reads and changes the workspace, and returns the command's Outcome or a Problem
//
// REQUIRES: the workspace was loaded for these commands, and decides them in the order in which
// they named their rows. On a Problem, or if Workspace::met_locked() is true, the caller must roll
// back. In the second case it decides the command again later, with rows loaded again.
//
// Pure: no I/O and no clock. Ids, time and random numbers come from the workspace.
// Threads: one per workspace.
#pragma once

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

void name_rows(const ScheduleActions& command, LoadSpec& spec);
void name_rows(const StartChains& command, LoadSpec& spec);
void name_rows(const TakeJobs& command, LoadSpec& spec);
void name_rows(const SettleJobs& command, LoadSpec& spec);
void name_rows(const CompleteChain& command, LoadSpec& spec);
void name_rows(const CancelChain& command, LoadSpec& spec);
void name_rows(const DeleteChain& command, LoadSpec& spec);
void name_rows(const OperateAction& command, LoadSpec& spec);
void name_rows(const ResolveAction& command, LoadSpec& spec);
void name_rows(const PutSchedule& command, LoadSpec& spec);
void name_rows(const PauseSchedule& command, LoadSpec& spec);
void name_rows(const TriggerSchedule& command, LoadSpec& spec);
void name_rows(const DeleteSchedule& command, LoadSpec& spec);
void name_rows(const StartBulk& command, LoadSpec& spec);
void name_rows(const StepBulk& command, LoadSpec& spec);
void name_rows(const ClaimFence& command, LoadSpec& spec);
void name_rows(const CallFence& command, LoadSpec& spec);
void name_rows(const ResolveClaim& command, LoadSpec& spec);
void name_rows(const DeleteClaim& command, LoadSpec& spec);
void name_rows(const AdmitPass& command, LoadSpec& spec);
void name_rows(const DispatchPass& command, LoadSpec& spec);
void name_rows(const BeatPasses& command, LoadSpec& spec);
void name_rows(const SettlePass& command, LoadSpec& spec);
void name_rows(const PromoteDue& command, LoadSpec& spec);
void name_rows(const RescueExpired& command, LoadSpec& spec);
void name_rows(const FailDependants& command, LoadSpec& spec);
void name_rows(const PruneJobs& command, LoadSpec& spec);
void name_rows(const PruneClaims& command, LoadSpec& spec);
void name_rows(const PruneSources& command, LoadSpec& spec);
void name_rows(const PruneResponses& command, LoadSpec& spec);
void name_rows(const EndEarlierLeases& command, LoadSpec& spec);
void name_rows(const CountRepeats& command, LoadSpec& spec);
void name_rows(const PruneBulkRuns& command, LoadSpec& spec);
void name_rows(const PruneDecisions& command, LoadSpec& spec);
void name_rows(const DrainOutbox& command, LoadSpec& spec);
void name_rows(const PruneOutboxResults& command, LoadSpec& spec);
void name_rows(const KeepSigningKey& command, LoadSpec& spec);
void name_rows(const RecordDecisions& command, LoadSpec& spec);
void name_rows(const CreateApiToken& command, LoadSpec& spec);
void name_rows(const DeleteApiToken& command, LoadSpec& spec);

[[nodiscard]] Reply<ScheduleActions> decide(const ScheduleActions& command, Workspace& workspace);
[[nodiscard]] Reply<StartChains> decide(const StartChains& command, Workspace& workspace);
[[nodiscard]] Reply<TakeJobs> decide(const TakeJobs& command, Workspace& workspace);
[[nodiscard]] Reply<SettleJobs> decide(const SettleJobs& command, Workspace& workspace);
[[nodiscard]] Reply<CompleteChain> decide(const CompleteChain& command, Workspace& workspace);
[[nodiscard]] Reply<CancelChain> decide(const CancelChain& command, Workspace& workspace);
[[nodiscard]] Reply<DeleteChain> decide(const DeleteChain& command, Workspace& workspace);
[[nodiscard]] Reply<OperateAction> decide(const OperateAction& command, Workspace& workspace);
[[nodiscard]] Reply<ResolveAction> decide(const ResolveAction& command, Workspace& workspace);
[[nodiscard]] Reply<PutSchedule> decide(const PutSchedule& command, Workspace& workspace);
[[nodiscard]] Reply<PauseSchedule> decide(const PauseSchedule& command, Workspace& workspace);
[[nodiscard]] Reply<TriggerSchedule> decide(const TriggerSchedule& command, Workspace& workspace);
[[nodiscard]] Reply<DeleteSchedule> decide(const DeleteSchedule& command, Workspace& workspace);
[[nodiscard]] Reply<StartBulk> decide(const StartBulk& command, Workspace& workspace);
[[nodiscard]] Reply<StepBulk> decide(const StepBulk& command, Workspace& workspace);
[[nodiscard]] Reply<ClaimFence> decide(const ClaimFence& command, Workspace& workspace);
[[nodiscard]] Reply<CallFence> decide(const CallFence& command, Workspace& workspace);
[[nodiscard]] Reply<ResolveClaim> decide(const ResolveClaim& command, Workspace& workspace);
[[nodiscard]] Reply<DeleteClaim> decide(const DeleteClaim& command, Workspace& workspace);
[[nodiscard]] Reply<AdmitPass> decide(const AdmitPass& command, Workspace& workspace);
[[nodiscard]] Reply<DispatchPass> decide(const DispatchPass& command, Workspace& workspace);
[[nodiscard]] Reply<BeatPasses> decide(const BeatPasses& command, Workspace& workspace);
[[nodiscard]] Reply<SettlePass> decide(const SettlePass& command, Workspace& workspace);
[[nodiscard]] Reply<PromoteDue> decide(const PromoteDue& command, Workspace& workspace);
[[nodiscard]] Reply<RescueExpired> decide(const RescueExpired& command, Workspace& workspace);
[[nodiscard]] Reply<FailDependants> decide(const FailDependants& command, Workspace& workspace);
[[nodiscard]] Reply<PruneJobs> decide(const PruneJobs& command, Workspace& workspace);
[[nodiscard]] Reply<PruneClaims> decide(const PruneClaims& command, Workspace& workspace);
[[nodiscard]] Reply<PruneSources> decide(const PruneSources& command, Workspace& workspace);
[[nodiscard]] Reply<PruneResponses> decide(const PruneResponses& command, Workspace& workspace);
[[nodiscard]] Reply<EndEarlierLeases> decide(const EndEarlierLeases& command, Workspace& workspace);
[[nodiscard]] Reply<CountRepeats> decide(const CountRepeats& command, Workspace& workspace);
[[nodiscard]] Reply<PruneBulkRuns> decide(const PruneBulkRuns& command, Workspace& workspace);
[[nodiscard]] Reply<PruneDecisions> decide(const PruneDecisions& command, Workspace& workspace);
[[nodiscard]] Reply<DrainOutbox> decide(const DrainOutbox& command, Workspace& workspace);
[[nodiscard]] Reply<PruneOutboxResults> decide(const PruneOutboxResults& command,
                                               Workspace& workspace);
[[nodiscard]] Reply<KeepSigningKey> decide(const KeepSigningKey& command, Workspace& workspace);
[[nodiscard]] Reply<RecordDecisions> decide(const RecordDecisions& command, Workspace& workspace);
[[nodiscard]] Reply<CreateApiToken> decide(const CreateApiToken& command, Workspace& workspace);
[[nodiscard]] Reply<DeleteApiToken> decide(const DeleteApiToken& command, Workspace& workspace);

}  // namespace semel
