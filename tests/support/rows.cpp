#include "support/rows.hpp"

#include <ostream>

#include <fmt/format.h>

namespace semel::test {
namespace {

template <typename T, typename Show>
std::string optional_text(const std::optional<T>& value, Show show) {
    return value ? fmt::format("{}", show(*value)) : "-";
}

std::string time_text(const std::optional<Time>& time) {
    return optional_text(time, to_ms);
}

std::string id_text(const std::optional<Uuid>& id) {
    return optional_text(id, [](const Uuid& value) { return value.to_string(); });
}

std::string hash_text(const std::optional<Hash256>& hash) {
    return optional_text(hash, [](const Hash256& value) { return value.to_hex().substr(0, 8); });
}

std::string text_text(const std::optional<std::string>& text) {
    return text ? fmt::format("'{}'", *text) : "-";
}

void give_lease(Job& job, Time until) {
    job.status = Status::running;
    job.place = Place::running;
    job.attempts = 1;
    job.token = Token{to_ms(kStart) + 7};
    job.started_at = kStart + Millis(5);
    job.lease = Lease{"worker", kStart + Millis(5), until, std::nullopt};
}

Place place_of(Status status) {
    switch (status) {
        case Status::blocked: return Place::blocked;
        case Status::pending: return Place::predecessor;
        case Status::running: return Place::running;
        case Status::completed:
        case Status::failed:
        case Status::cancelled:
        case Status::superseded:
        case Status::uncertain: return Place::done;
    }
    return Place::done;
}

}  // namespace

JobId id_at(Time at, int number) {
    JobId id;
    const auto ms = static_cast<std::uint64_t>(to_ms(at));
    for (std::size_t i = 0; i < 6; ++i) {
        id.bytes[i] = static_cast<std::uint8_t>(ms >> (8 * (5 - i)));
    }
    id.bytes[6] = static_cast<std::uint8_t>(0x70 | ((number >> 8) & 0x0F));
    id.bytes[7] = static_cast<std::uint8_t>(number);
    id.bytes[8] = 0x80;
    return id;
}

Hash256 hash_of(int number) {
    return sha256(fmt::format("{}", number));
}

Job ready_job(int number) {
    Job job;
    job.id = id_at(kStart, number);
    job.tenant = "acme";
    job.type = "mail";
    job.chain = job.id;
    job.scheduled_at = kStart;
    job.created_at = kStart;
    job.updated_at = kStart;
    return job;
}

Job later_job(int number, Time at) {
    Job job = ready_job(number);
    job.place = Place::later;
    job.scheduled_at = at;
    return job;
}

Job running_job(int number, Time lease_until) {
    Job job = ready_job(number);
    give_lease(job, lease_until);
    return job;
}

Job finished_job(int number, Status status, Time at) {
    Job job = ready_job(number);
    job.status = status;
    job.place = Place::done;
    job.completed_at = at;
    if (status == Status::superseded) {
        job.superseded_by = id_at(kStart, number + 1);
    }
    return job;
}

Job waiting_job(int number, const std::string& group) {
    Job job = ready_job(number);
    job.place = Place::waiting;
    job.lock_group = group;
    return job;
}

Job full_job(int number, Status status) {
    Job job = ready_job(number);
    if (status == Status::running) {
        give_lease(job, kStart + Millis(1111));
        job.lease->timeout_at = kStart + Millis(2222);
        job.successor = id_at(kStart, 3001);
    }
    job.status = status;
    job.place = place_of(status);
    job.chain = id_at(kStart, 3000);
    job.chain_index = 4 + number;  // each its own
    job.in_chain = true;
    job.next = id_at(kStart, 3004);
    job.last = id_at(kStart, 3005);
    job.blocks = 6;
    job.blockers = 8;
    job.blockers_left = 7;
    job.on_blocker_failed = OnBlockerFailed::wait;
    job.claim = hash_of(number);
    job.scheduled_at = kStart + Millis(10);
    job.created_at = kStart + Millis(1);
    job.updated_at = kStart + Millis(20);
    job.started_at = kStart + Millis(30);
    job.priority = -17;
    job.lock_group = "group";
    job.max_retries = 9;
    job.backoff = Backoff{Backoff::Kind::exponential, Millis(123), 1.1, Millis(99'999)};
    job.timeout = Millis(4321);
    job.unique_until = kStart + Millis(50);
    job.attempts = 3;
    job.lost_in_a_row = 2;
    job.token = Token{to_ms(kStart) + 77};
    job.settled = Settled{Verb::release, hash_of(number + 1), Status::pending};
    job.has_result = true;
    if (job.place == Place::predecessor) job.predecessor = id_at(kStart, 3002);
    if (is_final(status)) job.completed_at = kStart + Millis(60);
    if (status == Status::superseded) job.superseded_by = id_at(kStart, 3003);
    return job;
}

Job next_job(Job& before, Job& first, int number) {
    Job job = ready_job(number);
    job.in_chain = true;
    job.chain = before.chain;
    job.chain_index = before.chain_index + 1;
    before.next = job.id;
    first.last = job.id;
    return job;
}

Claim small_claim(int number) {
    Claim claim;
    claim.id = hash_of(number);
    claim.tenant = "acme";
    claim.space = "actions";
    claim.full_key = fmt::format("[\"{}\"]", number);
    claim.token = Token{5};
    claim.created_at = kStart;
    return claim;
}

Claim full_claim(int number) {
    Claim claim = small_claim(number);
    claim.state = ClaimState::sealed;
    claim.expires_at = kStart + Millis(100);
    claim.owners = {
        {.job = id_at(kStart, 90), .window_from = kStart + Millis(1)},
        {.job = id_at(kStart, number), .window_from = kStart + Millis(3), .is_successor = true}};
    claim.purged_as = Status::failed;
    claim.fingerprint = hash_of(number + 1);
    claim.receipt = Receipt{422, std::string("{\"a\":1}\0\xFF", 9)};
    return claim;
}

Claim held_fence(int number) {
    Claim claim = small_claim(number);
    claim.space = "fences";
    claim.expires_at = kStart + Millis(900);
    claim.fingerprint = hash_of(number + 1);
    Effect& effect = claim.effect.emplace();
    effect.rule = "first";
    effect.lease_until = kStart + Millis(60'000);
    effect.lease = Millis(60'000);
    effect.ttl = Millis(1'000'000);
    effect.source_type = full_source(number).key.type;
    effect.source_id = full_source(number).key.id;
    effect.version = number;
    effect.has_content = true;
    return claim;
}

Claim sealed_fence(int number) {
    Claim claim = held_fence(number);
    claim.state = ClaimState::sealed;
    claim.expires_at = kStart + Millis(100);
    claim.receipt = Receipt{200, R"({ "n": 1.0 })"};
    claim.repeats = 7;
    claim.effect->id = "ch_1";
    claim.effect->sealed_at = kStart + Millis(5);
    claim.effect->ended_by = EndedBy{FenceVerb::seal, hash_of(number + 2)};
    claim.effect->previous = Previous{"ch_0", kStart, kStart + Millis(3)};
    return claim;
}

Source full_source(int number) {
    Source source;
    source.key = {"acme", "stripe", fmt::format("evt \"{}\"", number)};
    source.highest = -number;
    source.holder =
        SourceHolder{hash_of(number), Token{to_ms(kStart) + number}, kStart + Millis(60'000)};
    source.expires_at = kStart + Millis(number);
    return source;
}

Schedule full_schedule(int number) {
    Schedule schedule;
    schedule.id = id_at(kStart, 100 + number);
    schedule.key = {"acme", fmt::format("nightly {}", number)};
    schedule.spec.type = "mail";
    schedule.spec.payload = R"({ "a": 1.0 })";
    schedule.spec.cron = "30 9 * * MON";
    schedule.spec.timezone = "Europe/Berlin";
    schedule.spec.recurrence_type = RecurrenceType::rolling;
    schedule.spec.missed = Missed::all;
    schedule.spec.lock_group = "g";
    schedule.spec.max_retries = 9;
    schedule.spec.backoff.kind = Backoff::Kind::exponential;
    schedule.spec.timeout = Millis(77);
    schedule.spec.priority = -5;
    schedule.spec.start_at = kStart + Millis(8);
    schedule.created_at = kStart;
    schedule.updated_at = kStart + Millis(1);
    schedule.is_paused = true;
    schedule.current = id_at(kStart, number);
    schedule.last_slot = kStart - Millis(5);
    schedule.spent.add(kStart + Millis(6));
    schedule.spent.add(kStart + Millis(8));
    schedule.fault = "none";
    return schedule;
}

BulkRun full_bulk_run(int number) {
    BulkRun run;
    run.id = id_at(kStart, number);
    run.tenant = "acme";
    run.operation = Operation::cancel;
    run.filter = {.status = Status::failed,
                  .type = "mail",
                  .lock_group = "g",
                  .chain = id_at(kStart, 77),
                  .from = kStart,
                  .to = kStart + Millis(9)};
    run.dry_run = true;
    run.created_at = kStart;
    run.matched = 12;
    run.done = 3;
    run.skipped = {{"superseded", 1}, {"wrong_state", 2}};
    run.cursor = id_at(kStart, 5);
    return run;
}

ApiToken full_api_token(int number) {
    ApiToken token;
    token.id = id_at(kStart, number);
    token.tenant = "acme";
    token.name = "deploy \xC3\xA9";
    token.scopes = scope_bit(AccessScope::read) | scope_bit(AccessScope::admin);
    token.secret_hash = hash_of(number);
    token.created_at = kStart;
    token.expires_at = kStart + Millis(9);
    return token;
}

Attempt full_attempt(const JobId& job, int number) {
    Attempt attempt;
    attempt.job = job;
    attempt.number = number;
    attempt.token = Token{to_ms(kStart) + number};
    attempt.worker = "worker";
    attempt.started_at = kStart + Millis(number);
    attempt.ended_at = kStart + Millis(number + 1);
    attempt.end = AttemptEnd::timeout;
    attempt.error = "timed out\nafter 3 ms";
    return attempt;
}

DecisionEntry full_decision(int number, const std::string& tenant) {
    DecisionEntry entry;
    entry.at = kStart + Millis(number);
    entry.tenant = tenant;
    entry.surface = "actions";
    entry.type = "mail";
    entry.claim = hash_of(number);
    entry.key = "[\"k\"]";
    entry.decision = Decision::conflict;
    entry.rule = "reject";
    entry.effect_id = id_at(kStart, number);
    entry.token = Token{44};
    entry.replaced = true;
    entry.count = 3;
    entry.source_type = "order";
    entry.source_id = "42";
    entry.reason = "seen";
    return entry;
}

std::string payload_of(const JobId& id) {
    return fmt::format("{{\"id\":\"{}\"}}", id.to_string());
}

Changes inserting(const std::vector<Job>& jobs) {
    Changes changes;
    for (const Job& job : jobs) {
        changes.jobs.push_back(inserted(job));
        changes.bodies.emplace_back(job.id, JobBody{payload_of(job.id)});
    }
    return changes;
}

std::string to_text(const Attempt& attempt) {
    return fmt::format("{} #{} token {} by {} {}..{} {} '{}'", attempt.job.to_string(),
                       attempt.number, to_int(attempt.token), attempt.worker,
                       to_ms(attempt.started_at), to_ms(attempt.ended_at), to_string(attempt.end),
                       attempt.error);
}

namespace {

std::string effect_text(const Effect& effect) {
    std::string text = fmt::format(
        " effect {} {} lease {}+{} ttl {} sealed {} source {}/{} {} content {} settling {}",
        effect.id, effect.rule, to_ms(effect.lease_until), effect.lease.count(), effect.ttl.count(),
        time_text(effect.sealed_at), effect.source_type, effect.source_id,
        effect.version.value_or(-1), effect.has_content, effect.settling);
    if (effect.ended_by) {
        text += fmt::format(" ended by {} {}", to_string(effect.ended_by->verb),
                            hash_text(effect.ended_by->content));
    }
    if (effect.previous) {
        text += fmt::format(" previous {} {}..{}", effect.previous->effect_id,
                            to_ms(effect.previous->sealed_at), to_ms(effect.previous->until));
    }
    return text;
}

}  // namespace

std::string to_text(const Claim& claim) {
    std::string text =
        fmt::format("{} {} {} {} token {} {}..{} purged as {} print {} {}", claim.tenant,
                    claim.space, claim.full_key, static_cast<int>(claim.state), to_int(claim.token),
                    to_ms(claim.created_at), time_text(claim.expires_at),
                    optional_text(claim.purged_as, [](Status status) { return to_string(status); }),
                    hash_text(claim.fingerprint), claim.receipt ? claim.receipt->body : "-");
    for (const Owner& owner : claim.owners) {
        text += fmt::format(" {}@{}{}", owner.job.to_string(), to_ms(owner.window_from),
                            owner.is_successor ? "+" : "");
    }
    text += claim.effect ? effect_text(*claim.effect) : "";
    text += claim.repeats != 0 ? fmt::format(" repeats {}", claim.repeats) : "";
    return text;
}

std::string to_text(const Source& source) {
    std::string text = fmt::format("{}/{}/{} highest {} until {} settling {}", source.key.tenant,
                                   source.key.type, source.key.id, source.highest.value_or(-1),
                                   to_ms(source.expires_at), source.settling);
    if (source.holder) {
        text += fmt::format(" held by {} with {} to {}", source.holder->claim.to_hex(),
                            to_int(source.holder->token), to_ms(source.holder->until));
    }
    return text;
}

std::string to_text(const DecisionEntry& entry) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", to_ms(entry.at),
                       entry.tenant, entry.surface, entry.type, hash_text(entry.claim), entry.key,
                       to_string(entry.decision), entry.rule, entry.effect_id.to_string(),
                       to_int(entry.token), entry.replaced, entry.count, entry.source_type,
                       entry.source_id, entry.reason, entry.effect);
}

std::string to_text(const Job& job) {
    std::string text = fmt::format(
        "{} {}/{} {} place {} at {} created {} updated {} started {} completed {} priority {} "
        "group '{}' retries {}/{} lost {} token {} claim {} chain {}[{}] unique {} timeout {} "
        "backoff {} result {}",
        job.id.to_string(), job.tenant, job.type, to_string(job.status),
        static_cast<int>(job.place), to_ms(job.scheduled_at), to_ms(job.created_at),
        to_ms(job.updated_at), time_text(job.started_at), time_text(job.completed_at), job.priority,
        job.lock_group, job.attempts, job.max_retries, job.lost_in_a_row, to_int(job.token),
        hash_text(job.claim), job.chain.to_string(), job.chain_index, time_text(job.unique_until),
        optional_text(job.timeout, [](Millis value) { return value.count(); }),
        job.backoff.to_json(), job.has_result);
    text += fmt::format(" predecessor {} successor {} superseded by {}", id_text(job.predecessor),
                        id_text(job.successor), id_text(job.superseded_by));
    if (job.lease) {
        text += fmt::format(" lease {} {}..{} timeout {}", job.lease->worker,
                            to_ms(job.lease->started_at), to_ms(job.lease->until),
                            time_text(job.lease->timeout_at));
    }
    if (job.settled) {
        text += fmt::format(" settled {} {} {}", to_string(job.settled->verb),
                            hash_text(job.settled->content), to_string(job.settled->status));
    }
    if (job.occurrence) {
        text += fmt::format(" of {} '{}' slot {} {} {}", job.occurrence->schedule.to_string(),
                            job.occurrence->name, time_text(job.occurrence->slot),
                            job.occurrence->interval, to_string(job.occurrence->type));
    }
    if (job.in_chain || job.next || job.blocks > 0) {
        text += fmt::format(" in chain {} next {} last {} blocks {}", job.in_chain,
                            id_text(job.next), id_text(job.last), job.blocks);
    }
    if (job.in_chain || job.blockers > 0) {
        text += fmt::format(" blockers {}/{} {}", job.blockers_left, job.blockers,
                            to_string(job.on_blocker_failed));
    }
    return text;
}

std::string to_text(const Edge& edge) {
    return fmt::format("{}[{}] waits for {} done {}", edge.key.blocked.to_string(),
                       edge.key.position, edge.blocker.to_string(), edge.done);
}

std::string to_text(const BlockerView& blocker) {
    return fmt::format("blocker {} '{}' {} {}", blocker.id.to_string(), blocker.type,
                       blocker.status ? to_string(*blocker.status) : "-",
                       blocker.output.value_or("-"));
}

std::string to_text(const ChainView& chain) {
    return to_text(ActionView{chain.first, chain.input, {}}) + "\n    last " +
           to_text(ActionView{chain.last, {}, chain.result});
}

std::string to_text(const Schedule& schedule) {
    const ScheduleSpec& spec = schedule.spec;
    std::string text =
        fmt::format("{} {}/{} created {} updated {} paused {} current {} last slot {} fault '{}'",
                    schedule.id.to_string(), schedule.key.tenant, schedule.key.name,
                    to_ms(schedule.created_at), to_ms(schedule.updated_at), schedule.is_paused,
                    id_text(schedule.current), time_text(schedule.last_slot), schedule.fault);
    for (const SlotRange& range : schedule.spent.ranges()) {
        text += fmt::format(" spent {} to {}", to_ms(range.first), to_ms(range.last));
    }
    text += fmt::format(
        " {} payload '{}' every '{}' cron '{}' in '{}' {} missed {} group '{}' retries {} backoff "
        "{} timeout {} priority {} start {}",
        spec.type, spec.payload, spec.every, spec.cron, spec.timezone,
        to_string(spec.recurrence_type), to_string(spec.missed), spec.lock_group, spec.max_retries,
        spec.backoff.to_json(),
        optional_text(spec.timeout, [](Millis value) { return value.count(); }), spec.priority,
        time_text(spec.start_at));
    return text;
}

std::string to_text(const ScheduleView& view) {
    return fmt::format("{} new {} current {}", to_text(view.schedule), view.is_new,
                       optional_text(view.current, [](const Job& job) { return to_text(job); }));
}

std::string to_text(const BulkRun& run) {
    std::string text =
        fmt::format("{} {} {} of {} dry {} created {} matched {} done {} cursor {} finished {}",
                    run.id.to_string(), run.tenant, to_string(run.operation), run.filter.to_json(),
                    run.dry_run, to_ms(run.created_at), run.matched, run.done, id_text(run.cursor),
                    time_text(run.finished_at));
    for (const auto& [reason, count] : run.skipped) text += fmt::format(" {} {}", reason, count);
    return text;
}

std::string to_text(const ActionView& view) {
    return fmt::format("{} payload '{}' output {} error {} code {}", to_text(view.job),
                       view.body.payload, text_text(view.result.output),
                       text_text(view.result.error_message), text_text(view.result.error_code));
}

std::string to_text(const std::vector<BlockerView>& blockers) {
    std::string text;
    for (const BlockerView& blocker : blockers) text += " " + to_text(blocker);
    return text;
}

std::vector<JobId> ids_of(const std::vector<ActionView>& views) {
    std::vector<JobId> ids;
    ids.reserve(views.size());
    for (const ActionView& view : views) ids.push_back(view.job.id);
    return ids;
}

std::vector<JobId> ids_of(const std::vector<Job>& jobs) {
    std::vector<JobId> ids;
    ids.reserve(jobs.size());
    for (const Job& job : jobs) ids.push_back(job.id);
    return ids;
}

}  // namespace semel::test

namespace semel {

std::ostream& operator<<(std::ostream& out, const Job& job) {
    return out << test::to_text(job);
}

std::ostream& operator<<(std::ostream& out, const Uuid& id) {
    return out << id.to_string();
}

}  // namespace semel
