#include "store/packing/response_pack.hpp"

#include <algorithm>
#include <map>

namespace semel {
namespace {

constexpr char kAsItIs = 0;

bool keeps(const ResponseChange& change) {
    return change.verb == ResponseVerb::write || change.verb == ResponseVerb::extend;
}

void add(ResponseChange& so_far, const ResponseChange& next) {
    if (!keeps(next) || !keeps(so_far)) {
        // A row that was deleted earlier in the batch cannot be extended.
        if (next.verb != ResponseVerb::extend) so_far = next;
        return;
    }
    so_far.expires_at = std::max(so_far.expires_at, next.expires_at);
    if (next.verb == ResponseVerb::write) {
        so_far.verb = next.verb;
        so_far.body = next.body;
    }
}

}  // namespace

std::string pack_response(std::string_view body) {
    std::string bytes;
    bytes.reserve(body.size() + 1);
    bytes.push_back(kAsItIs);
    bytes.append(body);
    return bytes;
}

std::optional<std::string> unpack_response(std::string_view bytes) {
    if (bytes.empty() || bytes.front() != kAsItIs) {
        return std::nullopt;
    }
    return std::string(bytes.substr(1));
}

std::vector<ResponseChange> merged(const std::vector<ResponseChange>& changes) {
    std::map<Uuid, ResponseChange> by_id;
    for (const ResponseChange& change : changes) {
        const auto [at, is_first] = by_id.try_emplace(change.id, change);
        if (!is_first) add(at->second, change);
    }
    std::vector<ResponseChange> all;
    all.reserve(by_id.size());
    for (auto& [id, change] : by_id) all.push_back(std::move(change));
    return all;
}

}  // namespace semel
