#include "store/sqlite/job_numbers.hpp"

namespace semel::sqlite {

JobNumbers::JobNumbers(Connection& connection)
    : find_(connection, "select number from twin where high = ? and low = ?"),
      insert_(connection, "insert into twin values (?, ?, ?)"),
      erase_(connection, "delete from twin where high = ? and low = ?"),
      newest_(connection, "select max(number) from twin") {}

void JobNumbers::learn() {
    Cursor cursor(newest_);
    const auto newest = cursor.next_row() ? cursor.read_optional_integer() : std::nullopt;
    may_have_twins_ = newest.has_value();
    next_ = newest.value_or(0) + 1;
}

std::int64_t JobNumbers::of(const JobId& id) {
    if (may_have_twins_) {
        Cursor cursor(find_);
        if (cursor.key(id).next_row()) {
            return cursor.read_integer();
        }
    }
    return JobKey(id).high;
}

void JobNumbers::remember(const JobId& id, std::int64_t number) {
    Cursor(insert_).key(id).integer(number).change_one();
    may_have_twins_ = true;
}

void JobNumbers::forget(const JobId& id) {
    if (may_have_twins_) {
        Cursor(erase_).key(id).change_any();
    }
}

}  // namespace semel::sqlite
