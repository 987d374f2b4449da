#include "store/sqlite/claim_table.hpp"

#include <algorithm>

#include "store/packing/row_pack.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// Numbers begin at 1, so a change of this number changes no row and fails.
constexpr std::int64_t kNoNumber = 0;

}  // namespace

ClaimTable::ClaimTable(Connection& connection, std::size_t segment_claims)
    : connection_(connection),
      segment_claims_(segment_claims),
      segments_(connection, "select first, last, filter from claim_segment order by first"),
      behind_(connection, "select number, id from claim where number > ? order by number limit ?"),
      place_(connection, "select number from claim_place where segment = ? and prefix = ?"),
      claim_(connection, "select id, expires_at, data from claim where number = ?"),
      receipt_(connection, "select body from receipt where claim = ?"),
      content_(connection, "select body from content where claim = ?"),
      expired_(connection,
               "select id from claim indexed by claim_expiring where expires_at <= ? "
               "order by expires_at, number limit ?"),
      insert_(connection, "insert into claim values (?, ?, ?, ?)"),
      update_(connection, "update claim set data = ? where number = ?"),
      move_(connection, "update claim set expires_at = ?, data = ? where number = ?"),
      erase_(connection, "delete from claim where number = ?"),
      put_receipt_(connection, "replace into receipt values (?, ?)"),
      erase_receipt_(connection, "delete from receipt where claim = ?"),
      put_content_(connection, "replace into content values (?, ?)"),
      erase_content_(connection, "delete from content where claim = ?"),
      insert_place_(connection, "insert into claim_place values (?, ?, ?)"),
      insert_segment_(connection, "insert into claim_segment values (?, ?, ?)"),
      any_between_(connection, "select 1 from claim where number between ? and ? limit 1"),
      erase_places_(connection, "delete from claim_place where segment = ?"),
      erase_segment_(connection, "delete from claim_segment where first = ?"),
      uncertain_(connection) {}

// ---- reading the segments and the tail ----------------------------------------------------------

Result<void> ClaimTable::learn(Rest rest) {
    {
        Cursor cursor(segments_);
        while (cursor.next_row()) {
            Segment segment;
            segment.first = cursor.read_integer();
            segment.last = cursor.read_integer();
            segment.filter = cursor.read_string();
            if (segment.filter.size() != kFilterBytes) {
                cursor.report_damage();
                break;
            }
            know(segment);
        }
    }
    for (;;) {
        auto claims = read_behind(std::max(sealed_to_, last_), segment_claims_);
        SEMEL_CHECK(connection_.outcome());
        if (claims.size() == segment_claims_ && rest == Rest::seal) {
            SEMEL_CHECK(seal_in_own_transaction(std::move(claims)));
            continue;
        }
        for (const Placed& claim : claims) {
            tail_.emplace(claim.id, claim.number);
            last_ = claim.number;
        }
        if (claims.size() < segment_claims_) {
            last_ = std::max(last_, sealed_to_);
            return {};
        }
    }
}

std::vector<ClaimTable::Placed> ClaimTable::read_behind(std::int64_t number, std::size_t limit) {
    std::vector<Placed> claims;
    Cursor cursor(behind_);
    cursor.integer(number).integer(static_cast<std::int64_t>(limit));
    while (cursor.next_row()) {
        const std::int64_t found = cursor.read_integer();
        claims.push_back({found, cursor.read_hash()});
    }
    return claims;
}

Result<void> ClaimTable::seal_in_own_transaction(std::vector<Placed> claims) {
    SEMEL_CHECK(connection_.execute("begin immediate"));
    const Segment segment = write_segment(std::move(claims));
    SEMEL_CHECK(connection_.outcome());
    SEMEL_CHECK(connection_.execute("commit"));
    know(segment);
    return {};
}

void ClaimTable::know(const Segment& segment) {
    const std::size_t column = filters_.add(segment.filter);
    columns_[segment.first] = column;
    by_column_[column] = {segment.first, segment.last};
    sealed_to_ = std::max(sealed_to_, segment.last);
}

// ---- finding ----------------------------------------------------------------------------------

std::optional<std::int64_t> ClaimTable::number_of(const ClaimId& id) {
    if (const auto newest = tail_.find(id); newest != tail_.end()) {
        return newest->second;
    }
    if (const auto met = open_.met.find(id); met != open_.met.end()) {
        return met->second;
    }
    return number_in_segments(id);
}

std::optional<std::int64_t> ClaimTable::number_in_segments(const ClaimId& id) {
    for (const std::size_t column : filters_.candidates(id)) {
        Cursor places(place_);
        places.integer(by_column_.at(column).first).integer(prefix_of(id));
        while (places.next_row()) {
            const std::int64_t number = places.read_integer();
            Cursor claim(claim_);
            // The place of a deleted claim stays until the segment is deleted.
            if (claim.integer(number).next_row() && claim.read_hash() == id) {
                open_.met.emplace(id, number);
                return number;
            }
        }
    }
    return std::nullopt;
}

std::optional<Claim> ClaimTable::find(const ClaimId& id) {
    const auto number = number_of(id);
    if (!number) {
        return std::nullopt;
    }
    Cursor cursor(claim_);
    if (!cursor.integer(*number).next_row()) {
        connection_.keep_failure(Error(ErrorCode::corrupt, "a claim is missing from the database"));
        return std::nullopt;
    }
    cursor.skip();
    Claim claim = read_claim(cursor, id);
    if (claim.receipt) {
        Cursor receipt(receipt_);
        if (receipt.integer(*number).next_row()) {
            claim.receipt->body = receipt.read_string();
        }
    }
    return claim;
}

std::optional<Content> ClaimTable::content(const ClaimId& id) {
    const auto number = number_of(id);
    if (!number) {
        return std::nullopt;
    }
    Cursor cursor(content_);
    return cursor.integer(*number).next_row() ? std::optional(Content{cursor.read_string()})
                                              : std::nullopt;
}

std::vector<ClaimId> ClaimTable::expired(Time now, int limit) {
    Cursor cursor(expired_);
    cursor.time(now).integer(limit);
    std::vector<ClaimId> claims;
    while (cursor.next_row()) {
        claims.push_back(cursor.read_hash());
    }
    return claims;
}

// ---- saving -----------------------------------------------------------------------------------

void ClaimTable::save(const Change<Claim>& change) {
    if (!change.before) {
        insert(*change.after);
    } else if (!change.after) {
        erase(*change.before);
    } else {
        update(*change.before, *change.after);
    }
}

void ClaimTable::insert(const Claim& claim) {
    if (number_of(claim.id)) {
        connection_.keep_failure(Error(ErrorCode::invalid, "a claim is there already"));
        return;
    }
    const std::int64_t number = ++last_;
    const std::string data = pack_claim(claim);
    Cursor(insert_)
        .integer(number)
        .hash(claim.id)
        .optional_time(claim.expires_at)
        .bytes(data)
        .change_one();
    tail_.emplace(claim.id, number);
    open_.added.push_back(claim.id);
    save_receipt(number, {std::nullopt, claim});
    uncertain_.save(number, std::nullopt, claim);
}

void ClaimTable::update(const Claim& before, const Claim& after) {
    const std::int64_t number = number_of(after.id).value_or(kNoNumber);
    const std::string data = pack_claim(after);
    if (before.expires_at == after.expires_at) {
        Cursor(update_).bytes(data).integer(number).change_one();
    } else {
        Cursor(move_).optional_time(after.expires_at).bytes(data).integer(number).change_one();
    }
    save_receipt(number, {before, after});
    uncertain_.save(number, before, after);
}

void ClaimTable::erase(const Claim& before) {
    const std::int64_t number = number_of(before.id).value_or(kNoNumber);
    Cursor(erase_).integer(number).change_one();
    save_receipt(number, {before, std::nullopt});
    uncertain_.save(number, before, std::nullopt);
    if (before.effect && before.effect->has_content) {
        Cursor(erase_content_).integer(number).change_any();
    }
    if (connection_.has_failed()) {
        return;
    }
    if (tail_.erase(before.id) > 0) {
        open_.erased.push_back({number, before.id});
    } else {
        drop_if_empty(number);
    }
}

void ClaimTable::drop_if_empty(std::int64_t number) {
    const auto segment = by_column_.at(std::prev(columns_.upper_bound(number))->second);
    Cursor cursor(any_between_);
    if (cursor.integer(segment.first).integer(segment.last).next_row()) {
        return;
    }
    Cursor(erase_places_).integer(segment.first).change_any();
    Cursor(erase_segment_).integer(segment.first).change_one();
    open_.dropped.push_back(segment.first);
}

void ClaimTable::save_receipt(std::int64_t number, const Change<Claim>& change) {
    const Receipt* before =
        change.before && change.before->receipt ? &*change.before->receipt : nullptr;
    const Receipt* after =
        change.after && change.after->receipt ? &*change.after->receipt : nullptr;
    if (after != nullptr && (before == nullptr || before->body != after->body)) {
        Cursor(put_receipt_).integer(number).bytes(after->body).change_one();
    } else if (after == nullptr && before != nullptr) {
        Cursor(erase_receipt_).integer(number).change_one();
    }
}

void ClaimTable::save_content(const ClaimId& id, const std::optional<Content>& content) {
    const auto number = number_of(id);
    if (!content) {
        if (number) Cursor(erase_content_).integer(*number).change_any();
    } else if (number) {
        Cursor(put_content_).integer(*number).bytes(content->json).change_one();
    } else {
        connection_.keep_failure(Error(ErrorCode::invalid, "a content is of no claim"));
    }
}

// ---- segments ---------------------------------------------------------------------------------

void ClaimTable::seal_full_segments() {
    if (tail_.size() < segment_claims_) {
        return;
    }
    const std::vector<Placed> tail = sorted_tail();
    auto begin = tail.begin();
    for (std::size_t left = tail.size(); left >= segment_claims_; left -= segment_claims_) {
        const auto end = begin + static_cast<std::ptrdiff_t>(segment_claims_);
        open_.sealed.push_back(write_segment({begin, end}));
        begin = end;
    }
}

std::vector<ClaimTable::Placed> ClaimTable::sorted_tail() const {
    std::vector<Placed> claims;
    claims.reserve(tail_.size());
    for (const auto& [id, number] : tail_) claims.push_back({number, id});
    std::sort(claims.begin(), claims.end(),
              [](const Placed& a, const Placed& b) { return a.number < b.number; });
    return claims;
}

// Sorted, so that each row is appended after the last one.
ClaimTable::Segment ClaimTable::write_segment(std::vector<Placed> claims) {
    Segment segment{claims.front().number, claims.back().number};
    std::sort(claims.begin(), claims.end(),
              [](const Placed& a, const Placed& b) { return prefix_of(a.id) < prefix_of(b.id); });
    std::vector<ClaimId> ids;
    ids.reserve(claims.size());
    for (const Placed& claim : claims) {
        Cursor(insert_place_)
            .integer(segment.first)
            .integer(prefix_of(claim.id))
            .integer(claim.number)
            .change_one();
        ids.push_back(claim.id);
    }
    segment.filter = make_filter(ids);
    Cursor(insert_segment_)
        .integer(segment.first)
        .integer(segment.last)
        .bytes(segment.filter)
        .change_one();
    return segment;
}

// ---- how the transaction ended ----------------------------------------------------------------

void ClaimTable::keep_new() {
    for (const Segment& segment : open_.sealed) {
        know(segment);
    }
    if (!open_.sealed.empty()) {
        std::erase_if(tail_, [&](const auto& claim) { return claim.second <= sealed_to_; });
    }
    for (const std::int64_t first : open_.dropped) {
        const auto segment = columns_.find(first);
        filters_.remove(segment->second);
        by_column_.erase(segment->second);
        columns_.erase(segment);
    }
    open_ = {};
}

void ClaimTable::forget_new() {
    for (const ClaimId& id : open_.added) tail_.erase(id);
    for (const Placed& claim : open_.erased) tail_.emplace(claim.id, claim.number);
    open_ = {};
}

}  // namespace semel::sqlite
