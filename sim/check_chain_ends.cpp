// What may be told to those who complete a chain's job without a worker, cancel a chain, delete it,
// or wait for its end.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {

// ---- completed without a worker -----------------------------------------------------------------

void Checker::check_completion(const Decided& decided, const DecidedCompletion& completion) {
    const ChainOrder& order = *decided.send->chain;
    const auto* problem = std::get_if<Problem>(&completion.reply);
    context_.trace.line("decided complete {} step {}: {}", name(*order.id), *order.index,
                        problem != nullptr ? to_string(problem->code) : "done");
    if (problem != nullptr) {
        check_not_completed(decided, *problem);
    } else {
        check_completed(decided, std::get<JobAnswer>(completion.reply));
    }
}

void Checker::check_completed(const Decided& decided, const JobAnswer& answer) {
    const ChainOrder& order = *decided.send->chain;
    Tracked* job = find(answer.id);
    if (job == nullptr && removed_chains_.contains(*order.id)) {
        return;  // made and deleted in this batch
    }
    if (job == nullptr || job->row.chain != *order.id || job->row.chain_index != *order.index) {
        fail(Invariant::chain_steps,
             fmt::format("{} was completed as step {} of {}, which it is not", name(answer.id),
                         *order.index, name(*order.id)));
        return;
    }
    if (job->row.tenant != decided.tenant) {
        fail(Invariant::tenants_apart,
             fmt::format("{} obeyed a client of {}", name(answer.id), decided.tenant));
        return;
    }
    said_.emplace_back(answer.id, &decided);
    const Attempt* ended = ended_attempt(answer.id);
    const bool by_its_owner = ended != nullptr && ended->end == AttemptEnd::completed;
    const bool was_over = job->row.status == Status::completed && !made_.contains(answer.id);
    if (was_over || by_its_owner || !completed_.insert(answer.id).second) {
        context_.sometimes.hit(Sometimes::chain_completion_repeated);
        return;
    }
    ++job->completions;
    context_.sometimes.hit(Sometimes::chain_completed_without_worker);
    if (job->row.status == Status::running) {
        context_.sometimes.hit(Sometimes::running_owner_fenced_by_completion);
    }
    if (job->row.status == Status::blocked) {
        context_.sometimes.hit(Sometimes::blocked_job_completed);
    }
}

void Checker::check_not_completed(const Decided& decided, const Problem& problem) {
    const ChainOrder& order = *decided.send->chain;
    const auto wrong = [&](Invariant invariant, std::string_view what) {
        fail(invariant,
             fmt::format("request {}: completing step {} of {}: {} ({})", decided.send->number,
                         *order.index, name(*order.id), what, problem.detail));
    };
    count_refusal(decided.tenant, problem);
    if (!is_chain(decided.tenant, *order.id)) {
        return;  // there is none, or not for long
    }
    const auto at = steps_.find({*order.id, *order.index});
    const JobId id = at != steps_.end() ? at->second : *order.index == 0 ? *order.id : JobId{};
    const Tracked* job = find(id);
    if (problem.code == ProblemCode::wrong_state) {
        context_.sometimes.hit(Sometimes::chain_completion_refused_for_its_index);
        const Job* after = job != nullptr ? row_now(id) : nullptr;
        const bool was_open = after != nullptr && !made_.contains(id) &&
                              job->made_by <= batch_->began_after && !is_final(job->row.status) &&
                              !is_final(after->status) && !job->row.predecessor &&
                              !is_operated_on(id);
        if (was_open) wrong(Invariant::chain_steps, "refused, and it is the current one");
        return;
    }
    const bool is_about_next =
        order.next && is_justified(problem, decided.tenant, *order.next, order.id);
    if (problem.code == ProblemCode::conflict) {
        context_.sometimes.hit(Sometimes::chain_completion_refused_for_its_content);
        const bool is_same = job != nullptr && job->row.status == Status::completed &&
                             !made_.contains(id) && says_the_same(order, job->row, decided.tenant);
        if (is_same) wrong(Invariant::one_terminal_call, "the same again was refused");
    } else if (!is_about_next) {
        wrong(Invariant::chain_steps, "refused for no reason");
    } else {
        context_.sometimes.hit(problem.code == ProblemCode::cycle
                                   ? Sometimes::ring_refused
                                   : Sometimes::continuation_refused);
    }
}

bool Checker::says_the_same(const ChainOrder& order, const Job& completed,
                            const std::string& tenant) const {
    if (order.next.has_value() != completed.next.has_value()) {
        return false;
    }
    if (order.next) {
        const auto next = jobs_.find(*completed.next);
        return next != jobs_.end() && next->second.payload == order.next->input(tenant);
    }
    const auto result = results_.find(completed.id);
    const auto output = result != results_.end() ? result->second.output : std::nullopt;
    return output == order.output();
}

// Accepted: the rows say it.
void Checker::check_said() {
    for (const auto& [id, decided] : said_) {
        const Tracked& job = jobs_.at(id);
        if (job.deleted || violation_) {
            continue;
        }
        const bool is_said = job.row.status == Status::completed &&
                             says_the_same(*decided->send->chain, job.row, decided->tenant);
        if (!is_said) {
            fail(Invariant::one_terminal_call,
                 fmt::format("request {} completed {}, which says something else",
                             decided->send->number, name(id)));
        }
    }
    said_.clear();
}

// ---- cancelled, deleted -------------------------------------------------------------------------

void Checker::check_cancel(const Decided& decided, const DecidedCancel& cancel) {
    const JobId& chain = *decided.send->chain->id;
    const auto* problem = std::get_if<Problem>(&cancel.reply);
    context_.trace.line("decided cancel {}: {}", name(chain),
                        problem != nullptr ? to_string(problem->code) : "done");
    if (problem != nullptr) {
        const Job* before = last_before(chain);
        const Job* after = last_after(chain);
        const bool was_open = is_chain(decided.tenant, chain) && before != nullptr &&
                              after != nullptr && !is_final(before->status) &&
                              !is_final(after->status) && !was_operated(chain);
        if (was_open) {
            fail(Invariant::chain_steps,
                 fmt::format("{} was not cancelled: {}", name(chain), problem->detail));
        }
        return;
    }
    context_.sometimes.hit(Sometimes::chain_cancelled);
    const JobId& last = std::get<ChainView>(cancel.reply).last.id;
    Tracked* job = find(last);
    if (job == nullptr && removed_chains_.contains(chain)) {
        return;
    }
    if (job == nullptr || job->row.tenant != decided.tenant || job->row.chain != chain) {
        fail(Invariant::tenants_apart,
             fmt::format("{} obeyed a client of {}", name(chain), decided.tenant));
        return;
    }
    learn_operation({decided.tenant, last, Operation::cancel, false}, *job);
}

void Checker::check_removal(const Decided& decided, const DecidedRemoval& removal) {
    const ChainOrder& order = *decided.send->chain;
    const auto* problem = std::get_if<Problem>(&removal.reply);
    context_.trace.line("decided remove {}{}: {}", name(*order.id), order.cascade ? " cascade" : "",
                        problem != nullptr ? to_string(problem->code) : "done");
    if (problem == nullptr) {
        check_removed_chains(order, std::get<DeleteChain::Outcome>(removal.reply));
        return;
    }
    if (problem->code == ProblemCode::dependants) {
        context_.sometimes.hit(Sometimes::deletion_refused_for_dependants);
        for (const Uuid& id : problem->dependants) {
            const Tracked* job = find(id);
            if (job == nullptr || job->row.tenant != decided.tenant || edges_of(id).empty()) {
                fail(Invariant::blockers, fmt::format("{} is kept for {}, which waits for nobody",
                                                      name(*order.id), name(id)));
            }
        }
    } else if (is_chain(decided.tenant, *order.id)) {
        fail(Invariant::chain_steps,
             fmt::format("{} was not deleted: {}", name(*order.id), problem->detail));
    }
}

void Checker::check_removed_chains(const ChainOrder& order, const DeleteChain::Outcome& gone) {
    context_.sometimes.hit(Sometimes::chain_deleted);
    if (gone.size() > 1) context_.sometimes.hit(Sometimes::chains_deleted_with_their_blockers);
    const std::set<JobId> chains(gone.begin(), gone.end());
    if (!chains.contains(*order.id) || (!order.cascade && chains.size() > 1)) {
        fail(Invariant::chain_steps,
             fmt::format("{} was to be deleted, and others were", name(*order.id)));
    }
    for (const JobId& chain : chains) {
        const Job* last = last_before(chain);
        if (last != nullptr && last->status == Status::running) {
            context_.sometimes.hit(Sometimes::chain_deleted_while_running);
            // Its lease may have ended first, in this batch; such an attempt goes with its job.
            ++unseen_count_[{last->tenant, Decision::takeover}];
        }
        for (auto step = steps_.lower_bound({chain, 0});
             step != steps_.end() && step->first.first == chain; ++step) {
            const Tracked& job = jobs_.at(step->second);
            if (!job.deleted && !is_deleted_now(step->second)) {
                fail(Invariant::chain_steps, fmt::format("{} was deleted, and {} is still there",
                                                         name(chain), name(step->second)));
            }
        }
    }
    const auto stranded = dependants_outside(chains);
    if (!stranded.empty()) {
        fail(Invariant::blockers, fmt::format("{} was deleted, and {} waits for it",
                                              name(*order.id), name(*stranded.begin())));
    }
}

// Those who were unfinished before this batch, and are after it.
std::set<JobId> Checker::dependants_outside(const std::set<JobId>& chains) const {
    std::set<JobId> found;
    for (const JobId& chain : chains) {
        const auto edges = edges_to_.find(chain);
        if (edges == edges_to_.end()) continue;
        for (const EdgeKey& key : edges->second) {
            const auto job = jobs_.find(key.blocked);
            const Job* after = row_now(key.blocked);
            const bool is_open = job != jobs_.end() && !is_final(job->second.row.status) &&
                                 after != nullptr && !is_final(after->status) &&
                                 !operated_.contains(key.blocked);
            if (is_open && !removed_chains_.contains(job->second.row.chain)) {
                found.insert(key.blocked);
            }
        }
    }
    return found;
}

// By age: when its chain has been over for long enough, and nobody was given it as a blocker.
void Checker::check_pruned_step(const Tracked& job) {
    const JobId& chain = job.row.chain;
    const Job* last = last_before(chain);
    if (job.row.in_chain) context_.sometimes.hit(Sometimes::chain_pruned);
    const bool is_time =
        last == nullptr || (is_final(last->status) && last->completed_at &&
                            now() >= *last->completed_at + context_.plan.settings.job_retention);
    if (!is_time) {
        fail(Invariant::acknowledged_exists,
             fmt::format("{} was deleted, and its chain has not been over for long enough",
                         name(job.row.id)));
    }
    const auto edges = edges_to_.find(chain);
    if (edges != edges_to_.end() && !edges->second.empty()) {
        fail(Invariant::blockers,
             fmt::format("{} was deleted, and {} was given it as a blocker", name(job.row.id),
                         name(edges->second.begin()->blocked)));
    }
}

// ---- waited for ---------------------------------------------------------------------------------

int Checker::waits(const JobId& chain) {
    waits_.emplace(++last_wait_, OpenWait{chain, !context_.faults_on});
    return last_wait_;
}

void Checker::awaited(int wait, const Result<std::optional<AwaitedChain>>& heard) {
    const JobId chain = waits_.at(wait).chain;
    waits_.erase(wait);
    if (!heard) {
        return;  // the node stops
    }
    context_.trace.line("a wait for {} is over: {}", name(chain),
                        !*heard               ? "there is none"
                        : (*heard)->has_ended ? to_string((*heard)->view.last.status)
                                              : "too long");
    const Tracked* first = find(chain);
    if (!*heard) {
        return;
    }
    context_.sometimes.hit((*heard)->has_ended ? Sometimes::chain_awaited_to_its_end
                                               : Sometimes::wait_for_a_chain_timed_out);
    const Tracked* last = find((*heard)->view.last.id);
    const bool is_true = first != nullptr && last != nullptr && last->row.chain == chain &&
                         (!(*heard)->has_ended || last->has_ended);
    if (!is_true) {
        fail(Invariant::answered_from_durable_row,
             fmt::format("a wait for {} heard of an end that was not committed", name(chain)));
    }
}

}  // namespace semel::sim
