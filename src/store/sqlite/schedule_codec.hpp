// How a schedule is written in columns.
#pragma once

#include <string>
#include <string_view>

#include "core/schedule.hpp"
#include "store/sqlite/packed.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// schedule.data: everything but the key and the id.
[[nodiscard]] std::string pack_schedule(const Schedule& schedule);
inline constexpr std::string_view kScheduleColumns = "tenant, name, id, data";
[[nodiscard]] Schedule read_schedule(Cursor& cursor);

// A part of job.data too.
void pack(Packer& packer, const Backoff& backoff);
[[nodiscard]] Backoff unpack_backoff(Unpacker& unpacker);

}  // namespace semel::sqlite
