#include "store/sqlite/name_table.hpp"

namespace semel::sqlite {
namespace {

// The limit of names in memory, because callers can choose any number of types.
constexpr std::size_t kNamesMax = 10'000;

}  // namespace

NameTable::NameTable(Connection& connection)
    : connection_(connection),
      find_(connection, "select number from name where name = ?"),
      name_(connection, "select name from name where number = ?"),
      insert_(connection, "insert into name (name) values (?)") {}

std::optional<std::int64_t> NameTable::find(const std::string& name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) {
        return known->second;
    }
    Cursor cursor(find_);
    if (!cursor.text(name).next_row()) {
        return std::nullopt;
    }
    const std::int64_t number = cursor.read_integer();
    remember(number, name);
    return number;
}

std::int64_t NameTable::number(const std::string& name) {
    if (const auto known = find(name)) {
        return *known;
    }
    Cursor(insert_).text(name).change_one();
    if (connection_.has_failed()) {
        return 0;
    }
    const std::int64_t number = connection_.inserted_row();
    remember(number, name);
    new_.push_back(number);
    return number;
}

const std::string& NameTable::name(std::int64_t number) {
    const auto known = names_.find(number);
    if (known != names_.end()) {
        return known->second;
    }
    Cursor cursor(name_);
    if (!cursor.integer(number).next_row()) {
        connection_.keep_failure(Error(ErrorCode::corrupt, "a name is missing from the database"));
        static const std::string kMissing;
        return kMissing;
    }
    remember(number, cursor.read_string());
    return names_.at(number);
}

void NameTable::remember(std::int64_t number, const std::string& name) {
    if (names_.size() >= kNamesMax && new_.empty()) {
        numbers_.clear();
        names_.clear();
    }
    numbers_.emplace(name, number);
    names_.emplace(number, name);
}

void NameTable::forget_new() {
    for (const std::int64_t number : new_) {
        const auto known = names_.find(number);
        numbers_.erase(known->second);
        names_.erase(known);
    }
    new_.clear();
}

}  // namespace semel::sqlite
