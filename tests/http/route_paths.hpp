// A path for each route, with something of the right form where it names a thing.
#pragma once

#include <string>

#include "api/router.hpp"

namespace semel::test {

inline constexpr const char* kSomeId = "0192f0c1-2b7e-7000-8000-000000000001";
inline const std::string kSomeClaim(64, '0');

inline std::string path_of(const Route& route) {
    std::string path(route.pattern);
    const auto open = path.find('{');
    if (open == std::string::npos) {
        return path;
    }
    const std::size_t size = path.find('}') - open + 1;
    const std::string what = path.substr(open, size);
    return path.replace(open, size,
                        what == "{id}"        ? kSomeId
                        : what == "{claimId}" ? kSomeClaim
                        : what == "{code}"    ? "invalid"
                                              : "k");
}

}  // namespace semel::test
