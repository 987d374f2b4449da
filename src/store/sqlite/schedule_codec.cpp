#include "store/sqlite/schedule_codec.hpp"

#include "store/row_pack.hpp"

namespace semel::sqlite {

Schedule read_schedule(Cursor& cursor) {
    Schedule schedule;
    schedule.key.tenant = cursor.read_string();
    schedule.key.name = cursor.read_string();
    schedule.id = cursor.read_id();
    if (!unpack_schedule(cursor.view(), schedule)) {
        cursor.report_damage();
    }
    return schedule;
}

}  // namespace semel::sqlite
