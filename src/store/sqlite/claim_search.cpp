#include "store/sqlite/claim_search.hpp"

#include <fmt/format.h>

#include "core/json/json_writer.hpp"
#include "core/keys/dedup_key.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// The entries before a position, newest first. Expired rows are left out here, so that a page is
// short only at the end of the list: upkeep has still to delete these.
std::string entries_before(std::string_view narrowed_by) {
    return fmt::format(
        "select c.number, c.id, c.expires_at, c.data from uncertain_claim u "
        "cross join claim c on c.number = u.claim where u.tenant = ? {} "
        "and (u.created_at, u.id) < (?, ?) and (c.expires_at is null or c.expires_at > ?) "
        "order by u.created_at desc, u.id desc limit ?",
        narrowed_by);
}

// After every claim.
constexpr ClaimPosition kFromNewest{.created_at = Time::max(), .id = {}};

}  // namespace

ClaimSearch::ClaimSearch(Connection& connection)
    : in_tail_(
          connection,
          "select number, id, expires_at, data from claim where number > coalesce((select last "
          "from claim_segment order by first desc limit 1), 0) and id = ?"),
      in_segments_(connection,
                   // In this order: one search per segment, instead of a scan of all places.
                   "select c.number, c.id, c.expires_at, c.data from claim_segment s "
                   "cross join claim_place p on p.segment = s.first and p.prefix = ? "
                   "cross join claim c on c.number = p.number where c.id = ?"),
      named_(connection,
             "select number, id, expires_at, data from claim where instr(data, ?) > 0 "
             "order by number desc"),
      listed_(connection, entries_before("")),
      listed_in_space_(connection, entries_before("and u.space = ?")),
      expired_(connection,
               "select number, id, expires_at, data from claim indexed by claim_expiring "
               "where expires_at <= ? order by expires_at desc limit ?"),
      uncertain_counts_(connection, "select space, count(*) from uncertain_claim group by space"),
      receipt_(connection, "select body from receipt where claim = ?") {}

std::optional<Claim> ClaimSearch::find(const ClaimId& id) {
    Cursor tail(in_tail_);
    if (tail.hash(id).next_row()) {
        return read(tail);
    }
    Cursor segments(in_segments_);
    return segments.integer(prefix_of(id)).hash(id).next_row() ? std::optional(read(segments))
                                                               : std::nullopt;
}

std::vector<Claim> ClaimSearch::named(const std::string& tenant,
                                      const std::optional<std::string>& space,
                                      const std::string& key, int limit) {
    // Searches the bytes of packed rows for the part as full keys have it. A few other claims pass
    // too.
    const std::string part = json::quote(key);
    std::vector<Claim> claims;
    Cursor cursor(named_);
    cursor.bytes(part);
    while (claims.size() < static_cast<std::size_t>(limit) && cursor.next_row()) {
        Claim claim = read(cursor);
        if (claim.tenant == tenant && (!space || claim.space == *space) &&
            names_key(claim.full_key, key)) {
            claims.push_back(std::move(claim));
        }
    }
    return claims;
}

std::vector<Claim> ClaimSearch::uncertain(const UncertainQuery& query) {
    std::vector<Claim> claims;
    add_listed(query, claims);
    add_silent(query, claims);
    return query.page_of(std::move(claims));
}

void ClaimSearch::add_listed(const UncertainQuery& query, std::vector<Claim>& claims) {
    Cursor cursor(query.space ? listed_in_space_ : listed_);
    cursor.text(query.tenant);
    if (query.space) cursor.text(*query.space);
    const ClaimPosition before = query.before.value_or(kFromNewest);
    cursor.time(before.created_at).hash(before.id).time(query.now).integer(query.limit);
    while (cursor.next_row()) {
        claims.push_back(read(cursor));
    }
}

void ClaimSearch::add_silent(const UncertainQuery& query, std::vector<Claim>& claims) {
    Cursor cursor(expired_);
    cursor.time(query.now).integer(kSilentClaimsMax);
    while (cursor.next_row()) {
        Claim claim = read(cursor);
        if (claim.state != ClaimState::uncertain && query.matches(claim)) {
            claims.push_back(std::move(claim));
        }
    }
}

std::vector<SpaceCount> ClaimSearch::count_uncertain() {
    std::vector<SpaceCount> counts;
    Cursor cursor(uncertain_counts_);
    while (cursor.next_row()) {
        std::string space = cursor.read_string();
        counts.push_back({std::move(space), cursor.read_integer()});
    }
    return counts;
}

Claim ClaimSearch::read(Cursor& cursor) {
    const std::int64_t number = cursor.read_integer();
    const ClaimId id = cursor.read_hash();
    Claim claim = read_claim(cursor, id);
    if (claim.receipt) {
        Cursor receipt(receipt_);
        if (receipt.integer(number).next_row()) {
            claim.receipt->body = receipt.read_string();
        }
    }
    return claim;
}

}  // namespace semel::sqlite
