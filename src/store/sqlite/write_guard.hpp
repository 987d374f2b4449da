// WriteGuard: what callers' own statements may do on the writer's connection, and for how long.
// While it is lowered it stands in nobody's way.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// Names of callers' own tables, views, indexes and triggers begin with it: no schema of ours ever
// uses it.
inline constexpr std::string_view kOwnPrefix = "app_";

// How long they may take. What they work is their own fault, and counted by the thread's processor
// time: on a machine with too much to do, whoever works little is not the one to fail. What they
// wait for holds up everybody else too, so that time is bounded as well.
struct WriteLimits {
    std::chrono::nanoseconds work = std::chrono::milliseconds(100);
    std::chrono::nanoseconds in_all = std::chrono::seconds(1);
};

class WriteGuard {
public:
    // It belongs to the connection before any statement is prepared there: SQLite prepares all of
    // them anew when an authorizer comes.
    explicit WriteGuard(Connection& connection);
    WriteGuard(const WriteGuard&) = delete;
    WriteGuard& operator=(const WriteGuard&) = delete;

    // Which names are ours, after the schema is made. Failures are kept by the connection.
    void learn_names() { ours_ = read_names(); }
    // Whether they still are those, and no others.
    [[nodiscard]] bool are_names_kept() { return read_names() == ours_; }

    // While one lives, only callers' own statements are run.
    class Raised {
    public:
        explicit Raised(WriteGuard& guard, const WriteLimits& limits = {});
        ~Raised();
        Raised(const Raised&) = delete;
        Raised& operator=(const Raised&) = delete;

    private:
        WriteGuard& guard_;
    };

    // Asked on the thread that raised it.
    [[nodiscard]] bool is_over() const;
    // Why the last statement was refused, if it was; forgotten by asking.
    [[nodiscard]] std::string take_refusal();
    // Whether they changed the schema.
    [[nodiscard]] bool has_changed_schema() const { return has_changed_schema_; }

private:
    using Names = std::set<std::string, std::less<>>;  // in small letters

    [[nodiscard]] Names read_names();
    // Whether a name stands for something within the statement alone.
    [[nodiscard]] bool is_local(std::string_view name) const;
    [[nodiscard]] bool allows(int action, std::string_view first, std::string_view second);
    static int authorize(void* self, int action, const char* first, const char* second,
                         const char* database, const char* inside);
    static int look_at_clock(void* self);

    Connection& connection_;
    Names ours_;
    bool is_raised_ = false;
    bool has_changed_schema_ = false;
    std::chrono::nanoseconds work_until_{0};  // of the thread's time
    std::chrono::steady_clock::time_point until_;
    std::string refusal_;
};

}  // namespace semel::sqlite
