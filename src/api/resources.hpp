// The handlers of the route table, by resource.
//
// A handler receives an admitted call, and answers it exactly once, now or later. Errors are
// answered as problems.
// Threads: an io thread. A handler must not block.
#pragma once

#include "api/call.hpp"

namespace semel {

// actions_api.cpp
void schedule_action(Call&& call);
void schedule_batch(Call&& call);
void list_actions(Call&& call);
void show_action(Call&& call);
void run_action(Call&& call);
void retry_action(Call&& call);
void cancel_action(Call&& call);
void resolve_action(Call&& call);

// chains_api.cpp
void start_chain(Call&& call);
void start_chains(Call&& call);
void list_chains(Call&& call);
void show_chain(Call&& call);
void list_chain_jobs(Call&& call);
void cancel_chain(Call&& call);
void delete_chain(Call&& call);
void complete_chain(Call&& call);

// chain_wait_api.cpp
void wait_for_chain(Call&& call);

// schedules_api.cpp
void put_schedule(Call&& call);
void show_schedule(Call&& call);
void list_schedules(Call&& call);
void pause_schedule(Call&& call);
void resume_schedule(Call&& call);
void trigger_schedule(Call&& call);
void delete_schedule(Call&& call);

// bulk_api.cpp
void start_bulk(Call&& call);
void show_bulk(Call&& call);

// cron_api.cpp
void process_due(Call&& call);

// jobs_api.cpp
void claim_jobs(Call&& call);
void complete_job(Call&& call);
void fail_job(Call&& call);
void heartbeat_job(Call&& call);
void release_job(Call&& call);
void settle_jobs(Call&& call);

// fences_api.cpp
void claim_fence(Call&& call);
void seal_fence(Call&& call);
void release_fence(Call&& call);
void heartbeat_fence(Call&& call);
void mark_fence_uncertain(Call&& call);
void resolve_fence(Call&& call);
void show_fence(Call&& call);

// claims_api.cpp
void list_claims(Call&& call);
void resolve_claim(Call&& call);
void delete_claim(Call&& call);

// receipts_api.cpp
void show_receipt_key(Call&& call);
// Calls `done` on the loop with the key that signs receipts. The store keeps one key, and the first
// call makes it. Errors: the store failed, or its key is damaged. Any thread.
void with_signing_key(const std::shared_ptr<Services>& services,
                      Done<std::shared_ptr<const SigningKey>> done);

// explain_api.cpp
void explain(Call&& call);

// decisions_api.cpp
void list_decisions(Call&& call);

// tokens_api.cpp
void create_token(Call&& call);
void list_tokens(Call&& call);
void delete_token(Call&& call);
// Reads the API tokens again, at most every 200 ms, because another node might have made or deleted
// some. Call it on the loop. Returns at once.
void poll_tokens(const std::shared_ptr<Services>& services);

// backup_api.cpp
void back_up(Call&& call);

// status_api.cpp
void show_health(Call&& call);
void show_readiness(Call&& call);
void show_metrics(Call&& call);
void show_openapi(Call&& call);
void show_error_page(Call&& call);
void show_start_page(Call&& call);

}  // namespace semel
