#include "store/sqlite/write_guard.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>
#include <time.h>

#include "store/sqlite/statement.hpp"

namespace semel::sqlite {
namespace {

// The instructions of SQLite between two checks of the clock: about 10 us.
constexpr int kInstructions = 1000;

std::string_view view_of(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

bool is_own(std::string_view name) {
    return sqlite3_strnicmp(name.data(), kOwnPrefix.data(), static_cast<int>(kOwnPrefix.size())) ==
           0;
}

std::chrono::nanoseconds thread_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// SQLite itself reads and writes these tables in `create` and `drop`, and refuses other statements.
bool is_schema_table(std::string_view name) {
    return name == "sqlite_master" || name == "sqlite_temp_master";
}

// Returns true for table-valued functions, which read their arguments and no table.
bool is_function_table(std::string_view name) {
    return name == "json_each" || name == "json_tree";
}

bool is_own_index(std::string_view index, std::string_view table) {
    return is_own(table) && (is_own(index) || index.starts_with("sqlite_autoindex_"));
}

}  // namespace

WriteGuard::WriteGuard(Connection& connection) : connection_(connection) {
    sqlite3_set_authorizer(connection_.handle(), authorize, this);
}

WriteGuard::Raised::Raised(WriteGuard& guard, const WriteLimits& limits) : guard_(guard) {
    guard_.work_until_ = thread_time() + limits.work;
    guard_.until_ = std::chrono::steady_clock::now() + limits.in_all;
    guard_.is_raised_ = true;
    guard_.has_changed_schema_ = false;
    sqlite3_progress_handler(guard_.connection_.handle(), kInstructions, inspect_clock, &guard_);
}

WriteGuard::Raised::~Raised() {
    sqlite3_progress_handler(guard_.connection_.handle(), 0, nullptr, nullptr);
    guard_.is_raised_ = false;
}

bool WriteGuard::is_over() const {
    return thread_time() >= work_until_ || std::chrono::steady_clock::now() >= until_;
}

std::string WriteGuard::take_refusal() {
    return std::exchange(refusal_, {});
}

int WriteGuard::inspect_clock(void* self) {
    return static_cast<WriteGuard*>(self)->is_over() ? 1 : 0;
}

int WriteGuard::authorize(void* self, int action, const char* first, const char* second,
                          const char* /*database*/, const char* /*inside*/) {
    auto& guard = *static_cast<WriteGuard*>(self);
    const bool is_allowed =
        !guard.is_raised_ || guard.allows(action, view_of(first), view_of(second));
    return is_allowed ? SQLITE_OK : SQLITE_DENY;
}

WriteGuard::Names WriteGuard::read_names() {
    Names names;
    Statement statement(connection_,
                        "select lower(name) from sqlite_schema "
                        "where tbl_name not like 'app\\_%' escape '\\'");
    Cursor cursor(statement);
    while (cursor.next_row()) {
        names.insert(cursor.read_string());
    }
    return names;
}

bool WriteGuard::is_local(std::string_view name) const {
    std::string small(name);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return !ours_.contains(small);
}

bool WriteGuard::allows(int action, std::string_view first, std::string_view second) {
    const auto own_table = [&](std::string_view name) {
        if (is_own(name)) {
            return true;
        }
        refusal_ = fmt::format(
            "`{}` is not yours: names of your own tables, views, indexes and "
            "triggers begin with `{}`",
            name, kOwnPrefix);
        return false;
    };
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_RECURSIVE: return true;
        case SQLITE_FUNCTION: return second != "load_extension";
        case SQLITE_READ:
            // `count(*)` reads no column. SQLite then passes the name in the statement, which can
            // be local to it, like that of a `with`.
            return is_schema_table(first) || is_function_table(first) ||
                   (second.empty() && is_local(first)) || own_table(first);
        case SQLITE_INSERT:
        case SQLITE_UPDATE:
        case SQLITE_DELETE: return is_schema_table(first) || own_table(first);
        case SQLITE_CREATE_TABLE:
        case SQLITE_CREATE_VIEW:
        case SQLITE_DROP_TABLE:
        case SQLITE_DROP_VIEW: has_changed_schema_ = true; return own_table(first);
        case SQLITE_ALTER_TABLE: has_changed_schema_ = true; return own_table(second);
        case SQLITE_CREATE_INDEX:
        case SQLITE_DROP_INDEX:
            has_changed_schema_ = true;
            return is_own_index(first, second) || (own_table(second) && own_table(first));
        case SQLITE_REINDEX: return own_table(first);  // part of `create index`
        case SQLITE_CREATE_TRIGGER:
        case SQLITE_DROP_TRIGGER:
            has_changed_schema_ = true;
            return own_table(second) && own_table(first);
        default: break;
    }
    refusal_ = action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT
                   ? "the transaction is the engine's: your statements neither begin nor end one"
                   : "your own statements read and change your own tables, and no more than that";
    return false;
}

}  // namespace semel::sqlite
