// SEMEL_MUTATION(name): true while the planted bug `name` is on.
//
// A planted bug is a deliberate fault in the code. Tests switch on one bug and must find it, which
// proves that the simulator and the crash tests notice such faults. The environment variable
// SEMEL_MUTATION=name switches one on at the start of a test build.
//
// Errors: an unknown name ends the process with status 2.
// Threads: any thread reads it. Tests change `active_mutation` only while no other thread runs.
// Release builds: SEMEL_MUTATION is the constant false.
#pragma once

#include <string_view>

// All planted bugs: name and effect.
#define SEMEL_MUTATIONS(MUTATION)                                                                  \
    MUTATION(no_token_check_in_complete, "complete is accepted with any token")                    \
    MUTATION(no_token_check_in_fail, "fail is accepted with any token")                            \
    MUTATION(no_token_check_in_heartbeat, "heartbeat is accepted with any token")                  \
    MUTATION(no_token_check_in_release, "release is accepted with any token")                      \
    MUTATION(rescue_keeps_token, "a rescue does not raise the token")                              \
    MUTATION(timeout_keeps_token, "a time-out does not raise the token")                           \
    MUTATION(cancel_keeps_token, "cancelling a running job does not raise the token")              \
    MUTATION(repeat_not_remembered, "the repeat of an accepted call is refused")                   \
    MUTATION(lease_end_inclusive, "<= for < at the end of a lease")                                \
    MUTATION(window_end_inclusive, "<= for < at the end of a window")                              \
    MUTATION(window_slides, "a duplicate restarts the window")                                     \
    MUTATION(idempotency_key_forgotten_early, "an Idempotency-Key is kept for a second")           \
    MUTATION(idempotency_body_ignored, "an Idempotency-Key answers whatever the body is")          \
    MUTATION(no_length_prefix, "key fields are hashed without their lengths")                      \
    MUTATION(tenant_not_in_key, "the tenant is left out of the key")                               \
    MUTATION(attempt_counted_after_run, "an attempt is counted when it ends")                      \
    MUTATION(first_lost_lease_is_free, "the first lost lease is charged no attempt")               \
    MUTATION(retry_keeps_attempts, "an operator's retry does not begin from 0")                    \
    MUTATION(retry_beside_newer_owner, "a retry without force ignores the key's newer owner")      \
    MUTATION(backoff_ignored, "a failed attempt is due again at once")                             \
    MUTATION(group_not_held, "a lock group admits a member while another runs")                    \
    MUTATION(running_head_overtaken, "an earlier member takes a lock group from one that runs")    \
    MUTATION(group_freed_twice, "a member that is not the head hands the group on")                \
    MUTATION(next_member_not_admitted, "the next member of a group stays waiting")                 \
    MUTATION(successor_does_not_wait, "a successor starts while its predecessor runs")             \
    MUTATION(successor_dropped_on_failure, "a successor waits for ever after a failure")           \
    MUTATION(last_blocker_releases_nobody, "a job that waits for several chains waits for ever")   \
    MUTATION(payload_replaced_after_take, "a duplicate replaces the payload of a taken job")       \
    MUTATION(chain_key_of_batch_unseen, "a start does not see the key of another in its commit")   \
    MUTATION(retention_deletes_keys, "pruning a job forgets its key")                              \
    MUTATION(decision_not_logged, "a successor leaves no line in the decision log")                \
    MUTATION(answer_before_commit, "replies leave before the commit")                              \
    MUTATION(unknown_commit_retried, "a commit whose fate is unknown is made again")               \
    MUTATION(unknown_commit_forgotten, "nobody looks again after a commit of unknown fate")        \
    MUTATION(wake_up_lost, "a job that becomes ready wakes nobody")                                \
    MUTATION(clock_step_not_slewed, "a step of the wall clock is a step of store time")            \
    MUTATION(next_slot_from_completion, "a fixed schedule counts from the end, not from the slot") \
    MUTATION(no_next_after_cancel, "a cancelled occurrence has no next")                           \
    MUTATION(no_next_after_failure, "an occurrence that failed for good has no next")              \
    MUTATION(missed_policy_not_applied_on_resume,                                                  \
             "a resumed occurrence keeps a slot that was missed")                                  \
    MUTATION(missed_all_runs_the_latest, "the missed policy `all` leaves slots out")               \
    MUTATION(pause_ignored, "a paused schedule's occurrence is not held")                          \
    MUTATION(deleted_schedule_goes_on, "a deleted schedule makes one more occurrence")             \
    MUTATION(put_edits_the_running_one, "a put changes the occurrence that runs")                  \
    MUTATION(bulk_repeat_counts_twice, "a step of a bulk run that is made again acts again")       \
    MUTATION(bulk_cursor_not_kept, "a bulk run forgets how far it came")                           \
    MUTATION(bulk_ignores_its_filter, "a bulk run acts on what no longer matches")                 \
    MUTATION(bulk_dry_run_acts, "a dry run does what it should only count")                        \
    MUTATION(load_without_locks, "a load reads its rows without locking them")                     \
    MUTATION(take_without_lock, "two nodes may find the same ready job")                           \
    MUTATION(guess_not_tested, "a remembered job is ended, whatever became of its row")            \
    MUTATION(run_before_lock, "how a job runs is read before the job is locked")                   \
    MUTATION(held_is_absent, "a row that another node holds is taken to be absent")                \
    MUTATION(time_before_locks, "the clock is read when the transaction begins")                   \
    MUTATION(lost_insert_ignored, "an insert whose key is taken is left out")                      \
    MUTATION(lost_reply_is_a_failure, "a commit whose answer was lost is taken to have failed")    \
    MUTATION(group_head_joined, "a lock group is loaded with a head that is not locked")           \
    MUTATION(held_command_not_undone, "what met a held row leaves what it had done before")        \
    MUTATION(enqueue_outside_transaction, "an entry of the outbox is seen before its commit")      \
    MUTATION(no_token_check_in_complete_job, "SQL's complete_job is accepted with any token")      \
    MUTATION(drained_entry_kept, "an entry of the outbox stays when it is decided")                \
    MUTATION(drained_by_sequence, "the outbox is read from the last decided entry on")             \
    MUTATION(several_drainers, "nodes drain side by side, each the entries no other holds")        \
    MUTATION(held_entry_overtaken, "an entry is decided before a held one with its key")           \
    MUTATION(settling_rescued, "a job whose result is committed is taken over")                    \
    MUTATION(settling_cancelled, "a job whose result is committed is cancelled")                   \
    MUTATION(settling_ended_by_call, "a call ends a job whose result is committed")                \
    MUTATION(incomplete_by_first_job, "a chain's key is free when its first job has ended")        \
    MUTATION(continuation_not_unique, "the repeat of a completion continues the chain again")      \
    MUTATION(chain_index_ignored, "a chain's current job is completed, whatever index was named")  \
    MUTATION(completion_keeps_token, "completing without a worker does not raise the token")       \
    MUTATION(key_freed_by_newest, "a chain's key is free when its newest owner has ended")         \
    MUTATION(exclusion_ignored, "a chain that the request excludes is met all the same")           \
    MUTATION(blocker_counts_twice, "a chain that completes is counted down twice")                 \
    MUTATION(dependants_before_lock, "who waits for a chain is read before the chain is locked")   \
    MUTATION(failed_blocker_releases, "a chain that failed releases those who wait for it")        \
    MUTATION(dependants_not_told, "nobody tells those who wait for a chain that failed")           \
    MUTATION(release_keeps_time, "a job that is released keeps a time that is past")               \
    MUTATION(blockers_out_of_order, "a worker gets its blockers from the last to the first")       \
    MUTATION(needed_chain_pruned, "a chain is pruned before those who waited for it")              \
    MUTATION(retry_ignores_blockers, "a retry does not wait for the job's blockers")               \
    MUTATION(cycle_not_refused, "a chain may wait for one that waits for it")                      \
    MUTATION(graph_not_held, "two nodes may close a cycle together")                               \
    MUTATION(delete_ignores_dependants, "a chain is deleted although others wait for it")          \
    MUTATION(fence_token_ignored, "a call on a fence is accepted with any token")                  \
    MUTATION(fence_in_flight_is_duplicate,                                                         \
             "a claim is told that it is done while its owner is at work")                         \
    MUTATION(fence_taken_within_lease, "a fence is taken over before its owner's lease is over")   \
    MUTATION(fence_takeover_keeps_token, "whoever takes a fence over gets its last owner's token") \
    MUTATION(fence_lease_ends_hold,                                                                \
             "a fence's owner is refused past its lease, though nobody took over")                 \
    MUTATION(fence_sealed_again, "a seal that says something else replaces the first")             \
    MUTATION(fence_content_ignored, "a claim with other content gets the receipt")                 \
    MUTATION(fence_expiry_left_to_upkeep, "a fence is replayed until upkeep comes by")             \
    MUTATION(fence_tombstone_lost, "what was sealed before is forgotten with its expiry")          \
    MUTATION(fence_version_ignored, "a version below the highest sealed one is new")               \
    MUTATION(fence_source_not_held, "a version is new while another one is at work")               \
    MUTATION(fence_seal_without_source, "a seal is accepted that no longer holds its source")      \
    MUTATION(fence_uncertain_taken_over, "an uncertain fence is taken over when its lease ends")   \
    MUTATION(fence_delete_keeps_token, "deleting a fence does not raise its token")                \
    MUTATION(fence_release_keeps_source, "a release does not let the source go")                   \
    MUTATION(fence_waiters_not_woken,                                                              \
             "who waits for a fence hears of its end when the wait is over")                       \
    MUTATION(fence_hang_up_keeps_hold, "a fence that nobody waits for any more is not let go")     \
    MUTATION(receipt_kept_when_deleted, "a node tells a receipt from memory that it has deleted")  \
    MUTATION(receipt_kept_for_ever,                                                                \
             "a receipt is told from memory for ever where other nodes share the store")           \
    MUTATION(receipt_kept_since_told,                                                              \
             "each replay from memory keeps the receipt there for another second")                 \
    MUTATION(receipt_kept_past_change, "an answer is kept whose claim was changed on its way")     \
    MUTATION(receipt_kept_past_unknown_commit,                                                     \
             "receipts stay in memory after a commit that may have ended them")                    \
    MUTATION(receipt_kept_past_expiry, "a receipt is told from memory past its expiry")            \
    MUTATION(receipt_content_ignored, "a claim with other content gets the receipt in memory")     \
    MUTATION(receipt_tenant_ignored, "receipts in memory are found by their key in any tenant")

namespace semel {

enum class Mutation {
    none,
#define SEMEL_MUTATION_NAME(name, what) name,
    SEMEL_MUTATIONS(SEMEL_MUTATION_NAME)
#undef SEMEL_MUTATION_NAME
};

struct PlantedBug {
    Mutation mutation;
    std::string_view name;
    std::string_view what;
};

inline constexpr PlantedBug kPlantedBugs[] = {
#define SEMEL_MUTATION_ROW(name, what) {Mutation::name, #name, what},
    SEMEL_MUTATIONS(SEMEL_MUTATION_ROW)
#undef SEMEL_MUTATION_ROW
};

#ifdef SEMEL_TEST_BUILD

// The planted bug that the environment variable SEMEL_MUTATION names, or `none` without it.
[[nodiscard]] Mutation mutation_of_environment();

// The planted bug that is on. Tests and the simulator change it, and only while no other thread
// runs.
inline Mutation active_mutation = mutation_of_environment();

[[nodiscard]] inline bool is_mutated(Mutation mutation) {
    return active_mutation == mutation;
}

#define SEMEL_MUTATION(name) ::semel::is_mutated(::semel::Mutation::name)

#else

#define SEMEL_MUTATION(name) false

#endif

}  // namespace semel
