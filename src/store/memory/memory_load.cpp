// The ladder of core/load_spec.hpp over ordered maps.
#include <algorithm>
#include <tuple>

#include "store/memory/memory_tables.hpp"

namespace semel {
namespace {

class Ladder {
public:
    Ladder(const MemoryTables& tables, Time now) : tables_(tables) { loaded_.now = now; }

    Loaded climb(const LoadSpec& spec) {
        for (const Query& query : spec.queries) {
            std::visit([this](const auto& one) { answer(one); }, query);
        }
        for (const ClaimId& id : spec.claims) load_claim(id, true);
        for (const JobRef& ref : spec.jobs) load_job(ref);
        for (const Uuid& id : spec.api_tokens) load_api_token(id);
        for (const GroupKey& key : spec.groups) ++mentions_[key];
        for (const auto& [key, count] : mentions_) load_group(key, count);
        return std::move(loaded_);
    }

private:
    void load_claim(const ClaimId& id, bool with_owner) {
        const auto claim = tables_.claims.find(id);
        if (claim == tables_.claims.end()) {
            return;
        }
        if (claims_.insert(id).second) {
            loaded_.claims.push_back(claim->second);
        }
        if (with_owner && claim->second.owner) {
            load_job({.id = *claim->second.owner, .body = true});
        }
    }

    void load_job(const JobRef& ref) {
        const auto job = tables_.jobs.find(ref.id);
        if (job == tables_.jobs.end()) {
            return;
        }
        if (ref.claim && job->second.claim) {
            load_claim(*job->second.claim, false);
        }
        if (ref.body) {
            load_body(ref.id);
        }
        if (!jobs_.insert(ref.id).second) {
            return;
        }
        loaded_.jobs.push_back(job->second);
        if (!job->second.lock_group.empty()) {
            ++mentions_[{job->second.tenant, job->second.lock_group}];
        }
        for (const auto& linked : {job->second.predecessor, job->second.successor}) {
            if (linked) {
                load_job({.id = *linked});
            }
        }
    }

    void load_body(const JobId& id) {
        if (!bodies_.insert(id).second) {
            return;
        }
        loaded_.bodies.emplace_back(id, tables_.bodies.at(id));
        const auto result = tables_.results.find(id);
        if (result != tables_.results.end()) {
            loaded_.results.emplace_back(id, result->second);
        }
    }

    void load_api_token(const Uuid& id) {
        const auto token = tables_.api_tokens.find(id);
        if (token != tables_.api_tokens.end()) {
            loaded_.api_tokens.push_back(token->second);
        }
    }

    void load_group(const GroupKey& key, std::size_t mentions) {
        const auto group = tables_.groups.find(key);
        if (group == tables_.groups.end()) {
            return;
        }
        loaded_.groups.push_back(group->second);
        std::vector<const Job*> members;
        for (const auto& [id, job] : tables_.jobs) {
            const bool waits = job.place == Place::waiting && job.tenant == key.tenant &&
                               job.lock_group == key.name;
            if (waits) {
                members.push_back(&job);
            }
        }
        std::sort(members.begin(), members.end(), [](const Job* a, const Job* b) {
            return std::tie(a->scheduled_at, a->id) < std::tie(b->scheduled_at, b->id);
        });
        members.resize(std::min(members.size(), mentions + 1));
        members.push_back(&tables_.jobs.at(group->second.head));
        for (const Job* job : members) {
            if (jobs_.insert(job->id).second) {
                loaded_.jobs.push_back(*job);
            }
        }
    }

    // No job is found by two queries of a batch.
    bool find(QueryResult& result, const JobId& id, JobRef ref) {
        if (!found_.insert(id).second) {
            return false;
        }
        result.jobs.push_back(id);
        load_job(ref);
        return true;
    }

    void answer(const ReadyQuery& query) {
        QueryResult result;
        std::map<std::string, std::vector<const Job*>> by_tenant;
        for (const auto& [id, job] : tables_.jobs) {
            const bool wanted =
                job.place == Place::ready && (!query.tenant || *query.tenant == job.tenant) &&
                std::find(query.types.begin(), query.types.end(), job.type) != query.types.end();
            if (wanted && !found_.contains(id)) {
                by_tenant[job.tenant].push_back(&job);
            }
        }
        for (const Job* job : deal(by_tenant, query)) {
            find(result, job->id, {.id = job->id, .body = true});
        }
        loaded_.queries.push_back(std::move(result));
    }

    // Within a tenant by priority, time, id; between tenants in turn.
    static std::vector<const Job*> deal(std::map<std::string, std::vector<const Job*>>& by_tenant,
                                        const ReadyQuery& query) {
        std::vector<std::vector<const Job*>*> lines;
        for (auto& [tenant, jobs] : by_tenant) {
            std::sort(jobs.begin(), jobs.end(), [](const Job* a, const Job* b) {
                return std::tuple(-a->priority, a->scheduled_at, a->id) <
                       std::tuple(-b->priority, b->scheduled_at, b->id);
            });
            lines.push_back(&jobs);
        }
        const auto first = by_tenant.upper_bound(query.after_tenant);
        std::rotate(lines.begin(), lines.begin() + std::distance(by_tenant.begin(), first),
                    lines.end());
        std::vector<const Job*> dealt;
        const auto limit = static_cast<std::size_t>(query.limit);
        for (std::size_t round = 0; dealt.size() < limit; ++round) {
            const std::size_t before = dealt.size();
            for (const auto* line : lines) {
                if (round < line->size() && dealt.size() < limit) {
                    dealt.push_back((*line)[round]);
                }
            }
            if (dealt.size() == before) {
                break;
            }
        }
        return dealt;
    }

    void answer(const DueQuery& query) {
        std::set<std::pair<Time, JobId>> later;
        for (const auto& [id, job] : tables_.jobs) {
            if (job.place == Place::later) {
                later.emplace(job.scheduled_at, id);
            }
        }
        answer_by_time(later, query.limit);
    }

    void answer(const ExpiredQuery& query) {
        std::set<std::pair<Time, JobId>> leases;
        for (const auto& [id, job] : tables_.jobs) {
            if (job.lease) {
                leases.emplace(
                    std::min(job.lease->until, job.lease->timeout_at.value_or(job.lease->until)),
                    id);
            }
        }
        answer_by_time(leases, query.limit);
    }

    void answer_by_time(const std::set<std::pair<Time, JobId>>& times, int limit) {
        QueryResult result;
        for (const auto& [at, id] : times) {
            const bool room = result.jobs.size() < static_cast<std::size_t>(limit);
            if (at > loaded_.now || !room) {
                result.next_at = at;
                break;
            }
            find(result, id, {.id = id});
        }
        loaded_.queries.push_back(std::move(result));
    }

    void answer(const FinishedQuery& query) {
        std::set<std::pair<Time, JobId>> finished;
        for (const auto& [id, job] : tables_.jobs) {
            if (job.completed_at && *job.completed_at + query.age <= loaded_.now) {
                finished.emplace(*job.completed_at, id);
            }
        }
        QueryResult result;
        for (const auto& [at, id] : finished) {
            if (result.jobs.size() == static_cast<std::size_t>(query.limit)) {
                break;
            }
            find(result, id, {.id = id, .claim = true});
        }
        loaded_.queries.push_back(std::move(result));
    }

    void answer(const ExpiredClaimsQuery& query) {
        QueryResult result;
        for (const auto& [id, claim] : tables_.claims) {
            const bool room = result.claims.size() < static_cast<std::size_t>(query.limit);
            if (room && claim.expires_at && *claim.expires_at <= loaded_.now) {
                result.claims.push_back(id);
                load_claim(id, false);
            }
        }
        loaded_.queries.push_back(std::move(result));
    }

    const MemoryTables& tables_;
    Loaded loaded_;
    std::set<JobId> jobs_;
    std::set<JobId> bodies_;
    std::set<JobId> found_;
    std::set<ClaimId> claims_;
    std::map<GroupKey, std::size_t> mentions_;
};

template <typename Key, typename Row>
void write(std::map<Key, Row>& table, const Key& key, const std::optional<Row>& after) {
    if (after) {
        table.insert_or_assign(key, *after);
    } else {
        table.erase(key);
    }
}

template <typename Row>
const Row& any_of(const Change<Row>& change) {
    return change.after ? *change.after : *change.before;
}

}  // namespace

Loaded MemoryTables::load(const LoadSpec& spec, Time now) const {
    return Ladder(*this, now).climb(spec);
}

void MemoryTables::apply(const Changes& changes) {
    for (const auto& change : changes.claims) write(claims, any_of(change).id, change.after);
    for (const auto& change : changes.groups) write(groups, any_of(change).key, change.after);
    for (const auto& change : changes.api_tokens) {
        write(api_tokens, any_of(change).id, change.after);
    }
    for (const auto& [id, body] : changes.bodies) bodies.insert_or_assign(id, body);
    for (const auto& [id, result] : changes.results) write(results, id, result);
    for (const Attempt& attempt : changes.attempts) attempts[attempt.job].push_back(attempt);
    for (const auto& change : changes.jobs) {
        const JobId id = any_of(change).id;
        write(jobs, id, change.after);
        if (!change.after) {
            bodies.erase(id);
            results.erase(id);
            attempts.erase(id);
        }
    }
    decisions.insert(decisions.end(), changes.decisions.begin(), changes.decisions.end());
}

}  // namespace semel
