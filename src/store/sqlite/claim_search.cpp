#include "store/sqlite/claim_search.hpp"

#include "core/json/json_writer.hpp"
#include "core/keys/dedup_key.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {

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
