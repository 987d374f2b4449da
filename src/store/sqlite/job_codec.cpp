#include "store/sqlite/job_codec.hpp"

#include <array>

#include <fmt/format.h>

#include "store/packing/row_pack.hpp"

namespace semel::sqlite {
namespace {

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
      data_(pack_job(job)),
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
    if (next()) cursor.integer(bucket_of(job_.status));
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
    next(bucket_of(before.status) != bucket_of(after.status));
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
    next(true);  // data: nearly every change is here
    return mask;
}

std::string insert_job_sql() {
    std::string columns = "number, high, low";
    std::string values = "?, ?, ?";
    for (const std::string_view name : kNames) {
        columns.append(", ").append(name);
        values += ", ?";
    }
    return fmt::format("insert into job ({}) values ({}) on conflict (number) do nothing", columns,
                       values);
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
    return fmt::format("{} where {}", sql, kThisJob);
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
    if (!unpack_job(cursor.view(), job)) {
        cursor.report_damage();
    }
    return job;
}

}  // namespace semel::sqlite
