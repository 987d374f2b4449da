// How chains begin and go on: every job of theirs that a batch makes must have been asked for, and
// every answer to a request must fit who owns its key.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {

void Checker::continues(const JobId& job, const StepPlan& step) {
    asked_steps_.insert_or_assign(step.number, AskedStep{step, job, std::nullopt});
}

void Checker::continues(const StepRef& job, const StepPlan& step) {
    asked_steps_.insert_or_assign(step.number, AskedStep{step, std::nullopt, job});
}

const StepPlan& Checker::asked(const std::string& input) const {
    return asked_steps_.at(number_in(input)).step;
}

// ---- what a batch makes -------------------------------------------------------------------------

void Checker::begin_chains() {
    made_.clear();
    unexplained_.clear();
    removed_chains_.clear();
    completed_.clear();
    said_.clear();
    shared_chain_keys_.clear();
    for (const Decided& decided : batch_->decided) {
        const auto* removal = std::get_if<DecidedRemoval>(&decided.what);
        const auto* gone =
            removal != nullptr ? std::get_if<DeleteChain::Outcome>(&removal->reply) : nullptr;
        if (gone != nullptr) removed_chains_.insert(gone->begin(), gone->end());
    }
    if (!batch_->changes || violation_) {
        return;
    }
    for (const auto& change : batch_->changes->edges) {
        if (change.before) continue;
        edges_.insert_or_assign(change.after->key, *change.after);
        edges_to_[change.after->blocker].insert(change.after->key);
    }
    for (const auto& change : batch_->changes->jobs) {
        if (!change.before && change.after->in_chain) learn_made(*change.after);
    }
    // Whose turn it was among the requests of this batch is not known.
    for (const JobId& id : std::set(unexplained_)) {
        if (!violation_ && !jobs_.at(id).row.begins_chain()) explain_step(id);
    }
}

void Checker::learn_made(const Job& job) {
    Tracked* other = find(job.id);
    if (other != nullptr && !other->deleted) {
        fail(Invariant::one_row_per_request, "a new chain has an id that was used before");
        return;
    }
    jobs_.erase(job.id);  // an id of somebody's choice may be had again
    Tracked tracked;
    tracked.row = job;
    for (const auto& [id, body] : batch_->changes->bodies) {
        if (id == job.id) tracked.payload = body.payload;
    }
    tracked.not_before = now();
    jobs_.emplace(job.id, std::move(tracked));
    const auto [step, is_first] = steps_.try_emplace({job.chain, job.chain_index}, job.id);
    if (!is_first) {
        const Tracked* before = find(step->second);
        if (before != nullptr && !before->deleted && step->second != job.id) {
            fail(Invariant::chain_steps,
                 fmt::format("{} and {} are both step {} of {}", name(step->second), name(job.id),
                             job.chain_index, name(job.chain)));
            return;
        }
        step->second = job.id;
    }
    made_.insert(job.id);
    unexplained_.insert(job.id);
}

void Checker::explain_step(const JobId& id) {
    Tracked& job = jobs_.at(id);
    const auto wrong = [&](std::string_view what) {
        fail(Invariant::chain_steps,
             fmt::format("{} (#{}, step {} of {}): {}", name(id), number_in(job.payload),
                         job.row.chain_index, name(job.row.chain), what));
    };
    unexplained_.erase(id);
    const auto asked = asked_steps_.find(number_in(job.payload));
    const auto at = steps_.find({job.row.chain, job.row.chain_index - 1});
    const JobId before_id = at != steps_.end()         ? at->second
                            : job.row.chain_index == 1 ? job.row.chain
                                                       : JobId{};
    const Job* before = row_now(before_id);
    if (asked == asked_steps_.end() || before == nullptr) {
        wrong("nobody asked for it, or there is none before it");
        return;
    }
    const AskedStep& wanted = asked->second;
    const StepRef ref{job.row.chain, job.row.chain_index - 1};
    if (wanted.job ? *wanted.job != before_id : wanted.at != ref) {
        wrong("it was to follow another job");
    } else if (before->status != Status::completed || before->next != id) {
        wrong("the job before it has not completed with it");
    } else if (job.payload != wanted.step.input(job.row.tenant) ||
               job.row.type != wanted.step.type) {
        wrong("it is not what was asked for");
    }
    check_inherited(job.row, *before, wanted.step);
    job.not_before = now() + wanted.step.delay.value_or(Millis(0));
    context_.sometimes.hit(before->in_chain ? Sometimes::chain_continued
                                            : Sometimes::action_continued);
    if (job.row.chain_index >= 3) context_.sometimes.hit(Sometimes::chain_of_many_steps);
    explain_blockers(id, wanted.step, false);
}

void Checker::check_inherited(const Job& job, const Job& before, const StepPlan& step) {
    const bool is_right =
        job.lock_group == (step.lock_group.empty() ? before.lock_group : step.lock_group) &&
        job.max_retries == step.max_retries.value_or(before.max_retries) &&
        job.timeout == (step.timeout ? step.timeout : before.timeout) &&
        job.priority == before.priority &&
        (step.backoff ? job.backoff.base == step.backoff->base : job.backoff == before.backoff);
    if (!is_right) {
        fail(Invariant::chain_steps,
             fmt::format("{} did not inherit what was not given", name(job.id)));
    }
}

void Checker::explain_chain(const ChainPlan& plan, const JobId& id, bool is_ordered) {
    Tracked& job = jobs_.at(id);
    unexplained_.erase(id);
    const std::string& tenant = job.row.tenant;
    const bool is_right = job.payload == plan.first.input(tenant) &&
                          job.row.type == plan.first.type && job.row.chain == id &&
                          job.row.begins_chain() && (!plan.id || *plan.id == id);
    if (!is_right) {
        fail(Invariant::chain_steps,
             fmt::format("{} is not what #{} asked for", name(id), plan.first.number));
        return;
    }
    job.not_before = now() + plan.first.delay.value_or(Millis(0));
    if (const auto tuple = plan.tuple(tenant)) {
        std::erase(chain_owners_[*tuple], id);  // that had this id of somebody's choice before
        if (is_ordered) {
            check_key(tenant, plan, std::nullopt);
        } else {
            shared_chain_keys_.insert(*tuple);
        }
        chain_owners_[*tuple].push_back(id);
        if (job.row.claim) chain_tuples_.insert_or_assign(*job.row.claim, *tuple);
    }
    explain_blockers(id, plan.first, is_ordered);
}

// In their order; those that are started with it exist now, or are others that have their keys.
void Checker::explain_blockers(const JobId& id, const StepPlan& step, bool is_ordered) {
    const std::vector<Edge> edges = edges_of(id);
    if (edges.size() != step.blockers.size()) {
        fail(Invariant::blockers, fmt::format("{} has {} blockers, and was given {}", name(id),
                                              edges.size(), step.blockers.size()));
        return;
    }
    const std::string tenant = jobs_.at(id).row.tenant;
    for (std::size_t i = 0; i < edges.size() && !violation_; ++i) {
        const JobId& blocker = edges[i].blocker;
        const BlockerPlan& wanted = step.blockers[i];
        if (!wanted.chain) {
            if (blocker != *wanted.id) {
                fail(Invariant::blockers, fmt::format("{} waits for {}, and should for {}",
                                                      name(id), name(blocker), name(*wanted.id)));
            }
            continue;
        }
        const bool is_new = unexplained_.contains(blocker) &&
                            jobs_.at(blocker).payload == wanted.chain->first.input(tenant);
        count_decision(tenant, is_new ? Decision::new_ : Decision::duplicate);
        if (is_new) {
            explain_chain(*wanted.chain, blocker, is_ordered);
        } else if (wanted.chain->id != blocker && !wanted.chain->key) {
            fail(Invariant::blockers, fmt::format("{} waits for {}, which was not started for it",
                                                  name(id), name(blocker)));
        } else if (wanted.chain->id != blocker) {
            if (!is_ordered) shared_chain_keys_.insert(*wanted.chain->tuple(tenant));
            check_key(tenant, *wanted.chain, blocker);
        }
    }
}

// A job that this batch made and deleted is in no row; the chains that were started for it to wait
// for stay.
void Checker::explain_blockers_of_deleted(const StepPlan& step) {
    for (const BlockerPlan& blocker : step.blockers) {
        const auto is_it = [&](const JobId& id) {
            const Tracked& job = jobs_.at(id);
            return blocker.chain && job.payload == blocker.chain->first.input(job.row.tenant);
        };
        const auto id = std::find_if(unexplained_.begin(), unexplained_.end(), is_it);
        if (id != unexplained_.end()) {
            count_decision(jobs_.at(*id).row.tenant, Decision::new_);
            explain_chain(*blocker.chain, JobId(*id), false);
        }
    }
}

bool Checker::follows_deleted(const AskedStep& asked) const {
    if (asked.at) {
        return removed_chains_.contains(asked.at->chain);
    }
    const auto job = jobs_.find(*asked.job);
    return job != jobs_.end() && removed_chains_.contains(job->second.row.chain);
}

void Checker::end_chains() {
    if (!unexplained_.empty()) {
        for (const auto& [number, asked] : asked_steps_) {
            if (follows_deleted(asked)) explain_blockers_of_deleted(asked.step);
        }
    }
    if (!unexplained_.empty() && !violation_) {
        fail(Invariant::one_row_per_request,
             fmt::format("{} was made, and nobody asked for it", name(*unexplained_.begin())));
    }
}

// ---- what a request is told ---------------------------------------------------------------------

void Checker::check_start(const Decided& decided, const DecidedStart& start) {
    for (std::size_t i = 0; i < start.answers.size() && !violation_; ++i) {
        check_started(decided.tenant, decided.send->chain->chains[i], start.answers[i]);
    }
}

void Checker::check_started(const std::string& tenant, const ChainPlan& plan,
                            const Item<StartedChain>& answer) {
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        context_.trace.line("decided #{} {}", plan.first.number, to_string(problem->code));
        if (problem->code == ProblemCode::store_unavailable) {
            return;  // a row that it needs is held: nothing was decided
        }
        if (problem->code == ProblemCode::cycle) context_.sometimes.hit(Sometimes::ring_refused);
        if (problem->code == ProblemCode::conflict) {
            count_decision(tenant, Decision::conflict);
            context_.sometimes.hit(Sometimes::chain_id_refused);
        }
        const bool is_taken = plan.id && problem->code == ProblemCode::conflict;
        if (!is_taken && !is_justified(*problem, tenant, plan.first, std::nullopt)) {
            fail(Invariant::one_owner,
                 fmt::format("#{} was refused: {}", plan.first.number, problem->detail));
        }
        return;
    }
    const auto& started = std::get<StartedChain>(answer);
    const JobId& id = started.chain.first.id;
    context_.trace.line("decided #{} {} {}", plan.first.number,
                        started.deduplicated ? "met" : "new", name(id));
    count_decision(tenant, started.deduplicated ? Decision::duplicate : Decision::new_);
    if (started.deduplicated && plan.id == id && !started.purged) {
        context_.sometimes.hit(Sometimes::chain_met_by_its_id);
        const Tracked* met = find(id);
        if (met == nullptr || met->row.type != plan.first.type ||
            met->payload != plan.first.input(tenant)) {
            fail(Invariant::equal_keys,
                 fmt::format("#{} has the id of another chain, and met it", plan.first.number));
        }
    } else if (started.deduplicated) {
        if (started.purged) context_.sometimes.hit(Sometimes::purged_chain_met);
        if (!started.purged || find(id) != nullptr) check_key(tenant, plan, id);
    } else if (made_.contains(id)) {
        explain_chain(plan, id, true);
    } else if (removed_chains_.contains(id)) {
        explain_blockers_of_deleted(plan.first);
    } else {
        fail(Invariant::acknowledged_exists,
             fmt::format("#{} was answered with a chain that was not made", plan.first.number));
    }
}

// ---- keys ---------------------------------------------------------------------------------------

// The newest owner that qualifies counts; each is judged by its chain's last job.
void Checker::check_key(const std::string& tenant, const ChainPlan& plan,
                        const std::optional<JobId>& met) {
    const ChainTuple tuple = *plan.tuple(tenant);
    const auto& owners = chain_owners_[tuple];
    const auto wrong = [&](Invariant invariant, std::string_view what) {
        fail(invariant, fmt::format("#{} of {}: {} ({})", plan.first.number, tenant, what,
                                    met ? name(*met) : "new"));
    };
    const bool is_shared = shared_chain_keys_.contains(tuple);
    const bool is_owner = met && std::find(owners.begin(), owners.end(), *met) != owners.end();
    // One that a later request of this batch is told of.
    const bool may_own =
        met && (removed_chains_.contains(*met) || (is_shared && made_.contains(*met)));
    if (met && !is_owner && !may_own) {
        wrong(Invariant::equal_keys, "met a chain with another key");
    }
    if (is_shared) {
        return;
    }
    const auto& excluded = plan.key->excluded;
    for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
        const bool is_newest = owner == owners.rbegin();
        if (std::find(excluded.begin(), excluded.end(), *owner) != excluded.end()) {
            context_.sometimes.hit(Sometimes::chain_excluded);
            if (met == *owner) {
                wrong(Invariant::one_owner, "met a chain that it excludes");
                return;
            }
            continue;
        }
        const Match match = judge(*plan.key, *owner, is_newest);
        if (met == *owner) {
            context_.sometimes.hit(Sometimes::chain_met_by_its_key);
            if (!is_newest) context_.sometimes.hit(Sometimes::chain_met_behind_a_newer_one);
            if (match == Match::no) {
                wrong(Invariant::one_owner, "met a chain that does not count any more");
            }
            return;
        }
        if (match == Match::yes) {
            wrong(Invariant::one_owner,
                  "passed over " + name(*owner) + ", which has its key and counts");
            return;
        }
    }
    if (!owners.empty() && !met) context_.sometimes.hit(Sometimes::chain_started_beside_another);
}

Checker::Match Checker::judge(const ChainKeyPlan& key, const JobId& owner, bool is_newest) const {
    const auto known = jobs_.find(owner);
    if (known == jobs_.end() || known->second.deleted) {  // or deleted in the commit that made it
        return is_newest && key.scope == Scope::any ? Match::maybe : Match::no;
    }
    const Tracked& first = known->second;
    if (key.window && now() - first.row.created_at >= *key.window) {
        return Match::no;
    }
    if (is_deleted_now(owner) || removed_chains_.contains(owner)) {
        return Match::maybe;
    }
    const Job* before = last_before(owner);
    const Job* after = last_after(owner);
    const auto is_unclear = [&](const Job* job) {
        return job == nullptr || operated_.contains(job->id) || reopened_.contains(job->id) ||
               (made_.contains(job->id) && is_final(job->status));
    };
    if (is_unclear(before) || is_unclear(after)) {
        return Match::maybe;
    }
    const Match was = judge(key, *before);
    return was == judge(key, *after) ? was : Match::maybe;
}

Checker::Match Checker::judge(const ChainKeyPlan& key, const Job& last) const {
    const auto& retention = context_.plan.settings.key_retention;
    if (last.completed_at && retention && now() >= *last.completed_at + *retention) {
        return Match::no;
    }
    return !is_final(last.status) || key.scope == Scope::any ? Match::yes : Match::no;
}

// Nobody who is unfinished loses the key; who has ended may be forgotten.
void Checker::check_chain_claim(const Change<Claim>& change) {
    const auto tuple = chain_tuples_.find(change.after ? change.after->id : change.before->id);
    if (tuple == chain_tuples_.end()) {
        return;
    }
    std::vector<JobId> kept;
    if (change.after) {
        for (const Owner& owner : change.after->owners) kept.push_back(owner.job);
    }
    auto& owners = chain_owners_[tuple->second];
    for (const JobId& owner : owners) {
        const Job* last = last_after(owner);
        const bool is_kept = std::find(kept.begin(), kept.end(), owner) != kept.end();
        if (last != nullptr && !is_final(last->status) && !is_kept) {
            fail(Invariant::one_owner,
                 fmt::format("{} has not ended, and has lost its key", name(owner)));
        }
    }
    if (std::set(kept.begin(), kept.end()).size() != kept.size()) {
        fail(Invariant::one_owner, "a chain owns its key twice");
    }
    owners = std::move(kept);
}

// ---- refusals -----------------------------------------------------------------------------------

bool Checker::is_chain(const std::string& tenant, const JobId& id) const {
    const auto at = jobs_.find(id);
    // What was made since the batch began was not there for it.
    return at != jobs_.end() && !at->second.deleted && !made_.contains(id) && !is_deleted_now(id) &&
           !removed_chains_.contains(id) && at->second.made_by <= batch_->began_after &&
           at->second.row.tenant == tenant && at->second.row.begins_chain();
}

// Whether a step may be refused for its blockers. `chain`: that it would continue.
bool Checker::is_justified(const Problem& problem, const std::string& tenant, const StepPlan& step,
                           const std::optional<JobId>& chain) const {
    const bool is_about_blockers = problem.code == ProblemCode::not_found ||
                                   problem.code == ProblemCode::cycle ||
                                   problem.code == ProblemCode::conflict;
    return is_about_blockers &&
           std::any_of(step.blockers.begin(), step.blockers.end(), [&](const BlockerPlan& blocker) {
               if (blocker.chain) {
                   return blocker.chain->key || blocker.chain->id ||
                          is_justified(problem, tenant, blocker.chain->first, chain);
               }
               if (problem.code == ProblemCode::not_found) {
                   return !is_chain(tenant, *blocker.id);
               }
               // The way may have led through what is deleted later in this batch.
               return problem.code == ProblemCode::cycle && chain &&
                      (*blocker.id == *chain || !removed_chains_.empty() ||
                       reaches({*blocker.id}, *chain, false));
           });
}

}  // namespace semel::sim
