#include "store/sqlite/job_codec.hpp"

#include <charconv>
#include <cstring>

#include <fmt/format.h>

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
              static_cast<int>(Place::done) == 6);
static_assert(static_cast<int>(Verb::complete) == 0 && static_cast<int>(Verb::fail) == 1 &&
              static_cast<int>(Verb::heartbeat) == 2 && static_cast<int>(Verb::release) == 3);
static_assert(static_cast<int>(Backoff::Kind::linear) == 0 &&
              static_cast<int>(Backoff::Kind::exponential) == 1 &&
              static_cast<int>(Backoff::Kind::jitter) == 2 &&
              static_cast<int>(Backoff::Kind::fixed) == 3);

// ---- values -----------------------------------------------------------------------------------

void bind(Cursor& cursor, const std::string& value) {
    cursor.text(value);
}
void bind(Cursor& cursor, int value) {
    cursor.integer(value);
}
void bind(Cursor& cursor, bool value) {
    cursor.integer(value ? 1 : 0);
}
void bind(Cursor& cursor, Time value) {
    cursor.time(value);
}
void bind(Cursor& cursor, Token value) {
    cursor.integer(to_int(value));
}
void bind(Cursor& cursor, Status value) {
    cursor.integer(static_cast<int>(value));
}
void bind(Cursor& cursor, Place value) {
    cursor.integer(static_cast<int>(value));
}
void bind(Cursor& cursor, const Uuid& value) {
    cursor.id(value);
}
void bind(Cursor& cursor, const Hash256& value) {
    cursor.hash(value);
}
void bind(Cursor& cursor, Millis value) {
    cursor.integer(value.count());
}

template <typename T>
void bind(Cursor& cursor, const std::optional<T>& value) {
    if (value) {
        bind(cursor, *value);
    } else {
        cursor.null();
    }
}

// "kind base factor max"; the factor in the shortest form that reads back exactly.
std::string encode(const Backoff& backoff) {
    return fmt::format("{} {} {} {}", static_cast<int>(backoff.kind), backoff.base.count(),
                       backoff.factor, backoff.max.count());
}

Backoff decode_backoff(std::string_view text) {
    Backoff backoff;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto read = [&](auto& number) {
        at = std::from_chars(at, end, number).ptr;
        at += at == end ? 0 : 1;
    };
    int kind = 0;
    std::int64_t base = 0;
    std::int64_t max = 0;
    read(kind);
    read(base);
    read(backoff.factor);
    read(max);
    backoff.kind = static_cast<Backoff::Kind>(kind);
    backoff.base = Millis(base);
    backoff.max = Millis(max);
    return backoff;
}

std::string_view encode(const Settled& settled, JobScratch& scratch) {
    scratch.settled[0] = static_cast<char>(settled.verb);
    scratch.settled[1] = static_cast<char>(settled.status);
    std::memcpy(scratch.settled.data() + 2, settled.content.bytes.data(),
                settled.content.bytes.size());
    return {scratch.settled.data(), scratch.settled.size()};
}

std::optional<Settled> decode_settled(std::string_view bytes) {
    Settled settled{};
    if (bytes.size() != 2 + settled.content.bytes.size()) {
        return std::nullopt;
    }
    settled.verb = static_cast<Verb>(bytes[0]);
    settled.status = static_cast<Status>(bytes[1]);
    std::memcpy(settled.content.bytes.data(), bytes.data() + 2, settled.content.bytes.size());
    return settled;
}

// ---- columns ----------------------------------------------------------------------------------

struct Column {
    std::string_view name;
    bool (*differs)(const Job& a, const Job& b);
    void (*bind)(Cursor& cursor, const Job& job, JobScratch& scratch);
};

// A column that is a field.
template <auto Field>
constexpr Column field(std::string_view name) {
    return {name, [](const Job& a, const Job& b) { return a.*Field != b.*Field; },
            [](Cursor& cursor, const Job& job, JobScratch&) { bind(cursor, job.*Field); }};
}

// A column that is a field of the lease, null where there is none.
template <auto Field>
constexpr Column lease_field(std::string_view name) {
    return {name,
            [](const Job& a, const Job& b) {
                return a.lease.has_value() != b.lease.has_value() ||
                       (a.lease && (*a.lease).*Field != (*b.lease).*Field);
            },
            [](Cursor& cursor, const Job& job, JobScratch&) {
                if (job.lease) {
                    bind(cursor, (*job.lease).*Field);
                } else {
                    cursor.null();
                }
            }};
}

constexpr Column kChain{"chain", [](const Job& a, const Job& b) { return a.chain != b.chain; },
                        [](Cursor& cursor, const Job& job, JobScratch&) {
                            if (job.chain == job.id) {
                                cursor.null();
                            } else {
                                cursor.id(job.chain);
                            }
                        }};

constexpr Column kShelf{
    "shelf", [](const Job& a, const Job& b) { return shelf_of(a.status) != shelf_of(b.status); },
    [](Cursor& cursor, const Job& job, JobScratch&) { cursor.integer(shelf_of(job.status)); }};

constexpr Column kUrgency{
    "urgency", [](const Job& a, const Job& b) { return a.priority != b.priority; },
    [](Cursor& cursor, const Job& job, JobScratch&) { cursor.integer(-job.priority); }};

constexpr Column kBackoff{"backoff",
                          [](const Job& a, const Job& b) { return a.backoff != b.backoff; },
                          [](Cursor& cursor, const Job& job, JobScratch& scratch) {
                              if (job.backoff == Backoff{}) {
                                  cursor.null();
                              } else {
                                  scratch.backoff = encode(job.backoff);
                                  cursor.text(scratch.backoff);
                              }
                          }};

constexpr Column kSettled{"settled",
                          [](const Job& a, const Job& b) { return a.settled != b.settled; },
                          [](Cursor& cursor, const Job& job, JobScratch& scratch) {
                              if (job.settled) {
                                  cursor.bytes(encode(*job.settled, scratch));
                              } else {
                                  cursor.null();
                              }
                          }};

// In the order of kJobColumns.
constexpr std::array<Column, kJobColumnCount> kColumns = {
    field<&Job::id>("id"),
    field<&Job::tenant>("tenant"),
    field<&Job::type>("type"),
    kChain,
    field<&Job::chain_index>("chain_index"),
    field<&Job::claim>("claim"),
    field<&Job::status>("status"),
    field<&Job::place>("place"),
    kShelf,
    kUrgency,
    field<&Job::scheduled_at>("scheduled_at"),
    field<&Job::created_at>("created_at"),
    field<&Job::updated_at>("updated_at"),
    field<&Job::started_at>("started_at"),
    field<&Job::completed_at>("completed_at"),
    field<&Job::lock_group>("lock_group"),
    field<&Job::max_retries>("max_retries"),
    kBackoff,
    field<&Job::timeout>("timeout"),
    field<&Job::unique_until>("unique_until"),
    field<&Job::attempts>("attempts"),
    field<&Job::lost_in_a_row>("lost_in_a_row"),
    field<&Job::token>("token"),
    lease_field<&Lease::worker>("worker"),
    lease_field<&Lease::started_at>("lease_started_at"),
    lease_field<&Lease::until>("lease_until"),
    lease_field<&Lease::timeout_at>("timeout_at"),
    kSettled,
    field<&Job::predecessor>("predecessor"),
    field<&Job::successor>("successor"),
    field<&Job::superseded_by>("superseded_by"),
    field<&Job::has_result>("has_result"),
};

void read_lease(Cursor& cursor, Job& job) {
    if (cursor.is_null()) {
        for (int i = 0; i < 4; ++i) {
            cursor.skip();
        }
        return;
    }
    Lease lease;
    lease.worker = cursor.read_string();
    lease.started_at = cursor.read_time();
    lease.until = cursor.read_time();
    lease.timeout_at = cursor.read_optional_time();
    job.lease = std::move(lease);
}

}  // namespace

int shelf_of(Status status) {
    return status <= Status::running ? 0 : static_cast<int>(status);
}

JobMask differing_columns(const Job& before, const Job& after) {
    JobMask mask;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        mask[i] = kColumns[i].differs(before, after);
    }
    return mask;
}

std::string update_sql(const JobMask& mask) {
    std::string sql = "update job set ";
    std::string_view separator;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (mask[i]) {
            sql += fmt::format("{}{} = ?", separator, kColumns[i].name);
            separator = ", ";
        }
    }
    return sql + " where id = ?";
}

void bind_columns(Cursor& cursor, const Job& job, const JobMask& mask, JobScratch& scratch) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (mask[i]) {
            kColumns[i].bind(cursor, job, scratch);
        }
    }
}

Job read_job(Cursor& cursor) {
    Job job;
    job.id = cursor.read_id();
    job.tenant = cursor.read_string();
    job.type = cursor.read_string();
    job.chain = cursor.read_optional_id().value_or(job.id);
    job.chain_index = cursor.read_int();
    job.claim = cursor.read_optional_hash();
    job.status = static_cast<Status>(cursor.read_int());
    job.place = static_cast<Place>(cursor.read_int());
    cursor.skip();  // shelf
    job.priority = -cursor.read_int();
    job.scheduled_at = cursor.read_time();
    job.created_at = cursor.read_time();
    job.updated_at = cursor.read_time();
    job.started_at = cursor.read_optional_time();
    job.completed_at = cursor.read_optional_time();
    job.lock_group = cursor.read_string();
    job.max_retries = cursor.read_int();
    if (const std::string_view backoff = cursor.view(); !backoff.empty()) {
        job.backoff = decode_backoff(backoff);
    }
    if (const auto timeout = cursor.read_optional_integer()) {
        job.timeout = Millis(*timeout);
    }
    job.unique_until = cursor.read_optional_time();
    job.attempts = cursor.read_int();
    job.lost_in_a_row = cursor.read_int();
    job.token = Token{cursor.read_integer()};
    read_lease(cursor, job);
    job.settled = decode_settled(cursor.view());
    job.predecessor = cursor.read_optional_id();
    job.successor = cursor.read_optional_id();
    job.superseded_by = cursor.read_optional_id();
    job.has_result = cursor.read_int() != 0;
    return job;
}

}  // namespace semel::sqlite
