// How a schedule is written in columns; schedule.data is packed by row_pack.hpp.
#pragma once

#include <string_view>

#include "core/schedule.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

inline constexpr std::string_view kScheduleColumns = "tenant, name, id, data";
[[nodiscard]] Schedule read_schedule(Cursor& cursor);

}  // namespace semel::sqlite
