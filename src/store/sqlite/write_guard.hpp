// WriteGuard: limits which statements a caller can run on the writer's connection, and for how
// long. It applies only while a Raised object exists.
//
// Errors: a refused statement fails, and take_refusal() returns the reason.
// Threads: the writer thread.
// Lifetime: lives as long as the connection runs statements.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// The prefix of users' tables, views, indexes and triggers. Semel's schema never uses it.
inline constexpr std::string_view kOwnPrefix = "app_";

// The time limits. `work` is the thread's processor time, so a busy machine does not fail a small
// statement. `in_all` is elapsed time, because waiting statements block all other writes too.
struct WriteLimits {
    std::chrono::nanoseconds work = std::chrono::milliseconds(100);
    std::chrono::nanoseconds in_all = std::chrono::seconds(1);
};

class WriteGuard {
public:
    // REQUIRES: no statement of the connection is prepared yet. SQLite would prepare all of them
    // again when the authorizer is set.
    explicit WriteGuard(Connection& connection);
    WriteGuard(const WriteGuard&) = delete;
    WriteGuard& operator=(const WriteGuard&) = delete;

    // Reads the names of Semel's tables. Call it after the migration. Failures are kept by the
    // connection.
    void learn_names() { ours_ = read_names(); }
    // Returns true if these names are unchanged.
    [[nodiscard]] bool are_names_kept() { return read_names() == ours_; }

    // While an object exists, the connection runs only callers' statements.
    class Raised {
    public:
        explicit Raised(WriteGuard& guard, const WriteLimits& limits = {});
        ~Raised();
        Raised(const Raised&) = delete;
        Raised& operator=(const Raised&) = delete;

    private:
        WriteGuard& guard_;
    };

    // Returns true if the time limit has passed. Call it on the thread that created Raised.
    [[nodiscard]] bool is_over() const;
    // Returns and clears the reason of the last refusal, or an empty text.
    [[nodiscard]] std::string take_refusal();
    // Returns true if a caller's statement changed the schema since the last Raised began.
    [[nodiscard]] bool has_changed_schema() const { return has_changed_schema_; }

private:
    using Names = std::set<std::string, std::less<>>;  // in lower case

    [[nodiscard]] Names read_names();
    // Returns true if a name exists only within the statement.
    [[nodiscard]] bool is_local(std::string_view name) const;
    [[nodiscard]] bool allows(int action, std::string_view first, std::string_view second);
    static int authorize(void* self, int action, const char* first, const char* second,
                         const char* database, const char* inside);
    static int inspect_clock(void* self);

    Connection& connection_;
    Names ours_;
    bool is_raised_ = false;
    bool has_changed_schema_ = false;
    std::chrono::nanoseconds work_until_{0};  // of the thread's processor time
    std::chrono::steady_clock::time_point until_;
    std::string refusal_;
};

}  // namespace semel::sqlite
