#include "store/postgres/codec.hpp"

#include "store/row_pack.hpp"

namespace semel::postgres {

Claim read_claim(Rows& rows) {
    Claim claim;
    claim.id = rows.read_hash();
    claim.expires_at = rows.read_optional_time();
    if (!unpack_claim(rows.view(), claim)) {
        rows.report_damage();
    }
    auto receipt = rows.read_optional_string();
    if (claim.receipt && receipt) {
        claim.receipt->body = std::move(*receipt);
    }
    return claim;
}

Job read_job(Rows& rows) {
    Job job;
    job.id = rows.read_id();
    job.tenant = rows.read_string();
    job.type = rows.read_string();
    job.status = static_cast<Status>(rows.read_int());
    job.place = static_cast<Place>(rows.read_int());
    job.priority = -rows.read_int();
    job.scheduled_at = rows.read_time();
    job.created_at = rows.read_time();
    job.completed_at = rows.read_optional_time();
    job.lock_group = rows.read_optional_string().value_or("");
    job.chain = rows.read_id();
    job.settling = rows.read_boolean();
    if (!unpack_job(rows.view(), job)) {
        rows.report_damage();
    }
    return job;
}

OutboxEntry read_outbox_row(Rows& rows) {
    OutboxEntry entry;
    entry.id = rows.read_integer();
    entry.verb = static_cast<OutboxVerb>(rows.read_int());
    entry.tenant = rows.read_string();
    entry.subject = rows.read_id();
    entry.token = Token{rows.read_integer()};
    entry.content = rows.read_optional_string();
    return entry;
}

}  // namespace semel::postgres
