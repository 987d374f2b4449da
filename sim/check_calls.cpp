// What the owners of jobs and operators may be told.
#include <algorithm>

#include "core/json/json.hpp"
#include "sim/chain_steps.hpp"
#include "sim/checker.hpp"

namespace semel::sim {
namespace {

std::string content_of(const JobCall& call) {
    return fmt::format("{}|{}|{}|{}|{}", call.output.value_or("-"), call.error,
                       call.retry_after ? call.retry_after->count() : -1, call.final,
                       call.continue_with ? call.continue_with->fingerprint.to_hex() : "-");
}

}  // namespace

void Checker::check_calls(const Decided& decided, const DecidedCalls& calls) {
    for (std::size_t i = 0; i < calls.answers.size() && !violation_; ++i) {
        check_call(decided.tenant, std::get<JobCall>(calls.command.calls[i]), calls.answers[i]);
    }
}

void Checker::check_call(const std::string& tenant, const JobCall& call,
                         const Item<JobAnswer>& answer) {
    const Tracked* job = find(call.id);
    const auto* problem = std::get_if<Problem>(&answer);
    context_.trace.line("decided {} {} token {}: {}", to_string(call.verb), name(call.id),
                        to_int(call.token),
                        problem != nullptr ? to_string(problem->code)
                                           : to_string(std::get<JobAnswer>(answer).status));
    if (job == nullptr) {
        fail(Invariant::rows_fit, fmt::format("{} is called, and was never made", name(call.id)));
    } else if (job->row.tenant != tenant) {
        context_.sometimes.hit(Sometimes::foreign_call_refused);
        if (problem == nullptr) {
            fail(Invariant::tenants_apart,
                 fmt::format("{} obeyed a call of {}", name(call.id), tenant));
        }
    } else if (problem == nullptr) {
        check_accepted(call, std::get<JobAnswer>(answer), *job);
    } else if (!job->deleted && !is_deleted_now(call.id)) {
        check_refused(call, *problem, *job);
    }
}

void Checker::check_accepted(const JobCall& call, const JobAnswer& answer, const Tracked& job) {
    // A taking is answered before its token can be named, so the row before this batch decides.
    if (call.token != job.row.token) {
        fail(Invariant::current_token,
             fmt::format("{} of {} was accepted with token {}; the current one is {}",
                         to_string(call.verb), name(call.id), to_int(call.token),
                         to_int(job.row.token)));
        return;
    }
    const auto terminal = terminals_.find({call.id, call.token});
    if (terminal == terminals_.end() && job.row.status != Status::running) {
        fail(Invariant::current_token,
             fmt::format("{} of {} was accepted, and the job does not run", to_string(call.verb),
                         name(call.id)));
        return;
    }
    if (job.row.lease && now() >= job.row.lease->ends_at()) {
        context_.sometimes.hit(Sometimes::completion_accepted_after_lease_end);
    }
    if (call.verb == Verb::heartbeat) {
        return;
    }
    const Job* after = row_after(call.id);
    const bool goes_on = call.verb == Verb::complete && call.continue_with;
    const auto& next = after != nullptr ? after->next : job.row.next;
    // After a failure somebody may complete it in this batch without a worker, and go on.
    const bool fits = goes_on ? answer.next && next == answer.next : !answer.next;
    if (!fits && !is_deleted_now(call.id)) {
        fail(
            Invariant::chain_steps,
            fmt::format("{} is told that it goes on with another job than it does", name(call.id)));
        return;
    }
    if (terminal == terminals_.end()) {
        terminals_[{call.id, call.token}] = {call.verb, content_of(call), answer.status};
        if (call.verb == Verb::fail) retry_after_[{call.id, call.token}] = call.retry_after;
        return;
    }
    context_.sometimes.hit(Sometimes::call_repeated_same_answer);
    if (goes_on) context_.sometimes.hit(Sometimes::continuation_repeated_same_answer);
    const Terminal& first = terminal->second;
    if (first.verb != call.verb || first.content != content_of(call) ||
        first.status != answer.status) {
        fail(Invariant::one_terminal_call,
             fmt::format("{} of {} was accepted after a {} with the same token",
                         to_string(call.verb), name(call.id), to_string(first.verb)));
    }
}

void Checker::check_refused(const JobCall& call, const Problem& problem, const Tracked& job) {
    const bool is_late = call.token != job.row.token;
    if (is_late && problem.code == ProblemCode::stale_token) {
        if (call.verb == Verb::complete) {
            context_.sometimes.hit(Sometimes::late_completion_rejected);
        }
        if (call.verb == Verb::heartbeat) {
            context_.sometimes.hit(Sometimes::zombie_heartbeat_rejected);
        }
        const auto end = ends_.find({call.id, call.token});
        if (end != ends_.end() && end->second == AttemptEnd::lost) {
            context_.sometimes.hit(Sometimes::takeover_then_stale_token);
        }
    }
    if (problem.code == ProblemCode::conflict && problem.pointer.empty()) {
        context_.sometimes.hit(Sometimes::call_with_other_content_refused);
    }
    if (problem.code == ProblemCode::store_unavailable) {
        return;  // a row that it needs is held: nothing was decided
    }
    count_refusal(job.row.tenant, problem);
    const Job* after = row_after(call.id);
    const bool stays_current = !is_late && (after == nullptr || after->token == call.token);
    if (!stays_current || operated_.contains(call.id)) {
        return;
    }
    const auto terminal = terminals_.find({call.id, call.token});
    const auto asked = call.continue_with
                           ? asked_steps_.find(number_in(call.continue_with->step.input))
                           : asked_steps_.end();
    if (terminal == terminals_.end() && asked != asked_steps_.end() &&
        is_justified(problem, job.row.tenant, asked->second.step, job.row.chain)) {
        context_.sometimes.hit(problem.code == ProblemCode::cycle
                                   ? Sometimes::ring_refused
                                   : Sometimes::continuation_refused);
        return;
    }
    if (terminal == terminals_.end()) {
        fail(Invariant::current_token,
             fmt::format("{} of {} was refused with the current token: {}", to_string(call.verb),
                         name(call.id), problem.detail));
    } else if (terminal->second.verb == call.verb && terminal->second.content == content_of(call)) {
        fail(Invariant::one_terminal_call,
             fmt::format("the repeat of an accepted {} of {} was refused: {}", to_string(call.verb),
                         name(call.id), problem.detail));
    }
}

// What a node makes of a result that came with its owner's transaction is the same call.
void Checker::learn_settled(const OutboxEntry& entry) {
    JobCall call{.id = entry.subject, .token = entry.token, .verb = Verb::fail};
    if (entry.verb == OutboxVerb::complete) {
        call.verb = Verb::complete;
        call.output = entry.content;
    } else if (entry.verb == OutboxVerb::continue_with && !is_refused(entry)) {
        context_.sometimes.hit(Sometimes::continued_in_a_transaction);
        const auto content = json::Document::parse(*entry.content);
        call.verb = Verb::complete;
        call.continue_with =
            continuation_of(asked(std::string(content->root().find("input")->raw())), entry.tenant,
                            context_.plan.settings);
    } else {
        call.error = entry.content.value_or("");
    }
    const Job* after = row_after(entry.subject);
    const Status status =
        after != nullptr && after->settled ? after->settled->status : Status::completed;
    terminals_[{call.id, call.token}] = {call.verb, content_of(call), status};
    retry_after_[{call.id, call.token}].reset();
}

// ---- operators ----------------------------------------------------------------------------------

void Checker::check_operation(const Decided& decided, const DecidedOperation& operation) {
    const OperateAction& command = operation.command;
    Tracked* job = find(command.id);
    const auto* problem = std::get_if<Problem>(&operation.reply);
    context_.trace.line("decided operation {} {}{}: {}", static_cast<int>(command.operation),
                        name(command.id), command.force ? " force" : "",
                        problem != nullptr ? to_string(problem->code) : "done");
    if (problem != nullptr) {
        if (problem->code == ProblemCode::superseded) {
            context_.sometimes.hit(Sometimes::retry_refused_for_newer_owner);
        }
        if (problem->code == ProblemCode::not_found && job != nullptr && !job->deleted &&
            job->row.tenant != decided.tenant) {
            context_.sometimes.hit(Sometimes::foreign_call_refused);
        }
        return;
    }
    if (job == nullptr || job->row.tenant != decided.tenant) {
        fail(Invariant::tenants_apart,
             fmt::format("{} obeyed an operator of {}", name(command.id), decided.tenant));
        return;
    }
    const auto key = job->tuple ? keys_.find(*job->tuple) : keys_.end();
    const bool has_other_owner = key != keys_.end() && key->second.back().job != command.id;
    const bool has_newer_owner = has_other_owner && (key->second.back().job > command.id ||
                                                     is_unfinished(key->second.back().job));
    // A key that nobody remembers any more is nobody's.
    if (command.operation == Operation::retry && !command.force && has_newer_owner &&
        !unclear_keys_.contains(*job->tuple) && !is_forgotten_now(*job->row.claim)) {
        fail(Invariant::one_owner,
             fmt::format("{} was retried beside {}, the newer owner of its key", name(command.id),
                         name(key->second.back().job)));
    }
    if (command.operation == Operation::retry && has_other_owner) {
        unclear_keys_.insert(*job->tuple);  // it may have its key again …
        shared_keys_.insert(*job->tuple);   // … and be met by what is decided after it
    }
    learn_operation(command, *job);
}

// Before this batch and after it: where it ended in the batch, either order is right.
bool Checker::is_unfinished(const JobId& id) const {
    const auto job = jobs_.find(id);
    if (job == jobs_.end() || job->second.deleted || is_final(job->second.row.status)) {
        return false;
    }
    const Job* after = row_after(id);
    return after == nullptr || !is_final(after->status);
}

// In this batch, before or after what is being checked.
bool Checker::is_operated_on(const JobId& id) const {
    return operated_.contains(id) ||
           std::any_of(batch_->decided.begin(), batch_->decided.end(), [&](const Decided& decided) {
               const auto* operation = std::get_if<DecidedOperation>(&decided.what);
               return operation != nullptr && operation->command.id == id;
           });
}

void Checker::learn_operation(const OperateAction& command, Tracked& job) {
    switch (command.operation) {
        case Operation::run_now:
            job.not_before = std::min(job.not_before, now());
            operated_.insert(command.id);
            break;
        case Operation::retry:
            context_.sometimes.hit(command.force ? Sometimes::retried_with_force
                                                 : Sometimes::retried_by_operator);
            if (job.row.occurrence && job.row.occurrence->slot) {
                context_.sometimes.hit(Sometimes::occurrence_retried_beside_the_next);
            }
            retried_.insert(command.id);
            operated_.insert(command.id);
            job.attempts = 0;
            job.lost_in_a_row = 0;
            job.not_before = now();
            job.waits_for_backoff = false;
            job.successor_since = 0;
            job.predecessor_token = Token::none;  // it runs beside
            break;
        case Operation::cancel:
            operated_.insert(command.id);
            if (job.row.status == Status::running) {
                context_.sometimes.hit(Sometimes::running_job_cancelled);
            }
            return_key(job);
            break;
    }
}

// A cancelled successor supersedes nobody, and the key returns to those who hold it beside it.
void Checker::return_key(const Tracked& cancelled) {
    if (!cancelled.tuple) {
        return;
    }
    if (cancelled.successor_of) jobs_.at(*cancelled.successor_of).successor_since = 0;
    auto& owners = keys_.at(*cancelled.tuple);
    const bool is_pruned_now = std::any_of(owners.begin(), owners.end(), [&](const Owner& owner) {
        return is_deleted_now(owner.job);
    });
    if (is_pruned_now) unclear_keys_.insert(*cancelled.tuple);
    if (owners.back().job == cancelled.row.id && owners.back().is_successor && owners.size() > 1) {
        owners.pop_back();
        context_.sometimes.hit(Sometimes::cancelled_successor_returned_key);
    }
}

}  // namespace semel::sim
