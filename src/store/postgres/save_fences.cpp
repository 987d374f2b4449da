// The part of a save that writes claims with an effect, their sources, and the bodies of their
// answers.
#include <unordered_map>
#include <unordered_set>

#include "store/packing/response_pack.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/save.hpp"
#include "store/postgres/save_rows.hpp"

namespace semel::postgres {
namespace {

// The columns of a claim, except its receipt and its content.
struct FenceColumns {
    Array id{Type::bytea};
    Array expires_at{Type::int8};
    Array data{Type::bytea};
    Array owner_token{Type::int8};  // null: no owner
    Array source_type{Type::text};
    Array source_id{Type::text};
    Array version{Type::int8};
    Array settling{Type::boolean};

    void add(const Claim& claim) {
        const bool is_held = claim.effect && claim.state == ClaimState::owned;
        const bool holds_source = is_held && claim.effect->version;
        id.hash(claim.id);
        expires_at.optional_time(claim.expires_at);
        data.bytes(pack_claim(claim));
        is_held ? owner_token.integer(to_int(claim.token)) : owner_token.null();
        holds_source ? source_type.bytes(claim.effect->source_type) : source_type.null();
        holds_source ? source_id.bytes(claim.effect->source_id) : source_id.null();
        holds_source ? version.integer(*claim.effect->version) : version.null();
        settling.boolean(is_held && claim.effect->settling);
    }
    [[nodiscard]] std::int64_t size() const { return count_of(id); }
    [[nodiscard]] Params params() const {
        Params params;
        params.array(id).array(expires_at).array(data).array(owner_token);
        params.array(source_type).array(source_id).array(version).array(settling);
        return params;
    }
};

struct SourceColumns {
    Array tenant{Type::text};
    Array type{Type::text};
    Array id{Type::text};
    Array highest{Type::int8};
    Array holder{Type::bytea};
    Array holder_token{Type::int8};
    Array held_until{Type::int8};
    Array expires_at{Type::int8};
    Array settling{Type::boolean};

    void add_key(const SourceKey& key) {
        tenant.bytes(key.tenant);
        type.bytes(key.type);
        id.bytes(key.id);
    }
    void add(const Source& source) {
        add_key(source.key);
        highest.optional_integer(source.highest);
        source.holder ? holder.hash(source.holder->claim) : holder.null();
        source.holder ? holder_token.integer(to_int(source.holder->token)) : holder_token.null();
        source.holder ? held_until.time(source.holder->until) : held_until.null();
        expires_at.time(source.expires_at);
        settling.boolean(source.settling);
    }
    [[nodiscard]] std::int64_t size() const { return count_of(tenant); }
    [[nodiscard]] Params key_params() const { return Params().array(tenant).array(type).array(id); }
    [[nodiscard]] Params params() const {
        Params params = key_params();
        params.array(highest).array(holder).array(holder_token).array(held_until);
        params.array(expires_at).array(settling);
        return params;
    }
};

}  // namespace

void Save::queue_fences(const Changes& changes) {
    FenceColumns columns;
    Array receipt(Type::bytea);
    Array sealed(Type::boolean);  // true: the receipt has changed
    for (const auto& change : changes.claims) {
        if (!change.before || !change.after || !is_fence(change)) continue;
        const Claim& claim = *change.after;
        columns.add(claim);
        const bool differs = change.before->receipt != claim.receipt;
        sealed.boolean(differs);
        claim.receipt&& differs ? receipt.bytes(claim.receipt->body) : receipt.null();
    }
    if (columns.size() > 0) {
        touch(
            "update semel.claim c set expires_at = u.expires_at, data = u.data, "
            "owner_token = u.owner_token, source_type = u.source_type, source_id = u.source_id, "
            "version = u.version, settling = u.settling, "
            "receipt = case when u.sealed then u.receipt else c.receipt end "
            "from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) u (id, expires_at, data, "
            "owner_token, source_type, source_id, version, settling, receipt, sealed) "
            "where c.id = u.id",
            columns.params().array(receipt).array(sealed), columns.size());
    }
}

void Save::queue_fence_inserts(const Changes& changes) {
    std::unordered_map<ClaimId, const Content*> contents;
    for (const auto& [id, content] : changes.contents) {
        if (content) contents[id] = &*content;
    }
    FenceColumns columns;
    Array receipt(Type::bytea);
    Array content(Type::bytea);
    for (const Claim* claim : insertions(changes.claims, [](const Claim& row) { return row.id; })) {
        if (!claim->effect) continue;
        columns.add(*claim);
        claim->receipt ? receipt.bytes(claim->receipt->body) : receipt.null();
        const auto first = contents.find(claim->id);
        first != contents.end() ? content.bytes(first->second->json) : content.null();
    }
    if (columns.size() > 0) {
        ask("insert into semel.claim (id, expires_at, data, owner_token, source_type, source_id, "
            "version, settling, receipt, content) "
            "select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            columns.params().array(receipt).array(content));
    }
}

// Writes the contents of claims that existed before and still exist.
void Save::queue_contents(const Changes& changes) {
    if (changes.contents.empty()) {
        return;
    }
    std::unordered_set<ClaimId> others;
    for (const auto& change : changes.claims) {
        if (!change.before) others.insert(change.after->id);
        if (!change.after) others.insert(change.before->id);
    }
    Array id(Type::bytea);
    Array content(Type::bytea);
    for (const auto& [claim, first] : changes.contents) {
        if (others.contains(claim)) continue;
        id.hash(claim);
        first ? content.bytes(first->json) : content.null();
    }
    if (id.size() > 0) {
        touch(
            "update semel.claim c set content = u.content from unnest($1, $2) u (id, content) "
            "where c.id = u.id",
            Params().array(id).array(content), count_of(id));
    }
}

// In the order of their ids, because two nodes can extend the same rows.
void Save::queue_responses(const Changes& changes) {
    struct Columns {
        Array id{Type::uuid};
        Array expires_at{Type::int8};
    };
    Columns written;
    Array body(Type::bytea);
    Columns extended;
    Columns expired;
    Array erased(Type::uuid);
    for (const ResponseChange& change : merged(changes.responses)) {
        switch (change.verb) {
            case ResponseVerb::write:
                written.id.id(change.id);
                written.expires_at.time(change.expires_at);
                body.bytes(pack_response(*change.body));
                break;
            case ResponseVerb::extend:
                extended.id.id(change.id);
                extended.expires_at.time(change.expires_at);
                break;
            case ResponseVerb::erase: erased.id(change.id); break;
            case ResponseVerb::expire:
                expired.id.id(change.id);
                expired.expires_at.time(change.expires_at);
                break;
        }
    }
    if (body.size() > 0) {
        ask("insert into semel.response as r (id, expires_at, body) "
            "select * from unnest($1, $2, $3) on conflict (id) do update set "
            "expires_at = greatest(r.expires_at, excluded.expires_at), body = excluded.body",
            Params().array(written.id).array(written.expires_at).array(body));
    }
    if (extended.id.size() > 0) {
        ask("update semel.response r set expires_at = greatest(r.expires_at, u.expires_at) "
            "from unnest($1, $2) u (id, expires_at) where r.id = u.id",
            Params().array(extended.id).array(extended.expires_at));
    }
    delete_any_by_id("response", "id", erased);
    if (expired.id.size() > 0) {
        ask("delete from semel.response r using unnest($1, $2) u (id, expires_at) "
            "where r.id = u.id and r.expires_at <= u.expires_at",
            Params().array(expired.id).array(expired.expires_at));
    }
}

void Save::queue_sources(const Changes& changes) {
    SourceColumns gone;
    SourceColumns kept;
    for (const auto& change : changes.sources) {
        if (!change.after) gone.add_key(change.before->key);
        if (change.before && change.after) kept.add(*change.after);
    }
    if (gone.size() > 0) {
        touch(
            "delete from semel.source where (tenant, type, id) in "
            "(select * from unnest($1, $2, $3))",
            gone.key_params(), gone.size());
    }
    if (kept.size() > 0) {
        touch(
            "update semel.source s set highest = u.highest, holder = u.holder, "
            "holder_token = u.holder_token, held_until = u.held_until, "
            "expires_at = u.expires_at, settling = u.settling "
            "from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) u (tenant, type, id, highest, "
            "holder, holder_token, held_until, expires_at, settling) "
            "where s.tenant = u.tenant and s.type = u.type and s.id = u.id",
            kept.params(), kept.size());
    }
}

void Save::queue_source_inserts(const Changes& changes) {
    SourceColumns columns;
    for (const Source* source :
         insertions(changes.sources, [](const Source& row) { return row.key; })) {
        columns.add(*source);
    }
    if (columns.size() > 0) {
        ask("insert into semel.source (tenant, type, id, highest, holder, holder_token, "
            "held_until, expires_at, settling) "
            "select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            columns.params());
    }
}

}  // namespace semel::postgres
