// What users' own transactions left, and what must become of it. Nodes drain by themselves: what
// they decided is seen by the entries that a batch deletes, the results it writes, and its rows.
#include <algorithm>
#include <array>

#include "core/json/json.hpp"
#include "sim/checker.hpp"

namespace semel::sim {
namespace {

constexpr std::array kRefusals = {ProblemCode::not_found, ProblemCode::cycle,
                                  ProblemCode::conflict};

}  // namespace

// ---- a user commits -----------------------------------------------------------------------------

void Checker::user_committed(const LeftBehind& left) {
    const int commit = ++user_commits_;
    for (const OutboxEntry& entry : left.entries) {
        context_.trace.line("entry {} is committed", entry.id);
        OpenEntry open{entry,  std::nullopt,        std::nullopt, left.began_after,
                       commit, context_.world.now()};
        const bool is_late = entry.id < last_decided_;
        if (is_late) context_.sometimes.hit(Sometimes::entry_committed_after_a_later_one);
        if (entry.verb == OutboxVerb::enqueue) {
            open.item = left.items.at(entry.id);
        } else if (entry.verb == OutboxVerb::start_chain) {
            open.chain = left.chains.at(entry.id);
        } else {
            user_settled(entry);
        }
        open_entries_.emplace(entry.id, std::move(open));
    }
}

// Its lock has kept the row as it is since its token was polled at.
void Checker::user_settled(const OutboxEntry& entry) {
    Tracked& job = jobs_.at(entry.subject);
    context_.trace.line("{} is settling with token {}", name(entry.subject), to_int(entry.token));
    if (job.row.token != entry.token || job.row.status != Status::running || job.row.settling) {
        fail(Invariant::current_token,
             fmt::format("{} was settled in a transaction with token {}; the current one is {}",
                         name(entry.subject), to_int(entry.token), to_int(job.row.token)));
    }
    job.row.settling = true;
}

// ---- a node has drained -------------------------------------------------------------------------

void Checker::check_outbox() {
    settled_.clear();
    if (!batch_->changes || violation_) {
        return;
    }
    std::map<Uuid, std::string> told;
    for (const OutboxResult& result : batch_->changes->outbox_results) {
        told.emplace(result.id, result.json);
    }
    for (const std::int64_t id : batch_->changes->drained) {
        const auto open = open_entries_.extract(id);
        if (open.empty()) {
            fail(Invariant::outbox_once,
                 fmt::format("entry {} was decided before, or never committed", id));
            return;
        }
        check_turn(open.mapped());
        if (open.mapped().entry.verb == OutboxVerb::enqueue) {
            check_enqueued(open.mapped(), told.extract(open.mapped().entry.subject));
        } else if (open.mapped().entry.verb == OutboxVerb::start_chain) {
            check_chain_entry(open.mapped(), told.extract(open.mapped().entry.subject));
        } else {
            check_settled(open.mapped().entry);
        }
        last_decided_ = std::max(last_decided_, id);
    }
    if (!told.empty()) {
        fail(Invariant::outbox_once, "an entry was decided, and stays to be decided again");
    }
}

// Transactions that overlapped may come in either order; what one leaves comes in its order.
void Checker::check_turn(const OpenEntry& decided) {
    const auto key = key_of(decided);
    for (const auto& [id, open] : open_entries_) {
        if (id > decided.entry.id) {
            break;
        }
        const auto& drained = batch_->changes->drained;
        const bool is_left = std::find(drained.begin(), drained.end(), id) == drained.end();
        const bool was_before = open.commit <= decided.began_after || open.commit == decided.commit;
        if (is_left && was_before) context_.sometimes.hit(Sometimes::held_entry_left_for_later);
        if (was_before && key && key_of(open) == key) {
            fail(Invariant::outbox_order,
                 fmt::format("entry {} was decided before entry {} of the same key",
                             decided.entry.id, id));
        }
    }
}

std::optional<KeyTuple> Checker::key_of(const OpenEntry& entry) {
    return entry.item ? entry.item->tuple(entry.entry.tenant) : std::nullopt;
}

void Checker::check_settled(const OutboxEntry& entry) {
    const Tracked& job = jobs_.at(entry.subject);
    const bool completes = entry.verb != OutboxVerb::fail && !is_refused(entry);
    const Attempt* attempt = ended_attempt(entry.subject);
    context_.trace.line("entry {} decided: {} {}", entry.id, name(entry.subject),
                        completes ? "completed" : "failed");
    if (removed_chains_.contains(job.row.chain)) {
        return;  // the attempt went with its job
    }
    const AttemptEnd end = completes ? AttemptEnd::completed : AttemptEnd::failed;
    if (attempt == nullptr || attempt->token != entry.token || attempt->end != end) {
        fail(Invariant::outbox_result,
             fmt::format("the result of {} was committed, and has not ended its attempt",
                         name(entry.subject)));
        return;
    }
    if (job.row.lease && now() >= job.row.lease->ends_at()) {
        context_.sometimes.hit(Sometimes::result_outlived_its_lease);
    }
    // Of the reasons for which a continuation is refused, these two are decisions.
    for (const char* conflict : {"another type or input exists", "this id is taken"}) {
        const bool is_one = !completes && attempt->error.find(conflict) != std::string::npos;
        if (is_one) count_decision(entry.tenant, Decision::conflict);
    }
    settled_.insert(entry.subject);
    learn_settled(entry);
}

// What it was to go on with cannot be: then the job fails for good.
bool Checker::is_refused(const OutboxEntry& entry) const {
    const Attempt* attempt = ended_attempt(entry.subject);
    if (entry.verb != OutboxVerb::continue_with || attempt == nullptr ||
        attempt->end != AttemptEnd::failed) {
        return false;
    }
    const auto content = json::Document::parse(entry.content.value_or("null"));
    const auto input = content ? content->root().find("input") : std::nullopt;
    const JobId& chain = jobs_.at(entry.subject).row.chain;
    return input && std::any_of(kRefusals.begin(), kRefusals.end(), [&](ProblemCode code) {
               return is_justified(Problem{.code = code, .detail = {}}, entry.tenant,
                                   asked(std::string(input->raw())), chain);
           });
}

// ---- what an entry asked for --------------------------------------------------------------------

void Checker::check_enqueued(const OpenEntry& open, const Told& told) {
    const std::int64_t id = open.entry.id;
    if (told.empty()) {
        fail(Invariant::outbox_once, fmt::format("entry {} was decided, and nobody told", id));
        return;
    }
    const auto document = json::Document::parse(told.mapped());
    const json::Value decision = *document->root().find("decision");
    context_.trace.line("entry {} decided: {}", id, told.mapped());
    if (!open.item) {
        context_.sometimes.hit(Sometimes::unreadable_entry_refused);
        if (!decision.is_null()) {
            fail(Invariant::outbox_once, fmt::format("entry {} cannot be read, and was", id));
        }
        return;
    }
    const std::string& tenant = open.entry.tenant;
    if (decision.is_null() || decision.as_string() == to_string(Decision::conflict)) {
        check_item(
            tenant, *open.item,
            Problem{.code = decision.is_null() ? ProblemCode::invalid : ProblemCode::conflict,
                    .detail = told.mapped()});
        return;
    }
    const auto effect = Uuid::parse(document->root().find("id")->as_string());
    if (decision.as_string() == to_string(Decision::new_)) {
        if (effect != open.entry.subject || row_after(*effect) == nullptr) {
            fail(Invariant::outbox_once,
                 fmt::format("entry {} is told of an action that is not its own", id));
            return;
        }
        check_item(tenant, *open.item, made_by(open.entry));
        return;
    }
    context_.sometimes.hit(Sometimes::entry_met_its_key);
    if (find(*effect) == nullptr && shared_keys_.contains(*key_of(open))) {
        // Made by the request, which is polled at after this.
        count_decision(tenant, Decision::duplicate);
        shared_payloads_.insert(open.item->payload(tenant));
        return;
    }
    check_item(tenant, *open.item, met_by(open, *effect));
}

// Which of the requests of this batch came before it is not known.
void Checker::check_chain_entry(const OpenEntry& open, const Told& told) {
    const std::int64_t entry = open.entry.id;
    if (told.empty()) {
        fail(Invariant::outbox_once, fmt::format("entry {} was decided, and nobody told", entry));
        return;
    }
    context_.trace.line("entry {} decided: {}", entry, told.mapped());
    const std::string& tenant = open.entry.tenant;
    if (const auto tuple = open.chain->tuple(tenant)) shared_chain_keys_.insert(*tuple);
    const auto document = json::Document::parse(told.mapped());
    const json::Value decision = *document->root().find("decision");
    if (decision.is_null() || decision.as_string() == to_string(Decision::conflict)) {
        if (!decision.is_null()) count_decision(tenant, Decision::conflict);
        const bool is_right =
            std::any_of(kRefusals.begin(), kRefusals.end(), [&](ProblemCode code) {
                return is_justified(Problem{.code = code, .detail = {}}, tenant, open.chain->first,
                                    std::nullopt);
            });
        if (!is_right) fail(Invariant::one_owner, fmt::format("entry {} was refused", entry));
        return;
    }
    const JobId id = *Uuid::parse(document->root().find("id")->as_string());
    context_.sometimes.hit(Sometimes::chain_started_in_a_transaction);
    if (decision.as_string() != to_string(Decision::new_)) {
        count_decision(tenant, Decision::duplicate);
        check_key(tenant, *open.chain, id);
        return;
    }
    count_decision(tenant, Decision::new_);
    if (id != open.entry.subject || (!made_.contains(id) && !removed_chains_.contains(id))) {
        fail(Invariant::outbox_once,
             fmt::format("entry {} is told of a chain that is not its own", entry));
    } else if (made_.contains(id)) {
        explain_chain(*open.chain, id, false);
    }
}

// The rest of the answer is not written down for anybody, and is read off the rows.
ScheduledAction Checker::made_by(const OutboxEntry& entry) {
    ScheduledAction answer;
    answer.action.job = *row_after(entry.subject);
    const Job& job = answer.action.job;
    for (const auto& change : batch_->changes->claims) {
        if (!change.after || change.after->id != job.claim) continue;
        const auto& owners = change.after->owners;
        const auto own = std::find_if(owners.begin(), owners.end(),
                                      [&](const Owner& owner) { return owner.job == job.id; });
        if (own != owners.end() && own->is_successor) answer.successor_of = frozen_before(job);
    }
    return answer;
}

// Whom a successor follows: one that still runs, was superseded by it, or ended in this batch.
std::optional<JobId> Checker::frozen_before(const Job& successor) {
    if (successor.predecessor) {
        return successor.predecessor;
    }
    for (const auto& [id, after] : batch_after_) {
        if (after->superseded_by == successor.id) {
            return id;
        }
    }
    for (const auto& [id, after] : batch_after_) {
        if (after->claim == successor.claim && ended_attempt(id) != nullptr) {
            return id;
        }
    }
    return std::nullopt;
}

ScheduledAction Checker::met_by(const OpenEntry& open, const JobId& id) {
    ScheduledAction answer;
    answer.decision = Decision::duplicate;
    const Tracked* met = find(id);
    if (met == nullptr) {
        answer.action.job.id = id;
        answer.action.job.tenant = open.entry.tenant;
        return answer;
    }
    answer.action.job = met->row;
    const OnDuplicate policy = open.item->key->on_duplicate;
    const auto& bodies = batch_->changes->bodies;
    const bool is_written = std::any_of(bodies.begin(), bodies.end(),
                                        [&](const auto& body) { return body.first == id; });
    answer.replaced =
        is_written && (policy == OnDuplicate::replace || policy == OnDuplicate::debounce);
    answer.purged =
        met->deleted || (is_deleted_now(id) && !allowed_for(*open.item, open.entry.tenant).same);
    return answer;
}

// ---- keys that a request of the same batch has too ----------------------------------------------

// Whether the drain was decided before the request is not known: either order is right.
void Checker::find_shared_keys() {
    shared_keys_.clear();
    if (!batch_->changes || batch_->changes->drained.empty()) {
        return;
    }
    std::set<KeyTuple> asked;
    for (const Decided& decided : batch_->decided) {
        if (!std::holds_alternative<DecidedSchedule>(decided.what)) continue;
        for (const ItemPlan& item : decided.send->items) {
            if (const auto key = item.tuple(decided.tenant)) asked.insert(*key);
        }
    }
    for (const std::int64_t id : batch_->changes->drained) {
        const auto open = open_entries_.find(id);
        const auto key = open != open_entries_.end() ? key_of(open->second) : std::nullopt;
        if (key && asked.contains(*key)) {
            context_.sometimes.hit(Sometimes::entry_and_request_in_one_batch);
            shared_keys_.insert(*key);
            unclear_keys_.insert(*key);
        }
    }
}

// The last of the payloads is what the row says; it must be one of those that were sent.
void Checker::settle_shared_payloads() {
    for (const auto& [id, body] : batch_->changes->bodies) {
        Tracked* job = find(id);
        const bool is_shared = job != nullptr && job->tuple && shared_keys_.contains(*job->tuple);
        if (is_shared && shared_payloads_.contains(body.payload)) job->payload = body.payload;
    }
    shared_payloads_.clear();
}

// ---- when faults have stopped -------------------------------------------------------------------

void Checker::check_outbox_live(Millis allowance) {
    for (const auto& [id, open] : open_entries_) {
        if (context_.world.now() > open.committed_at + allowance) {
            fail(Invariant::live, fmt::format("entry {} is committed, and nobody decides it", id));
        }
    }
}

}  // namespace semel::sim
