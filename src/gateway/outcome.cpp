#include "gateway/outcome.hpp"

#include <algorithm>
#include <array>

#include "core/json/canonical_json.hpp"
#include "core/json/json_pointer.hpp"

namespace semel::gateway {

namespace {

constexpr std::array kReleasing = {400, 401, 403, 404, 408, 409, 422, 425, 429, 503};
constexpr std::array kUncertain = {502, 504};

bool is_uncertain(int status) {
    return std::ranges::find(kUncertain, status) != kUncertain.end();
}

// A body that is not JSON says nothing.
bool says(std::string_view body, const FailedAnswer& failed) {
    const auto answer = json::Document::parse(std::string(body), json::kAnyNumbers);
    const auto value = answer ? json::resolve(answer->root(), failed.pointer) : std::nullopt;
    const auto expected = json::Document::parse(failed.equals, json::kAnyNumbers);
    return value && expected && same_content(*value, expected->root());
}

}  // namespace

PassEnd key_end(int status, const KeyRule& rule) {
    if (is_uncertain(status)) return PassEnd::doubt;
    if (std::ranges::find(kReleasing, status) != kReleasing.end()) return PassEnd::release;
    return status >= 500 && rule.releases_5xx ? PassEnd::release : PassEnd::seal;
}

PassEnd guard_end(int status, std::string_view body, const GuardRule& rule) {
    if (is_uncertain(status)) return PassEnd::doubt;
    const bool is_done = status >= 200 && status < 300;
    const bool has_failed = is_done && rule.failed_when && says(body, *rule.failed_when);
    return is_done && !has_failed ? PassEnd::seal : PassEnd::release;
}

}  // namespace semel::gateway
