#include "store/postgres/uncertain_entries.hpp"

#include <algorithm>

#include "core/keys/uncertain_claims.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/params.hpp"
#include "store/postgres/save_rows.hpp"

namespace semel::postgres {
namespace {

// In the order of their keys, as all inserts (save.hpp).
void queue_made(Connection& connection, std::vector<const Claim*> claims) {
    std::ranges::sort(claims, {}, [](const Claim* claim) { return claim->id; });
    Array id(Type::bytea);
    Array tenant(Type::text);
    Array space(Type::text);
    Array created_at(Type::int8);
    for (const Claim* claim : claims) {
        id.hash(claim->id);
        tenant.bytes(claim->tenant);
        space.bytes(claim->space);
        created_at.time(claim->created_at);
    }
    if (id.size() > 0) {
        connection.queue(
            "insert into semel.uncertain_claim (claim, tenant, space, created_at) "
            "select * from unnest($1, $2, $3, $4)",
            Params().array(id).array(tenant).array(space).array(created_at));
    }
}

}  // namespace

void queue_uncertain_entries(Connection& connection, const std::vector<Change<Claim>>& changes) {
    Array erased(Type::bytea);
    std::vector<const Claim*> made;
    for (const auto& [before, after] : changes) {
        const EntryChange entry = entry_change(before, after);
        if (entry.erases) erased.hash(before->id);
        if (entry.makes) made.push_back(&*after);
    }
    if (erased.size() > 0) {
        connection.queue("delete from semel.uncertain_claim where claim = any($1)",
                         Params().array(erased));
    }
    queue_made(connection, std::move(made));
}

Result<void> make_uncertain_entries(Connection& connection) {
    // Every other row in this format has an owner, or expires: only a guard is uncertain and
    // expires too.
    // The scan of all claims may take longer than ask() waits, so execute() does it.
    SEMEL_CHECK(connection.execute(
        "create unlogged table semel.uncertain_before as select id, data from semel.claim "
        "where owner_token is null and get_byte(data, 0) = 3 and (expires_at is null "
        "or position(convert_to('guard.', 'UTF8') in data) > 0)"));
    SEMEL_TRY(rows, connection.ask("select id, data from semel.uncertain_before"));
    std::vector<Change<Claim>> found;
    while (rows.next_row()) {
        Claim claim;
        claim.id = rows.read_hash();
        if (!unpack_claim(rows.view(), claim)) rows.report_damage();
        found.push_back({std::nullopt, std::move(claim)});
    }
    if (rows.is_damaged()) {
        return Error(ErrorCode::corrupt, "a row of semel.claim cannot be read");
    }
    queue_uncertain_entries(connection, found);
    SEMEL_CHECK(connection.flush());
    return connection.execute("drop table semel.uncertain_before");
}

}  // namespace semel::postgres
