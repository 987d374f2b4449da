// The part of ReadQueries that searches for claims.
#include <fmt/format.h>

#include "core/json/json_writer.hpp"
#include "core/keys/dedup_key.hpp"
#include "store/packing/response_pack.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/codec.hpp"
#include "store/postgres/read_queries.hpp"

namespace semel::postgres {
namespace {

// The limit of claims that can have the key. Nearly all of them have it.
constexpr int kLookedAtMax = 10'000;

}  // namespace

std::optional<Claim> ReadQueries::get_claim(const std::string& tenant, const ClaimId& id) {
    std::optional<Claim> claim;
    each_row(fmt::format("select {} from semel.claim where id = $1", kClaimColumns),
             Params().hash(id), [&](Rows& rows) { claim = read_claim(rows); });
    return claim && claim->tenant == tenant ? std::move(claim) : std::nullopt;
}

std::optional<std::string> ReadQueries::get_response(const Uuid& id) {
    std::optional<std::string> body;
    each_row("select body from semel.response where id = $1", Params().id(id), [&](Rows& rows) {
        body = unpack_response(rows.view());
        if (!body) rows.report_damage();
    });
    return body;
}

std::vector<std::optional<SourceHolder>> ReadQueries::get_holds(
    const std::vector<ClaimRef>& claims) {
    Array ids(Type::bytea);
    for (const ClaimRef& claim : claims) ids.hash(claim.id);
    std::vector<std::optional<SourceHolder>> holders(claims.size());
    each_row(
        "select w.place, h.data from unnest($1) with ordinality w (id, place) "
        "cross join lateral (select c.data from semel.claim c where c.id = w.id "
        "and c.owner_token is not null limit 1) h",
        Params().array(ids), [&](Rows& rows) {
            const auto place = static_cast<std::size_t>(rows.read_int()) - 1;
            Claim claim;
            claim.id = claims.at(place).id;
            if (!unpack_claim(rows.view(), claim)) rows.report_damage();
            if (claim.tenant == claims.at(place).tenant) {
                holders.at(place) = holder_of(claim);
            }
        });
    return holders;
}

std::vector<Claim> ReadQueries::find_claims(const std::string& tenant,
                                            const std::optional<std::string>& space,
                                            const std::string& key, int limit) {
    // Allows the server to scan the whole table in its stored order.
    each_row("select set_config('enable_seqscan', 'on', true)", {}, [](Rows&) {});
    std::vector<ClaimId> found;
    // Searches the bytes of packed rows, so a few other claims pass too. Claims of other tenants
    // are skipped before the limit, because they could fill it.
    each_row(
        fmt::format("select id, data from semel.claim where position($1 in substring(data from {} "
                    "for length($1) + 1)) > 0 and position($2 in data) > 0 limit $3",
                    kPackedClaimHead + 1),
        Params()
            .bytes(packed_claim_names(tenant, space))
            .bytes(json::quote(key))
            .integer(kLookedAtMax),
        [&](Rows& rows) {
            Claim claim;
            claim.id = rows.read_hash();
            if (!unpack_claim(rows.view(), claim)) rows.report_damage();
            if (claim.tenant == tenant && (!space || claim.space == *space) &&
                names_key(claim.full_key, key) && found.size() < static_cast<std::size_t>(limit)) {
                found.push_back(claim.id);
            }
        });
    std::vector<Claim> claims;
    each_row(fmt::format("select {} from semel.claim where id = any($1)", kClaimColumns),
             Params().array(array_of(found)),
             [&](Rows& rows) { claims.push_back(read_claim(rows)); });
    return claims;
}

std::vector<Claim> ReadQueries::list_uncertain_claims(const UncertainQuery& query) {
    // After every claim.
    const ClaimPosition before =
        query.before.value_or(ClaimPosition{.created_at = Time::max(), .id = {}});
    std::vector<Claim> claims;
    Params params;
    params.text(query.tenant).time(before.created_at).hash(before.id).time(query.now);
    params.integer(query.limit);
    if (query.space) params.text(*query.space);
    // Expired rows are left out here, so that a page is short only at the end of the list: upkeep
    // has still to delete these.
    each_row(fmt::format("select {} from semel.uncertain_claim u "
                         "cross join lateral (select * from semel.claim c where c.id = u.claim "
                         "limit 1) c where u.tenant = $1 {} "
                         "and (u.created_at, u.claim) < ($2, $3) "
                         "and (c.expires_at is null or c.expires_at > $4) "
                         "order by u.created_at desc, u.claim desc limit $5",
                         kClaimColumns, query.space ? "and u.space = $6" : ""),
             params, [&](Rows& rows) { claims.push_back(read_claim(rows)); });
    // Sent requests whose lease is over, and that upkeep has not written yet.
    each_row(fmt::format("select {} from semel.claim where expires_at <= $1 "
                         "order by expires_at desc, id desc limit $2",
                         kClaimColumns),
             Params().time(query.now).integer(kSilentClaimsMax), [&](Rows& rows) {
                 Claim claim = read_claim(rows);
                 if (claim.state != ClaimState::uncertain && query.matches(claim)) {
                     claims.push_back(std::move(claim));
                 }
             });
    return query.page_of(std::move(claims));
}

std::vector<SpaceCount> ReadQueries::count_uncertain_claims() {
    std::vector<SpaceCount> counts;
    each_row("select space, count(*) from semel.uncertain_claim group by space", {},
             [&](Rows& rows) {
                 std::string space = rows.read_string();
                 counts.push_back({std::move(space), rows.read_integer()});
             });
    return counts;
}

}  // namespace semel::postgres
