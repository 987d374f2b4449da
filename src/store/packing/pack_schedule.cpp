#include <bit>

#include "store/packing/backoff_pack.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

// Numbers that are stored must never change their meaning.
static_assert(static_cast<int>(Backoff::Kind::linear) == 0 &&
              static_cast<int>(Backoff::Kind::exponential) == 1 &&
              static_cast<int>(Backoff::Kind::jitter) == 2 &&
              static_cast<int>(Backoff::Kind::fixed) == 3);
static_assert(static_cast<int>(RecurrenceType::fixed) == 0 &&
              static_cast<int>(RecurrenceType::rolling) == 1);
static_assert(static_cast<int>(Missed::latest) == 0 && static_cast<int>(Missed::skip) == 1 &&
              static_cast<int>(Missed::all) == 2);

//   schedule := version presence createdAt updatedAt fault current? lastSlot? spec spent?
//   presence := current, lastSlot, timeout, startAt, whether it is paused, spent, more
//   spent    := first last more?       (older rows have none; `more` is younger than `spent`)
//   more     := count, then first and last each
//   spec     := type payload every cron timezone recurrenceType missed lockGroup maxRetries
//               backoff priority timeout? startAt?
constexpr char kScheduleVersion = 1;

void pack(Packer& packer, const ScheduleSpec& spec) {
    packer.bytes(spec.type);
    packer.bytes(spec.payload);
    packer.bytes(spec.every);
    packer.bytes(spec.cron);
    packer.bytes(spec.timezone);
    packer.number(static_cast<int>(spec.recurrence_type));
    packer.number(static_cast<int>(spec.missed));
    packer.bytes(spec.lock_group);
    packer.number(spec.max_retries);
    semel::pack(packer, spec.backoff);
    packer.number(spec.priority);
    if (spec.timeout) packer.number(spec.timeout->count());
    if (spec.start_at) packer.time(*spec.start_at);
}

ScheduleSpec unpack_spec(Unpacker& unpacker, bool has_timeout, bool has_start_at) {
    ScheduleSpec spec;
    spec.type = unpacker.string();
    spec.payload = unpacker.string();
    spec.every = unpacker.string();
    spec.cron = unpacker.string();
    spec.timezone = unpacker.string();
    spec.recurrence_type = static_cast<RecurrenceType>(unpacker.integer());
    spec.missed = static_cast<Missed>(unpacker.integer());
    spec.lock_group = unpacker.string();
    spec.max_retries = unpacker.integer();
    spec.backoff = unpack_backoff(unpacker);
    spec.priority = unpacker.integer();
    if (has_timeout) spec.timeout = Millis(unpacker.number());
    if (has_start_at) spec.start_at = unpacker.time();
    return spec;
}

void pack(Packer& packer, const std::vector<SlotRange>& spent) {
    for (std::size_t i = 0; i < spent.size(); ++i) {
        if (i == 1) packer.number(static_cast<std::int64_t>(spent.size() - 1));
        packer.time(spent[i].first);
        packer.time(spent[i].last);
    }
}

SpentSlots unpack_spent(Unpacker& unpacker, bool has_more) {
    std::vector<SlotRange> ranges;
    std::int64_t more = 0;
    do {
        const Time first = unpacker.time();
        ranges.push_back(SlotRange{first, unpacker.time()});
        if (ranges.size() == 1 && has_more) more = unpacker.number();
    } while (more-- > 0 && !unpacker.is_short());
    return SpentSlots(std::move(ranges));
}

}  // namespace

void pack(Packer& packer, const Backoff& backoff) {
    packer.number(static_cast<int>(backoff.kind));
    packer.number(backoff.base.count());
    packer.number(std::bit_cast<std::int64_t>(backoff.factor));
    packer.number(backoff.max.count());
}

Backoff unpack_backoff(Unpacker& unpacker) {
    Backoff backoff;
    backoff.kind = static_cast<Backoff::Kind>(unpacker.integer());
    backoff.base = Millis(unpacker.number());
    backoff.factor = std::bit_cast<double>(unpacker.number());
    backoff.max = Millis(unpacker.number());
    return backoff;
}

std::string pack_schedule(const Schedule& schedule) {
    Presence presence;
    presence.add(schedule.current.has_value());
    presence.add(schedule.last_slot.has_value());
    presence.add(schedule.spec.timeout.has_value());
    presence.add(schedule.spec.start_at.has_value());
    presence.add(schedule.is_paused);
    const auto& spent = schedule.spent.ranges();
    presence.add(!spent.empty());
    presence.add(spent.size() > 1);
    Packer packer(kScheduleVersion);
    packer.number(presence.bits());
    packer.time(schedule.created_at);
    packer.time(schedule.updated_at);
    packer.bytes(schedule.fault);
    if (schedule.current) packer.id(*schedule.current);
    if (schedule.last_slot) packer.time(*schedule.last_slot);
    pack(packer, schedule.spec);
    pack(packer, spent);
    return packer.take();
}

bool unpack_schedule(std::string_view bytes, Schedule& schedule) {
    Unpacker unpacker(bytes, kScheduleVersion);
    Presence presence(unpacker.number());
    schedule.created_at = unpacker.time();
    schedule.updated_at = unpacker.time();
    schedule.fault = unpacker.string();
    if (presence.next()) schedule.current = unpacker.id();
    if (presence.next()) schedule.last_slot = unpacker.time();
    const bool has_timeout = presence.next();
    const bool has_start_at = presence.next();
    schedule.is_paused = presence.next();
    schedule.spec = unpack_spec(unpacker, has_timeout, has_start_at);
    const bool has_spent = presence.next();
    const bool has_more = presence.next();
    schedule.spent = has_spent ? unpack_spent(unpacker, has_more) : SpentSlots();
    return !unpacker.is_damaged();
}

}  // namespace semel
