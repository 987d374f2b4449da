#include "store/redis/read_session.hpp"

#include <algorithm>

#include "core/keys/dedup_key.hpp"
#include "store/redis/layout.hpp"

namespace semel::redis {
namespace {

constexpr const char* kPage = "1000";  // about how many keys one step visits

}  // namespace

std::optional<Claim> ReadQueries::get_claim(const std::string& tenant, const ClaimId& id) {
    connection_.queue(ask_claim(id));
    const auto replies = connection_.flush();
    if (!replies) {
        fail(replies.error());
        return std::nullopt;
    }
    auto found = read_claim(id, replies->front());
    if (!found) {
        fail(found.error());
        return std::nullopt;
    }
    if (!found->damage.empty()) {
        fail(Error(ErrorCode::damaged_row, found->damage));
    }
    return found->row && found->row->tenant == tenant ? std::move(found->row) : std::nullopt;
}

std::vector<std::optional<SourceHolder>> ReadQueries::get_holds(
    const std::vector<ClaimRef>& claims) {
    for (const ClaimRef& claim : claims) connection_.queue(ask_claim(claim.id));
    const auto replies = connection_.flush();
    if (!replies) {
        fail(replies.error());
        return {};
    }
    std::vector<std::optional<SourceHolder>> holds(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const auto found = read_claim(claims[i].id, (*replies)[i]);
        if (!found) {
            fail(found.error());
            return {};
        }
        const auto& row = found->row;
        if (row && row->tenant == claims[i].tenant) holds[i] = holder_of(*row);
    }
    return holds;
}

std::vector<Claim> ReadQueries::find_claims(const std::string& tenant,
                                            const std::optional<std::string>& space,
                                            const std::string& key, int limit) {
    std::vector<Claim> claims;
    std::string cursor = "0";
    do {
        const auto page = connection_.ask(
            {"SCAN", cursor, "MATCH", std::string(kClaimPrefix) + "*", "COUNT", kPage});
        if (!page) {
            fail(page.error());
            return {};
        }
        cursor = page->items.at(0).text;
        add_matching(page->items.at(1).items, tenant, space, key, claims);
    } while (cursor != "0" && outcome_ && claims.size() < static_cast<std::size_t>(limit));
    if (claims.size() > static_cast<std::size_t>(limit)) {
        claims.resize(static_cast<std::size_t>(limit));
    }
    return claims;
}

void ReadQueries::add_matching(const std::vector<Reply>& keys, const std::string& tenant,
                               const std::optional<std::string>& space, const std::string& key,
                               std::vector<Claim>& claims) {
    std::vector<ClaimId> ids;
    for (const Reply& name : keys) {
        const auto hex = std::string_view(name.text).substr(std::string_view(kClaimPrefix).size());
        if (const auto id = Hash256::parse(hex)) {
            ids.push_back(*id);
            connection_.queue(ask_claim(*id));
        }
    }
    const auto replies = connection_.flush();
    if (!replies) {
        fail(replies.error());
        return;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto found = read_claim(ids[i], (*replies)[i]);
        if (!found) {
            fail(found.error());
            return;
        }
        const auto& row = found->row;
        const bool matches = row && row->tenant == tenant && (!space || row->space == *space) &&
                             names_key(row->full_key, key);
        // A scan can return a key twice if Redis moves it.
        const bool is_known = std::any_of(claims.begin(), claims.end(),
                                          [&](const Claim& claim) { return claim.id == ids[i]; });
        if (matches && !is_known) claims.push_back(*std::move(found->row));
    }
}

}  // namespace semel::redis
