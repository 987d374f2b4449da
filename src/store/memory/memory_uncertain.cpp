// The part of MemoryTables that keeps and reads the list of uncertain claims.
#include "store/memory/memory_tables.hpp"

namespace semel::memory {

void MemoryTables::apply_entry(const Change<Claim>& change) {
    const EntryChange entry = entry_change(change.before, change.after);
    if (entry.erases) uncertain_[change.before->tenant].erase(position_of(*change.before));
    if (entry.makes) uncertain_[change.after->tenant].insert(position_of(*change.after));
}

std::vector<Claim> MemoryTables::uncertain_claims(const UncertainQuery& query) const {
    const auto limit = static_cast<std::size_t>(query.limit);
    std::vector<Claim> found;
    if (const auto listed = uncertain_.find(query.tenant); listed != uncertain_.end()) {
        const auto& entries = listed->second;
        auto at = query.before ? entries.lower_bound(*query.before) : entries.end();
        while (at != entries.begin() && found.size() < limit) {
            const Claim& claim = claims_.at((--at)->id);
            if (query.matches(claim)) found.push_back(claim);
        }
    }
    int left = kSilentClaimsMax;
    for (auto at = expiring_.lower_bound({query.now + Millis(1), ClaimId()});
         at != expiring_.begin();) {
        const Claim& claim = claims_.at((--at)->second);
        if (left-- == 0) break;
        if (claim.state != ClaimState::uncertain && query.matches(claim)) found.push_back(claim);
    }
    return query.page_of(std::move(found));
}

std::vector<SpaceCount> MemoryTables::uncertain_counts() const {
    std::map<std::string, std::int64_t> counts;
    for (const auto& [tenant, entries] : uncertain_) {
        for (const ClaimPosition& entry : entries) ++counts[claims_.at(entry.id).space];
    }
    std::vector<SpaceCount> found;
    found.reserve(counts.size());
    for (const auto& [space, count] : counts) found.push_back({space, count});
    return found;
}

}  // namespace semel::memory
