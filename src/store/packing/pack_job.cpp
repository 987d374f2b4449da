#include "store/packing/backoff_pack.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

// Numbers that are stored must never change their meaning.
static_assert(static_cast<int>(Status::blocked) == 0 && static_cast<int>(Status::pending) == 1 &&
              static_cast<int>(Status::running) == 2 && static_cast<int>(Status::completed) == 3 &&
              static_cast<int>(Status::failed) == 4 && static_cast<int>(Status::cancelled) == 5 &&
              static_cast<int>(Status::superseded) == 6 &&
              static_cast<int>(Status::uncertain) == 7);
static_assert(static_cast<int>(Place::later) == 0 && static_cast<int>(Place::ready) == 1 &&
              static_cast<int>(Place::running) == 2 && static_cast<int>(Place::waiting) == 3 &&
              static_cast<int>(Place::blocked) == 4 && static_cast<int>(Place::predecessor) == 5 &&
              static_cast<int>(Place::done) == 6 && static_cast<int>(Place::paused) == 7 &&
              static_cast<int>(Place::retained) == 8 &&
              static_cast<int>(Place::failing_dependants) == 9);
static_assert(static_cast<int>(OnBlockerFailed::fail) == 0 &&
              static_cast<int>(OnBlockerFailed::wait) == 1);
static_assert(static_cast<int>(Verb::complete) == 0 && static_cast<int>(Verb::fail) == 1 &&
              static_cast<int>(Verb::heartbeat) == 2 && static_cast<int>(Verb::release) == 3);

//   data := version presence updatedAt maxRetries attempts lostInARow token
//           chainIndex? claim? startedAt? backoff? timeout? uniqueUntil? lease? settled?
//           predecessor? successor? supersededBy? occurrence? next? last? blocks? blockers?
//   presence := number: a bit for each optional field up to supersededBy, then for timeoutAt,
//               has_result, occurrence and its slot, whether it is in a chain, and the rest
//   backoff  := kind base factor (the double's bits) max
//   lease    := worker startedAt until timeoutAt?
//   settled  := verb status content
//   occurrence := schedule name interval type slot?
//   blockers := blockers blockersLeft onBlockerFailed
constexpr char kJobVersion = 1;

void pack(Packer& packer, const Lease& lease) {
    packer.bytes(lease.worker);
    packer.time(lease.started_at);
    packer.time(lease.until);
    if (lease.timeout_at) packer.time(*lease.timeout_at);
}

Lease unpack_lease(Unpacker& unpacker, bool has_timeout) {
    Lease lease;
    lease.worker = unpacker.string();
    lease.started_at = unpacker.time();
    lease.until = unpacker.time();
    if (has_timeout) lease.timeout_at = unpacker.time();
    return lease;
}

void pack(Packer& packer, const Settled& settled) {
    packer.number(static_cast<int>(settled.verb));
    packer.number(static_cast<int>(settled.status));
    packer.hash(settled.content);
}

Settled unpack_settled(Unpacker& unpacker) {
    Settled settled{};
    settled.verb = static_cast<Verb>(unpacker.integer());
    settled.status = static_cast<Status>(unpacker.integer());
    settled.content = unpacker.hash();
    return settled;
}

void pack(Packer& packer, const Occurrence& occurrence) {
    packer.id(occurrence.schedule);
    packer.bytes(occurrence.name);
    packer.bytes(occurrence.interval);
    packer.number(static_cast<int>(occurrence.type));
    if (occurrence.slot) packer.time(*occurrence.slot);
}

Occurrence unpack_occurrence(Unpacker& unpacker, bool has_slot) {
    Occurrence occurrence;
    occurrence.schedule = unpacker.id();
    occurrence.name = unpacker.string();
    occurrence.interval = unpacker.string();
    occurrence.type = static_cast<RecurrenceType>(unpacker.integer());
    if (has_slot) occurrence.slot = unpacker.time();
    return occurrence;
}

void unpack_blockers(Unpacker& unpacker, Job& job) {
    job.blockers = unpacker.integer();
    job.blockers_left = unpacker.integer();
    job.on_blocker_failed = static_cast<OnBlockerFailed>(unpacker.integer());
}

bool says_of_blockers(const Job& job) {
    return job.blockers != 0 || job.on_blocker_failed != OnBlockerFailed::fail;
}

Presence presence_of(const Job& job) {
    Presence presence;
    presence.add(job.chain_index != 0);
    presence.add(job.claim.has_value());
    presence.add(job.started_at.has_value());
    presence.add(job.backoff != Backoff{});
    presence.add(job.timeout.has_value());
    presence.add(job.unique_until.has_value());
    presence.add(job.lease.has_value());
    presence.add(job.settled.has_value());
    presence.add(job.predecessor.has_value());
    presence.add(job.successor.has_value());
    presence.add(job.superseded_by.has_value());
    presence.add(job.lease && job.lease->timeout_at);
    presence.add(job.has_result);
    presence.add(job.occurrence.has_value());
    presence.add(job.occurrence && job.occurrence->slot);
    presence.add(job.in_chain);
    presence.add(job.next.has_value());
    presence.add(job.last.has_value());
    presence.add(job.blocks != 0);
    presence.add(says_of_blockers(job));
    return presence;
}

}  // namespace

std::string pack_job(const Job& job) {
    Packer packer(kJobVersion);
    packer.number(presence_of(job).bits());
    packer.time(job.updated_at);
    packer.number(job.max_retries);
    packer.number(job.attempts);
    packer.number(job.lost_in_a_row);
    packer.number(to_int(job.token));
    if (job.chain_index != 0) packer.number(job.chain_index);
    if (job.claim) packer.hash(*job.claim);
    if (job.started_at) packer.time(*job.started_at);
    if (job.backoff != Backoff{}) semel::pack(packer, job.backoff);
    if (job.timeout) packer.number(job.timeout->count());
    if (job.unique_until) packer.time(*job.unique_until);
    if (job.lease) pack(packer, *job.lease);
    if (job.settled) pack(packer, *job.settled);
    if (job.predecessor) packer.id(*job.predecessor);
    if (job.successor) packer.id(*job.successor);
    if (job.superseded_by) packer.id(*job.superseded_by);
    if (job.occurrence) pack(packer, *job.occurrence);
    if (job.next) packer.id(*job.next);
    if (job.last) packer.id(*job.last);
    if (job.blocks != 0) packer.number(job.blocks);
    if (says_of_blockers(job)) {
        packer.number(job.blockers);
        packer.number(job.blockers_left);
        packer.number(static_cast<int>(job.on_blocker_failed));
    }
    return packer.take();
}

bool unpack_job(std::string_view bytes, Job& job) {
    constexpr int kTimeoutBit = 11;
    Unpacker unpacker(bytes, kJobVersion);
    const std::int64_t bits = unpacker.number();
    Presence presence(bits);
    job.updated_at = unpacker.time();
    job.max_retries = unpacker.integer();
    job.attempts = unpacker.integer();
    job.lost_in_a_row = unpacker.integer();
    job.token = Token{unpacker.number()};
    if (presence.next()) job.chain_index = unpacker.integer();
    if (presence.next()) job.claim = unpacker.hash();
    if (presence.next()) job.started_at = unpacker.time();
    if (presence.next()) job.backoff = unpack_backoff(unpacker);
    if (presence.next()) job.timeout = Millis(unpacker.number());
    if (presence.next()) job.unique_until = unpacker.time();
    if (presence.next()) job.lease = unpack_lease(unpacker, ((bits >> kTimeoutBit) & 1) != 0);
    if (presence.next()) job.settled = unpack_settled(unpacker);
    if (presence.next()) job.predecessor = unpacker.id();
    if (presence.next()) job.successor = unpacker.id();
    if (presence.next()) job.superseded_by = unpacker.id();
    (void)presence.next();  // the lease's time-out
    job.has_result = presence.next();
    const bool is_occurrence = presence.next();
    const bool has_slot = presence.next();
    if (is_occurrence) job.occurrence = unpack_occurrence(unpacker, has_slot);
    job.in_chain = presence.next();
    if (presence.next()) job.next = unpacker.id();
    if (presence.next()) job.last = unpacker.id();
    if (presence.next()) job.blocks = unpacker.integer();
    if (presence.next()) unpack_blockers(unpacker, job);
    return !unpacker.is_damaged();
}

}  // namespace semel
