#include "store/ladder/ladder.hpp"

#include <algorithm>
#include <map>

#include "core/limits.hpp"
#include "store/ladder/ladder_climb.hpp"

namespace semel::ladder {

Climb::Climb(RowSource& rows, const LoadSpec& spec, Time now)
    : rows_(rows), spec_(spec), now_(now) {
    loaded_.now = now;
    loaded_.jobs.reserve(spec.jobs.size() + spec.claims.size());
    loaded_.claims.reserve(spec.claims.size());
    known_.reserve(spec.jobs.size() + spec.claims.size());
    claim_owners_.reserve(spec.claims.size());
    for (const Query& query : spec.queries) {
        const auto* ready = std::get_if<ReadyQuery>(&query);
        ready_wanted_ += ready != nullptr ? static_cast<std::size_t>(std::max(ready->limit, 0)) : 0;
    }
}

Loaded Climb::run() {
    for (const Query& query : spec_.queries) {
        loaded_.queries.push_back(
            std::visit([&](const auto& asked) { return answer(asked); }, query));
    }
    add_named(spec_);
    add_named(found_names_);
    add_relations();
    add_firsts();
    add_dependants();
    add_firsts();  // of the dependants
    add_waits();
    add_schedules_of_jobs();
    add_groups();
    add_schedules_of_jobs();  // of those that wait in a group
    add_contents();
    add_sources();
    for (const Uuid& id : spec_.bulk_runs) {
        add_bulk_run(id);
    }
    for (const Uuid& id : spec_.api_tokens) {
        if (auto token = rows_.api_token(id)) {
            loaded_.api_tokens.push_back(std::move(*token));
        }
    }
    return std::move(loaded_);
}

void Climb::add_named(const LoadSpec& spec) {
    for (const ClaimId& id : spec.claims) {
        add_claim(id, kWhole);
    }
    for (const JobRef& ref : spec.jobs) {
        if (!ref.may_wait || has_room_for(ref)) {
            add_ref(ref);
        } else {
            loaded_.left_out.push_back(ref.id);
        }
    }
    for (const StepRef& step : spec.steps) {
        add_step(step);
    }
    for (const JobId& id : spec.wanted_ids) {
        if (rows_.is_taken(id)) loaded_.taken_ids.push_back(id);
    }
    for (const ScheduleKey& key : spec.schedules) {
        const auto* schedule = add_schedule(key);
        if (schedule != nullptr && schedule->current) {
            add_job(*schedule->current, kWhole);
        }
    }
}

// After the first job without room, all later jobs are left out. The caller continues with that
// job.
bool Climb::has_room_for(const JobRef& ref) {
    if (is_full_ || !add_job(ref.id, kRowOnly)) {
        return !is_full_;
    }
    const bool is_first = may_wait_edges_ == 0;
    may_wait_edges_ += static_cast<std::size_t>(known_job(ref.id).blockers);
    const JobId chain = known_job(ref.id).chain;
    if (add_job(chain, kRowOnly)) {
        may_wait_edges_ += static_cast<std::size_t>(known_job(chain).blocks);
    }
    is_full_ = !is_first && may_wait_edges_ > kBulkEdgesMax;
    return !is_full_;
}

void Climb::add_ref(const JobRef& ref) {
    const Parts parts{.body = ref.body, .result = ref.body, .queue = !ref.stays};
    if (!add_job(ref.id, parts)) {
        return;
    }
    if (ref.claim) add_claim_of(ref.id);
    if (ref.chain) add_last(ref.id, {.result = true, .queue = !ref.stays});
    if (ref.outcome) add_outcome(ref.id);
    if (ref.blockers) add_blockers_of(ref.id);
}

bool Climb::add_job(const JobId& id, Parts parts) {
    const auto [at, is_new] = known_.try_emplace(id, Known{kAbsent, kRowOnly});
    Known& known = at->second;
    if (is_new) {
        if (auto found = rows_.job(id, parts.body)) {
            known.index = loaded_.jobs.size();
            known.parts.body = parts.body;
            loaded_.jobs.push_back(std::move(found->job));
            if (found->body) {
                loaded_.bodies.emplace_back(id, std::move(*found->body));
            }
        }
    }
    if (known.index == kAbsent) {
        return false;
    }
    add_parts(id, known, parts);
    return true;
}

void Climb::add_parts(const JobId& id, Known& known, Parts parts) {
    if (parts.body && !known.parts.body) {
        known.parts.body = true;
        if (auto body = rows_.body(id)) {
            loaded_.bodies.emplace_back(id, std::move(*body));
        }
    }
    if (parts.result && !known.parts.result) {
        known.parts.result = true;
        if (loaded_.jobs[known.index].has_result) {
            if (auto result = rows_.result(id)) {
                loaded_.results.emplace_back(id, std::move(*result));
            }
        }
    }
    known.parts.queue = known.parts.queue || parts.queue;
}

const Job& Climb::known_job(const JobId& id) const {
    return loaded_.jobs[known_.at(id).index];
}

// ---- claims and relations ---------------------------------------------------------------------

bool Climb::add_claim(const ClaimId& id, Parts owner_parts) {
    const auto [at, is_new] = claim_owners_.try_emplace(id);
    if (is_new) {
        if (auto claim = rows_.claim(id)) {
            at->second.emplace();
            for (const Owner& owner : claim->owners) {
                at->second->push_back(owner.job);
            }
            loaded_.claims.push_back(std::move(*claim));
        }
    }
    if (!at->second) {
        return false;
    }
    for (const JobId& owner : *at->second) {
        add_owner(owner, owner_parts);
    }
    return true;
}

void Climb::add_owner(const JobId& id, Parts parts) {
    // Loads the payload with the row, because on PostgreSQL a later fetch costs another round trip.
    if (!add_job(id, {.body = parts.body})) {
        return;
    }
    if (known_job(id).in_chain) {
        add_last(id, {.result = parts.result});
    } else {
        add_job(id, parts);
    }
}

void Climb::add_claim_of(const JobId& id) {
    const JobId first = known_job(id).chain;
    if (add_job(first, kRowOnly) && known_job(first).claim) {
        add_claim(ClaimId(*known_job(first).claim), kRowOnly);
    }
}

void Climb::add_relations() {
    const std::size_t count = loaded_.jobs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto predecessor = loaded_.jobs[i].predecessor;
        const auto successor = loaded_.jobs[i].successor;
        const auto superseded_by = loaded_.jobs[i].superseded_by;
        const Parts parts = known_.at(loaded_.jobs[i].id).parts;
        // The key of a cancelled successor returns to its predecessor, which can then be the
        // answer.
        if (predecessor) add_job(*predecessor, parts.body ? kWhole : kInQueue);
        if (successor) add_job(*successor, kInQueue);
        if (superseded_by && parts.body) {
            add_job(*superseded_by, parts);
        }
    }
}

void Climb::add_contents() {
    std::unordered_map<ClaimId, const Claim*> claims;
    for (const Claim& claim : loaded_.claims) claims[claim.id] = &claim;
    std::unordered_set<ClaimId> read;
    for (const ContentRef& ref : spec_.contents) {
        const auto found = claims.find(ref.claim);
        const Claim* claim = found == claims.end() ? nullptr : found->second;
        const bool is_wanted = claim != nullptr && claim->effect && claim->effect->has_content &&
                               claim->fingerprint != ref.known;
        if (is_wanted && read.insert(ref.claim).second) {
            if (auto content = rows_.content(ref.claim)) {
                loaded_.contents.emplace_back(ref.claim, std::move(*content));
            }
        }
    }
}

void Climb::add_sources() {
    for (const SourceKey& key : spec_.sources) add_source(key);
    for (const Claim& claim : loaded_.claims) {
        if (claim.effect && claim.effect->version) {
            add_source({claim.tenant, claim.effect->source_type, claim.effect->source_id});
        }
    }
}

void Climb::add_source(const SourceKey& key) {
    if (sources_.insert(key).second) {
        if (auto source = rows_.source(key)) loaded_.sources.push_back(std::move(*source));
    }
}

const Schedule* Climb::add_schedule(const ScheduleKey& key) {
    const auto [at, is_new] = schedules_.try_emplace(key, kAbsent);
    if (is_new) {
        if (auto schedule = rows_.schedule(key)) {
            at->second = loaded_.schedules.size();
            loaded_.schedules.push_back(std::move(*schedule));
        }
    }
    return at->second == kAbsent ? nullptr : &loaded_.schedules[at->second];
}

void Climb::add_schedules_of_jobs() {
    for (const Job& job : loaded_.jobs) {
        if (job.occurrence) {
            add_schedule({job.tenant, job.occurrence->name});
        }
    }
}

void Climb::add_groups() {
    std::map<GroupKey, int> leaving;  // how many members the batch may take out
    for (const LoadSpec* spec : {&spec_, static_cast<const LoadSpec*>(&found_names_)}) {
        for (const GroupKey& key : spec->groups) ++leaving[key];
    }
    for (const Job& job : loaded_.jobs) {
        const bool may_move = known_.at(job.id).parts.queue || job.occurrence;
        if (!job.lock_group.empty() && may_move) {
            ++leaving[{job.tenant, job.lock_group}];
        }
    }
    for (const Schedule& schedule : loaded_.schedules) {
        if (!schedule.spec.lock_group.empty()) {
            ++leaving[{schedule.key.tenant, schedule.spec.lock_group}];
        }
    }
    for (const auto& [key, count] : leaving) {
        if (auto group = rows_.group(key)) {
            add_job(group->head, kRowOnly);
            loaded_.groups.push_back(std::move(*group));
            add_waiting(key, count + 1);
        }
    }
}

std::vector<Job> Climb::waiting_up_to(const GroupKey& key, int steady) {
    int limit = steady;
    while (true) {
        std::vector<Job> queue = rows_.waiting(key, limit);
        const auto late =
            std::count_if(queue.begin(), queue.end(), [&](const Job& job) { return is_late(job); });
        const int wanted = steady + static_cast<int>(late);
        if (wanted <= limit || queue.size() < static_cast<std::size_t>(limit)) {
            return queue;
        }
        limit = wanted;
    }
}

bool Climb::is_late(const Job& job) const {
    return job.occurrence && job.occurrence->slot && *job.occurrence->slot < now_ &&
           !job.was_taken();
}

void Climb::add_waiting(const GroupKey& key, int steady) {
    for (Job& job : waiting_up_to(key, steady)) {
        const Known known{loaded_.jobs.size(), kRowOnly};
        if (known_.try_emplace(job.id, known).second) {
            loaded_.jobs.push_back(std::move(job));
        }
    }
}

}  // namespace semel::ladder

namespace semel {

Loaded climb_ladder(RowSource& rows, const LoadSpec& spec, Time now) {
    return ladder::Climb(rows, spec, now).run();
}

}  // namespace semel
