// The part of MemoryTables that has the bodies of kept answers.
#include <algorithm>

#include "store/memory/memory_tables.hpp"

namespace semel::memory {

void MemoryTables::apply_response(const ResponseChange& change) {
    const auto found = responses_.find(change.id);
    const bool exists = found != responses_.end();
    switch (change.verb) {
        case ResponseVerb::write: {
            const Time before = exists ? found->second.expires_at : change.expires_at;
            responses_[change.id] = {std::max(before, change.expires_at), change.body};
            return;
        }
        case ResponseVerb::extend:
            if (exists) {
                found->second.expires_at = std::max(found->second.expires_at, change.expires_at);
            }
            return;
        case ResponseVerb::expire:
            if (exists && found->second.expires_at > change.expires_at) return;
            break;
        case ResponseVerb::erase: break;
    }
    responses_.erase(change.id);
}

std::optional<std::string> MemoryTables::response(const Uuid& id) const {
    const auto found = responses_.find(id);
    return found != responses_.end() ? std::optional(*found->second.body) : std::nullopt;
}

std::vector<Uuid> MemoryTables::expired_responses(Time now, int limit) {
    std::vector<Uuid> expired;
    for (const auto& [id, response] : responses_) {
        if (expired.size() >= static_cast<std::size_t>(limit)) break;
        if (response.expires_at <= now) expired.push_back(id);
    }
    return expired;
}

}  // namespace semel::memory
