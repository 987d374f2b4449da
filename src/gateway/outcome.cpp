#include "gateway/outcome.hpp"

#include <algorithm>
#include <array>

namespace semel::gateway {

namespace {

constexpr std::array kReleasing = {400, 401, 403, 404, 408, 409, 422, 425, 429, 503};
constexpr std::array kUncertain = {502, 504};

}  // namespace

PassEnd key_end(int status, const KeyRule& rule) {
    if (std::ranges::find(kUncertain, status) != kUncertain.end()) return PassEnd::doubt;
    if (std::ranges::find(kReleasing, status) != kReleasing.end()) return PassEnd::release;
    return status >= 500 && rule.releases_5xx ? PassEnd::release : PassEnd::seal;
}

}  // namespace semel::gateway
