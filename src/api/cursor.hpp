// Cursors: opaque texts that contain the position of a client's walk through a list.
//
//   cursor := base64url( version (1 byte) · filters (8 bytes) · position )
//
// `filters` is the beginning of a hash over the list, the tenant and the filters. A cursor that is
// used with others is refused with `invalid`. A cursor is no secret: a forged one shows only rows
// that the list shows anyway. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/query_reader.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/keys/uncertain_claims.hpp"
#include "core/problem.hpp"

namespace semel {

// The list, the tenant and the filters of a walk, in a fixed order.
using WalkFields = std::vector<std::string>;
// Returns a time as a field of a walk; empty if the filter is absent.
[[nodiscard]] std::string time_field(const std::optional<Time>& time);

// Returns the cursor for the page after the row `last`.
[[nodiscard]] std::string make_cursor(const WalkFields& fields, const Uuid& last);
[[nodiscard]] std::string make_cursor(const WalkFields& fields, std::int64_t last);

// Returns the position of a cursor, or `invalid` if it is malformed or has other `fields`.
[[nodiscard]] std::variant<Uuid, Problem> read_id_cursor(std::string_view cursor,
                                                         const WalkFields& fields);
[[nodiscard]] std::variant<std::int64_t, Problem> read_number_cursor(std::string_view cursor,
                                                                     const WalkFields& fields);

// The page that a client asks for in a list that is walked by id.
struct IdPage {
    int limit = 0;
    std::optional<Uuid> before = {};  // rows with smaller ids; nullopt: from the newest
};
// Reads `limit` and `cursor`. Call it after all other parameters are read: it also returns the
// first problem of `reader`, such as an unknown parameter.
[[nodiscard]] std::variant<IdPage, Problem> read_id_page(QueryReader& reader,
                                                         const WalkFields& fields);

// The page that a client asks for in the list of uncertain claims.
struct ClaimPage {
    int limit = 0;
    std::optional<ClaimPosition> before = {};
};
[[nodiscard]] std::string make_cursor(const WalkFields& fields, const ClaimPosition& last);
// As read_id_page().
[[nodiscard]] std::variant<ClaimPage, Problem> read_claim_page(QueryReader& reader,
                                                               const WalkFields& fields);

}  // namespace semel
