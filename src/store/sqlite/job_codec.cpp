#include "store/sqlite/job_codec.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "store/sqlite/packed.hpp"
#include "store/sqlite/schedule_codec.hpp"

namespace semel::sqlite {
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
              static_cast<int>(Place::done) == 6 && static_cast<int>(Place::paused) == 7);
static_assert(static_cast<int>(Verb::complete) == 0 && static_cast<int>(Verb::fail) == 1 &&
              static_cast<int>(Verb::heartbeat) == 2 && static_cast<int>(Verb::release) == 3);

// ---- job.data -----------------------------------------------------------------------------------
//   data := version presence updatedAt maxRetries attempts lostInARow token
//           chainIndex? claim? startedAt? backoff? timeout? uniqueUntil? lease? settled?
//           predecessor? successor? supersededBy? occurrence?
//   presence := number: a bit for each optional field but the last, then for timeoutAt, has_result,
//               occurrence and its slot
//   backoff  := kind base factor (the double's bits) max
//   lease    := worker startedAt until timeoutAt?
//   settled  := verb status content
//   occurrence := schedule name interval type slot?
constexpr char kVersion = 1;

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
    return presence;
}

std::string pack_data(const Job& job) {
    Packer packer(kVersion);
    packer.number(presence_of(job).bits());
    packer.time(job.updated_at);
    packer.number(job.max_retries);
    packer.number(job.attempts);
    packer.number(job.lost_in_a_row);
    packer.number(to_int(job.token));
    if (job.chain_index != 0) packer.number(job.chain_index);
    if (job.claim) packer.hash(*job.claim);
    if (job.started_at) packer.time(*job.started_at);
    if (job.backoff != Backoff{}) pack(packer, job.backoff);
    if (job.timeout) packer.number(job.timeout->count());
    if (job.unique_until) packer.time(*job.unique_until);
    if (job.lease) pack(packer, *job.lease);
    if (job.settled) pack(packer, *job.settled);
    if (job.predecessor) packer.id(*job.predecessor);
    if (job.successor) packer.id(*job.successor);
    if (job.superseded_by) packer.id(*job.superseded_by);
    if (job.occurrence) pack(packer, *job.occurrence);
    return packer.take();
}

// False: the bytes are damaged.
bool unpack_data(std::string_view bytes, Job& job) {
    constexpr int kTimeoutBit = 11;
    Unpacker unpacker(bytes, kVersion);
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
    if (presence.next()) job.occurrence = unpack_occurrence(unpacker, presence.next());
    return !unpacker.is_damaged();
}

// ---- columns ------------------------------------------------------------------------------------

std::optional<Time> deadline_of(const Job& job) {
    if (!job.lease) {
        return std::nullopt;
    }
    return std::min(job.lease->until, job.lease->timeout_at.value_or(job.lease->until));
}

std::optional<Time> slot_of(const Job& job) {
    return job.occurrence ? job.occurrence->slot : std::nullopt;
}

constexpr std::array<std::string_view, kJobColumnCount + 1> kNames = {
    "tenant",       "type",          "status",       "place",    "shelf",      "urgency",
    "scheduled_at", "created_at",    "completed_at", "deadline", "lock_group", "chain",
    "schedule",     "schedule_name", "slot",         "data",     "payload"};
static_assert(kNames[kDataColumn] == "data" && kNames[kPayloadColumn] == "payload");

}  // namespace

JobColumns::JobColumns(const Job& job, std::optional<std::string_view> payload, NameTable& names)
    : job_(job),
      payload_(payload),
      data_(pack_data(job)),
      tenant_(names.number(job.tenant)),
      type_(names.number(job.type)),
      schedule_name_(job.occurrence ? std::optional(names.number(job.occurrence->name))
                                    : std::nullopt) {}

void JobColumns::bind(Cursor& cursor, const JobMask& mask) const {
    std::size_t column = 0;
    const auto next = [&] { return mask[column++]; };
    if (next()) cursor.integer(tenant_);
    if (next()) cursor.integer(type_);
    if (next()) cursor.integer(static_cast<int>(job_.status));
    if (next()) cursor.integer(static_cast<int>(job_.place));
    if (next()) cursor.integer(shelf_of(job_.status));
    if (next()) cursor.integer(-job_.priority);
    if (next()) cursor.time(job_.scheduled_at);
    if (next()) cursor.time(job_.created_at);
    if (next()) cursor.optional_time(job_.completed_at);
    if (next()) cursor.optional_time(deadline_of(job_));
    if (next()) job_.lock_group.empty() ? cursor.null() : cursor.text(job_.lock_group);
    if (next()) job_.chain == job_.id ? cursor.null() : cursor.id(job_.chain);
    if (next()) job_.occurrence ? cursor.id(job_.occurrence->schedule) : cursor.null();
    if (next()) cursor.optional_integer(schedule_name_);
    if (next()) cursor.optional_time(slot_of(job_));
    if (next()) cursor.bytes(data_);
    if (next()) payload_ ? cursor.bytes(*payload_) : cursor.null();
}

JobMask differing_columns(const Job& before, const Job& after) {
    JobMask mask;
    std::size_t column = 0;
    const auto next = [&](bool differs) { mask[column++] = differs; };
    next(before.tenant != after.tenant);
    next(before.type != after.type);
    next(before.status != after.status);
    next(before.place != after.place);
    next(shelf_of(before.status) != shelf_of(after.status));
    next(before.priority != after.priority);
    next(before.scheduled_at != after.scheduled_at);
    next(before.created_at != after.created_at);
    next(before.completed_at != after.completed_at);
    next(deadline_of(before) != deadline_of(after));
    next(before.lock_group != after.lock_group);
    next(before.chain != after.chain);
    next(false);  // the schedule and
    next(false);  // its name never change
    next(slot_of(before) != slot_of(after));
    next(true);  // data: nearly every change is in it
    return mask;
}

std::string insert_job_sql() {
    std::string columns = "high, low";
    std::string values = "?, ?";
    for (const std::string_view name : kNames) {
        columns.append(", ").append(name);
        values += ", ?";
    }
    return fmt::format("insert into job ({}) values ({})", columns, values);
}

std::string update_sql(const JobMask& mask) {
    std::string sql = "update job set ";
    std::string_view separator;
    for (std::size_t column = 0; column < kNames.size(); ++column) {
        if (mask[column]) {
            sql += fmt::format("{}{} = ?", separator, kNames[column]);
            separator = ", ";
        }
    }
    return sql + " where high = ? and low = ?";
}

Job read_job(Cursor& cursor, const JobId& id, NameTable& names) {
    Job job;
    job.id = id;
    job.tenant = names.name(cursor.read_integer());
    job.type = names.name(cursor.read_integer());
    job.status = static_cast<Status>(cursor.read_int());
    job.place = static_cast<Place>(cursor.read_int());
    cursor.skip();  // shelf
    job.priority = -cursor.read_int();
    job.scheduled_at = cursor.read_time();
    job.created_at = cursor.read_time();
    job.completed_at = cursor.read_optional_time();
    cursor.skip();  // deadline
    job.lock_group = cursor.read_string();
    job.chain = cursor.read_optional_id().value_or(id);
    cursor.skip();  // schedule,
    cursor.skip();  // its name
    cursor.skip();  // and slot: in the data, with the rest
    if (!unpack_data(cursor.view(), job)) {
        cursor.report_damage();
    }
    return job;
}

std::optional<std::string_view> broken_rule(const Job& job) {
    if (job.lease.has_value() != (job.status == Status::running)) {
        return "a job has a lease exactly while it runs";
    }
    if (job.predecessor.has_value() != (job.place == Place::predecessor)) {
        return "a job has a predecessor exactly while it waits for it";
    }
    if (job.superseded_by.has_value() != (job.status == Status::superseded)) {
        return "a job names its superseder exactly when it is superseded";
    }
    return std::nullopt;
}

int shelf_of(Status status) {
    return status <= Status::running ? 0 : static_cast<int>(status);
}

}  // namespace semel::sqlite
