// Cursors: where a walk through a list stands, opaque to its holder.
//
//   cursor := base64url( version (1 byte) · filters (8 bytes) · position )
//
// `filters` is the beginning of a hash over what the walk is about, so that a cursor used with
// other filters is noticed. It is no secret: a forged cursor shows nothing that a list would not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/query_reader.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/problem.hpp"

namespace semel {

// What a walk is about: the list, the tenant and the filters, in a fixed order.
using WalkFields = std::vector<std::string>;
// A time among these fields; empty where the filter is absent.
[[nodiscard]] std::string time_field(const std::optional<Time>& time);

[[nodiscard]] std::string make_cursor(const WalkFields& fields, const Uuid& last);
[[nodiscard]] std::string make_cursor(const WalkFields& fields, std::int64_t last);

[[nodiscard]] std::variant<Uuid, Problem> read_id_cursor(std::string_view cursor,
                                                         const WalkFields& fields);
[[nodiscard]] std::variant<std::int64_t, Problem> read_number_cursor(std::string_view cursor,
                                                                     const WalkFields& fields);

// A page of a list that is walked by id: the parameters `limit` and `cursor`, which are read last.
struct IdPage {
    int limit = 0;
    std::optional<Uuid> before = {};
};
[[nodiscard]] std::variant<IdPage, Problem> read_id_page(QueryReader& reader,
                                                         const WalkFields& fields);

}  // namespace semel
