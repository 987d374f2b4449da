#include "store/redis/rights.hpp"

#include <fmt/format.h>

#include "store/redis/layout.hpp"
#include "store/redis/scripts.hpp"

namespace semel::redis {
namespace {

constexpr const char* kNobodys = "rights";  // no id, and no stamp

}  // namespace

Result<void> check_rights(Connection& connection) {
    SEMEL_TRY(reply, rights_script().run(connection,
                                         {kMetaKey, kClaimsByExpiry, kSourcesByExpiry,
                                          mark_key(kNobodys), std::string(kClaimPrefix) + kNobodys,
                                          std::string(kSourcePrefix) + kNobodys},
                                         {}));
    if (reply.items.empty()) {
        return {};
    }
    std::string all;
    for (const Reply& refused : reply.items) {
        all += fmt::format("{}{}", all.empty() ? "" : "; ", refused.text);
    }
    return Error(ErrorCode::refused,
                 fmt::format("this user may not do all that a commit of fences does, and half of "
                             "one would be written. Redis refuses {}. Allow it with ACL SETUSER; "
                             "docs/guides/fences.md has the line",
                             all));
}

}  // namespace semel::redis
