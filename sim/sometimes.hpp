// Sometimes: rare paths that a run of many seeds must have taken. A test that never sees them
// proves nothing about them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace semel::sim {

#define SEMEL_SIM_SOMETIMES(SOMETIMES)                  \
    SOMETIMES(late_completion_rejected)                 \
    SOMETIMES(zombie_heartbeat_rejected)                \
    SOMETIMES(completion_accepted_after_lease_end)      \
    SOMETIMES(lease_lost_during_commit)                 \
    SOMETIMES(takeover_then_stale_token)                \
    SOMETIMES(attempt_timed_out)                        \
    SOMETIMES(second_lost_lease_in_a_row)               \
    SOMETIMES(failed_with_no_attempt_left)              \
    SOMETIMES(job_released)                             \
    SOMETIMES(call_repeated_same_answer)                \
    SOMETIMES(call_with_other_content_refused)          \
    SOMETIMES(successor_made)                           \
    SOMETIMES(successor_folded)                         \
    SOMETIMES(predecessor_superseded)                   \
    SOMETIMES(cancelled_successor_returned_key)         \
    SOMETIMES(payload_replaced_while_take_in_flight)    \
    SOMETIMES(debounce_pushed)                          \
    SOMETIMES(conflict_refused)                         \
    SOMETIMES(request_at_window_end)                    \
    SOMETIMES(request_just_inside_window)               \
    SOMETIMES(purged_duplicate)                         \
    SOMETIMES(key_forgotten)                            \
    SOMETIMES(job_pruned)                               \
    SOMETIMES(group_handed_on_at_failure)               \
    SOMETIMES(group_handed_on_at_takeover)              \
    SOMETIMES(reply_lost_and_repeat_answered_the_same)  \
    SOMETIMES(idempotency_key_reused_with_other_body)   \
    SOMETIMES(crash_after_commit_before_reply)          \
    SOMETIMES(crash_with_commit_in_flight)              \
    SOMETIMES(restart_found_running_job)                \
    SOMETIMES(commit_unknown_and_landed)                \
    SOMETIMES(commit_unknown_and_lost)                  \
    SOMETIMES(store_error_answered)                     \
    SOMETIMES(clock_stepped_during_lease)               \
    SOMETIMES(paused_past_a_lease)                      \
    SOMETIMES(retried_by_operator)                      \
    SOMETIMES(retried_with_force)                       \
    SOMETIMES(retry_refused_for_newer_owner)            \
    SOMETIMES(running_job_cancelled)                    \
    SOMETIMES(foreign_call_refused)                     \
    SOMETIMES(unanswered_request_landed)                \
    SOMETIMES(poller_woken_by_commit)                   \
    SOMETIMES(schedule_put_by_several_nodes)            \
    SOMETIMES(schedule_put_while_running)               \
    SOMETIMES(schedule_rule_edited)                     \
    SOMETIMES(schedule_paused_while_running)            \
    SOMETIMES(schedule_triggered_while_paused)          \
    SOMETIMES(schedule_deleted_while_running)           \
    SOMETIMES(resumed_past_missed_slots)                \
    SOMETIMES(missed_slots_to_the_latest)               \
    SOMETIMES(missed_slots_skipped)                     \
    SOMETIMES(missed_slots_run_in_turn)                 \
    SOMETIMES(occurrence_taken_over)                    \
    SOMETIMES(successor_after_a_failure)                \
    SOMETIMES(successor_after_a_cancel)                 \
    SOMETIMES(successor_after_a_crash)                  \
    SOMETIMES(occurrence_waited_for_its_group)          \
    SOMETIMES(occurrence_retried_beside_the_next)       \
    SOMETIMES(slot_at_the_end_of_a_gap)                 \
    SOMETIMES(slots_of_the_second_pass_left_out)        \
    SOMETIMES(slot_given_back)                          \
    SOMETIMES(slot_spent_before_its_time)               \
    SOMETIMES(bulk_run_in_several_steps)                \
    SOMETIMES(bulk_run_resumed_after_a_crash)           \
    SOMETIMES(bulk_run_cancelled_running_jobs)          \
    SOMETIMES(bulk_run_retried)                         \
    SOMETIMES(bulk_run_met_no_longer_matching)          \
    SOMETIMES(bulk_run_skipped_a_refusal)               \
    SOMETIMES(bulk_dry_run_ended)                       \
    SOMETIMES(held_row_met)                             \
    SOMETIMES(key_lost_at_save)                         \
    SOMETIMES(guess_found_wrong)                        \
    SOMETIMES(guess_left_untested)                      \
    SOMETIMES(insert_waited_for_another)                \
    SOMETIMES(commit_between_two_rungs)                 \
    SOMETIMES(waited_for_a_held_row)                    \
    SOMETIMES(rescued_by_another_node)                  \
    SOMETIMES(commit_found_to_have_landed)              \
    SOMETIMES(commit_found_to_be_lost)                  \
    SOMETIMES(transaction_outlived_its_node)            \
    SOMETIMES(user_rolled_back)                         \
    SOMETIMES(stale_token_rolled_a_user_back)           \
    SOMETIMES(user_waited_for_a_node)                   \
    SOMETIMES(entry_met_its_key)                        \
    SOMETIMES(entry_and_request_in_one_batch)           \
    SOMETIMES(entry_committed_after_a_later_one)        \
    SOMETIMES(held_entry_left_for_later)                \
    SOMETIMES(another_node_drained)                     \
    SOMETIMES(unreadable_entry_refused)                 \
    SOMETIMES(result_outlived_its_lease)                \
    SOMETIMES(continuation_repeated_same_answer)        \
    SOMETIMES(continuation_refused)                     \
    SOMETIMES(chain_continued)                          \
    SOMETIMES(chain_of_many_steps)                      \
    SOMETIMES(action_continued)                         \
    SOMETIMES(chain_met_by_its_key)                     \
    SOMETIMES(chain_met_by_its_id)                      \
    SOMETIMES(chain_id_refused)                         \
    SOMETIMES(chain_met_behind_a_newer_one)             \
    SOMETIMES(chain_excluded)                           \
    SOMETIMES(chain_started_beside_another)             \
    SOMETIMES(purged_chain_met)                         \
    SOMETIMES(chain_completed_without_worker)           \
    SOMETIMES(chain_completion_repeated)                \
    SOMETIMES(chain_completion_refused_for_its_content) \
    SOMETIMES(chain_completion_refused_for_its_index)   \
    SOMETIMES(running_owner_fenced_by_completion)       \
    SOMETIMES(blocked_job_completed)                    \
    SOMETIMES(chain_cancelled)                          \
    SOMETIMES(chain_deleted)                            \
    SOMETIMES(chain_deleted_while_running)              \
    SOMETIMES(chains_deleted_with_their_blockers)       \
    SOMETIMES(deletion_refused_for_dependants)          \
    SOMETIMES(blocked_job_released)                     \
    SOMETIMES(two_blockers_in_one_commit)               \
    SOMETIMES(several_released_by_one_commit)           \
    SOMETIMES(blocked_job_failed_by_its_blocker)        \
    SOMETIMES(blocker_had_completed_already)            \
    SOMETIMES(blocker_had_failed_already)               \
    SOMETIMES(blocked_job_waits_on)                     \
    SOMETIMES(retried_job_blocked_again)                \
    SOMETIMES(ring_refused)                             \
    SOMETIMES(chain_awaited_to_its_end)                 \
    SOMETIMES(wait_for_a_chain_timed_out)               \
    SOMETIMES(chain_pruned)                             \
    SOMETIMES(chain_started_in_a_transaction)           \
    SOMETIMES(continued_in_a_transaction)               \
    SOMETIMES(fence_taken_over)                         \
    SOMETIMES(fence_taken_after_release)                \
    SOMETIMES(fence_new_after_its_expiry)               \
    SOMETIMES(fence_sealed_after_its_lease)             \
    SOMETIMES(fence_late_seal_refused)                  \
    SOMETIMES(fence_seal_lost_its_source)               \
    SOMETIMES(fence_call_repeated)                      \
    SOMETIMES(fence_call_contradicted)                  \
    SOMETIMES(fence_called_twice_in_one_commit)         \
    SOMETIMES(fence_foreign_call_refused)               \
    SOMETIMES(fence_replayed)                           \
    SOMETIMES(fence_replayed_from_memory)               \
    SOMETIMES(fence_replayed_after_its_deletion)        \
    SOMETIMES(fence_content_refused)                    \
    SOMETIMES(fence_version_stale)                      \
    SOMETIMES(fence_source_was_held)                    \
    SOMETIMES(fence_uncertain_refused)                  \
    SOMETIMES(fence_resolved_as_sealed)                 \
    SOMETIMES(fence_resolved_as_released)               \
    SOMETIMES(fence_deleted_from_owner)                 \
    SOMETIMES(fence_waiter_took_over)                   \
    SOMETIMES(fence_waiter_told_of_the_seal)            \
    SOMETIMES(fence_wait_ran_out)                       \
    SOMETIMES(fence_let_go)                             \
    SOMETIMES(pass_replayed)                            \
    SOMETIMES(pass_wait_ran_out)                        \
    SOMETIMES(pass_content_refused)                     \
    SOMETIMES(pass_uncertain_refused)                   \
    SOMETIMES(pass_answer_not_retained)                 \
    SOMETIMES(pass_hung_up_while_it_waited)             \
    SOMETIMES(pass_doubted_by_its_owner)                \
    SOMETIMES(pass_doubted_at_its_lease_end)            \
    SOMETIMES(pass_sealed_without_its_body)             \
    SOMETIMES(pass_resolved_as_sealed)                  \
    SOMETIMES(pass_freed_by_an_operator)                \
    SOMETIMES(pass_told_that_it_is_stale)               \
    SOMETIMES(pass_stood_still_before_its_first_byte)   \
    SOMETIMES(pass_executed_again)
enum class Sometimes {
#define SEMEL_SIM_NAME(name) name,
    SEMEL_SIM_SOMETIMES(SEMEL_SIM_NAME)
#undef SEMEL_SIM_NAME
};

inline constexpr std::string_view kSometimes[] = {
#define SEMEL_SIM_TEXT(name) #name,
    SEMEL_SIM_SOMETIMES(SEMEL_SIM_TEXT)
#undef SEMEL_SIM_TEXT
};

// From here on they are paths of the gateway's seeds, which take no others.
inline constexpr auto kFirstPassPath = static_cast<std::size_t>(Sometimes::pass_replayed);

class SometimesCounts {
public:
    void hit(Sometimes path) { ++counts_[static_cast<std::size_t>(path)]; }
    void add(const SometimesCounts& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }
    [[nodiscard]] std::int64_t of(std::size_t index) const { return counts_[index]; }

private:
    std::array<std::int64_t, std::size(kSometimes)> counts_{};
};

}  // namespace semel::sim
