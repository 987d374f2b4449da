#include "store/transfer/row_tally.hpp"

#include <unordered_map>

#include "store/packing/packed.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

constexpr char kTallyVersion = 1;  // of the hashes: they are compared within a run, and shown

// The fields of a row as bytes. Different fields give different bytes.
class Fields {
public:
    Fields& number(std::int64_t value) {
        packer_.number(value);
        return *this;
    }
    Fields& time(Time value) { return number(to_ms(value)); }
    Fields& optional_time(const std::optional<Time>& value) {
        number(value ? 1 : 0);
        return value ? time(*value) : *this;
    }
    Fields& bytes(std::string_view value) {
        packer_.bytes(value);
        return *this;
    }
    Fields& optional_bytes(const std::optional<std::string>& value) {
        number(value ? 1 : 0);
        return value ? bytes(*value) : *this;
    }
    Fields& id(const Uuid& value) {
        packer_.id(value);
        return *this;
    }
    Fields& hash(const Hash256& value) {
        packer_.hash(value);
        return *this;
    }
    [[nodiscard]] Hash256 hash() { return sha256(packer_.take()); }

private:
    Packer packer_{kTallyVersion};
};

// Each function begins with the fields that row_pack.hpp leaves out.

Hash256 hash_of(const Claim& claim) {
    const std::string receipt = claim.receipt ? claim.receipt->body : "";
    return Fields()
        .hash(claim.id)
        .optional_time(claim.expires_at)
        .bytes(receipt)
        .bytes(pack_claim(claim))
        .hash();
}

Hash256 hash_of(const ClaimId& claim, const Content& content) {
    return Fields().hash(claim).bytes(content.json).hash();
}

Hash256 hash_of(const ResponseChange& response) {
    return Fields().id(response.id).time(response.expires_at).bytes(*response.body).hash();
}

Hash256 hash_of(const Source& source) {
    Fields fields;
    fields.bytes(source.key.tenant).bytes(source.key.type).bytes(source.key.id);
    fields.number(source.highest ? 1 : 0).number(source.highest.value_or(0));
    fields.time(source.expires_at).number(source.settling ? 1 : 0).number(source.holder ? 1 : 0);
    if (source.holder) {
        fields.hash(source.holder->claim)
            .number(to_int(source.holder->token))
            .time(source.holder->until);
    }
    return fields.hash();
}

Hash256 hash_of(const Job& job, const JobBody* body) {
    Fields fields;
    fields.id(job.id).bytes(job.tenant).bytes(job.type).number(static_cast<int>(job.status));
    fields.number(static_cast<int>(job.place)).number(job.priority).time(job.scheduled_at);
    fields.time(job.created_at).optional_time(job.completed_at).bytes(job.lock_group);
    fields.id(job.chain).number(job.settling ? 1 : 0).bytes(pack_job(job));
    fields.optional_bytes(body != nullptr ? std::optional(body->payload) : std::nullopt);
    return fields.hash();
}

Hash256 hash_of(const JobId& job, const JobResult& result) {
    return Fields()
        .id(job)
        .optional_bytes(result.output)
        .optional_bytes(result.error_message)
        .optional_bytes(result.error_code)
        .hash();
}

Hash256 hash_of(const Attempt& attempt) {
    return Fields()
        .id(attempt.job)
        .number(attempt.number)
        .number(to_int(attempt.token))
        .bytes(attempt.worker)
        .time(attempt.started_at)
        .time(attempt.ended_at)
        .number(static_cast<int>(attempt.end))
        .bytes(attempt.error)
        .hash();
}

Hash256 hash_of(const LockGroup& group) {
    return Fields().bytes(group.key.tenant).bytes(group.key.name).id(group.head).hash();
}

Hash256 hash_of(const Edge& edge) {
    return Fields()
        .id(edge.key.blocked)
        .number(edge.key.position)
        .id(edge.blocker)
        .number(edge.done ? 1 : 0)
        .hash();
}

Hash256 hash_of(const Schedule& schedule) {
    return Fields()
        .id(schedule.id)
        .bytes(schedule.key.tenant)
        .bytes(schedule.key.name)
        .bytes(pack_schedule(schedule))
        .hash();
}

Hash256 hash_of(const BulkRun& bulk_run) {
    return Fields()
        .id(bulk_run.id)
        .bytes(bulk_run.tenant)
        .optional_time(bulk_run.finished_at)
        .bytes(pack_bulk_run(bulk_run))
        .hash();
}

Hash256 hash_of(const ApiToken& token) {
    return Fields()
        .id(token.id)
        .bytes(token.tenant)
        .bytes(token.name)
        .number(token.scopes)
        .hash(token.secret_hash)
        .time(token.created_at)
        .optional_time(token.expires_at)
        .hash();
}

Hash256 hash_of(const StoredDecision& logged) {
    return Fields()
        .number(logged.ref.day)
        .number(logged.ref.sequence)
        .bytes(logged.entry.tenant)
        .bytes(pack_decision(logged.entry))
        .hash();
}

template <typename Row>
void add_each(RowTally& tally, const std::vector<Change<Row>>& rows) {
    for (const auto& change : rows) tally.add(hash_of(*change.after));
}

}  // namespace

// Adds with the carry: unlike an exclusive or, a sum differs between two equal rows and none.
void RowTally::add(const Hash256& row) {
    ++rows;
    unsigned carry = 0;
    for (std::size_t i = sum.bytes.size(); i-- > 0;) {
        carry += unsigned{sum.bytes[i]} + row.bytes[i];
        sum.bytes[i] = static_cast<std::uint8_t>(carry & 0xFFU);
        carry >>= 8U;
    }
}

void StoreTally::add(const RowPage& page) {
    const Changes& rows = page.rows;
    std::unordered_map<JobId, const JobBody*> bodies;
    for (const auto& [id, body] : rows.bodies) bodies[id] = &body;
    for (const auto& change : rows.jobs) {
        const auto body = bodies.find(change.after->id);
        tables_[job].tally.add(
            hash_of(*change.after, body == bodies.end() ? nullptr : body->second));
    }
    add_each(tables_[claim].tally, rows.claims);
    add_each(tables_[source].tally, rows.sources);
    for (const auto& [id, first] : rows.contents) tables_[content].tally.add(hash_of(id, *first));
    for (const ResponseChange& kept : rows.responses) tables_[response].tally.add(hash_of(kept));
    add_each(tables_[group].tally, rows.groups);
    add_each(tables_[edge].tally, rows.edges);
    add_each(tables_[schedule].tally, rows.schedules);
    add_each(tables_[bulk_run].tally, rows.bulk_runs);
    add_each(tables_[api_token].tally, rows.api_tokens);
    for (const auto& [id, left] : rows.results) tables_[result].tally.add(hash_of(id, *left));
    for (const Attempt& ended : rows.attempts) tables_[attempt].tally.add(hash_of(ended));
    for (const StoredDecision& logged : page.decisions)
        tables_[decision].tally.add(hash_of(logged));
}

}  // namespace semel
