#include "store/sqlite/store_file.hpp"

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/file.hpp"
#include "store/sqlite/migrations.hpp"
#include "store/sqlite/row_checks.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {
namespace {

constexpr int kCacheKib = 8 * 1024;

// Does not open the file, because closing any descriptor of a database ends this process's locks on
// it.
Result<std::uint64_t> size_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        return file_error("read", path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return Error(ErrorCode::invalid, fmt::format("cannot read {}: it is not a file", path));
    }
    return static_cast<std::uint64_t>(status.st_size);
}

Result<void> check_pages(Connection& connection) {
    SEMEL_TRY(verdict, connection.query_text("pragma quick_check(1)"));
    if (verdict == "ok") {
        return {};
    }
    return Error(ErrorCode::corrupt, fmt::format("{} is damaged: {}", connection.path(), verdict));
}

// SQLite reads only the pages that it needs, so it does not notice a file of the wrong length.
Result<void> check_size(Connection& connection, std::uint64_t bytes) {
    SEMEL_TRY(pages, connection.query_int("pragma page_count"));
    SEMEL_TRY(page_bytes, connection.query_int("pragma page_size"));
    if (bytes == static_cast<std::uint64_t>(pages * page_bytes)) {
        return {};
    }
    return Error(ErrorCode::corrupt,
                 fmt::format("{} is damaged: it has {} bytes and should have {}", connection.path(),
                             bytes, pages * page_bytes));
}

Result<std::int64_t> version_of_store(Connection& connection) {
    SEMEL_TRY(version, schema_version(connection));
    if (version == 0) {
        return Error(ErrorCode::refused, connection.path() + " is empty: it is no store");
    }
    return version;
}

std::map<Status, std::int64_t> count_jobs(Connection& connection) {
    std::map<Status, std::int64_t> counts;
    Statement statement(
        connection,
        "select status, sum(count) from job_count group by status having sum(count) "
        "> 0");
    Cursor cursor(statement);
    while (cursor.next_row()) {
        const auto status = static_cast<Status>(cursor.read_int());
        counts[status] = cursor.read_integer();
    }
    return counts;
}

std::optional<DueJob> find_oldest_due(Connection& connection) {
    Statement statement(connection,
                        "select name.name, min(job.scheduled_at) from job join name "
                        "on name.number = job.type where job.place = 1 having count(*) > 0");
    Cursor cursor(statement);
    if (!cursor.next_row()) {
        return std::nullopt;
    }
    std::string type = cursor.read_string();
    return DueJob{std::move(type), from_ms(cursor.read_integer())};
}

std::int64_t count_failed(Connection& connection, Time since) {
    Statement statement(connection,
                        "select count(*) from job where completed_at >= ? and status = ?");
    Cursor cursor(statement);
    cursor.time(since).integer(static_cast<std::int64_t>(Status::failed));
    return cursor.next_row() ? cursor.read_integer() : 0;
}

// REQUIRES: the file is a store.
Result<StoreFileFacts> read_facts(Connection& connection, const InspectOptions& options) {
    StoreFileFacts facts;
    SEMEL_TRY(mark, connection.query_int("select time_mark from meta"));
    SEMEL_TRY(commits, connection.query_int("select commits from meta"));
    SEMEL_TRY(tokens, connection.query_int("select count(*) from api_token"));
    facts.time_mark = from_ms(mark);
    facts.commits = commits;
    facts.api_tokens = tokens;
    facts.jobs = count_jobs(connection);
    facts.oldest_due = find_oldest_due(connection);
    if (options.failed_since) {
        facts.failed_lately = count_failed(connection, *options.failed_since);
    }
    SEMEL_CHECK(connection.outcome());
    return facts;
}

}  // namespace

Result<StoreFileFacts> inspect_store(const std::string& path, const InspectOptions& options) {
    SEMEL_TRY(bytes, size_of(path));
    ConnectionOptions inspecting;
    inspecting.path = std::filesystem::absolute(path);
    inspecting.access = options.state == FileState::closed ? Access::inspect : Access::read;
    inspecting.cache_kib = kCacheKib;
    SEMEL_TRY(connection, Connection::open(inspecting));
    SEMEL_CHECK(connection->execute("begin"));
    SEMEL_TRY(version, version_of_store(*connection));
    if (options.checks_all && options.state == FileState::closed) {
        SEMEL_CHECK(check_size(*connection, bytes));
    }
    if (options.checks_all) {
        SEMEL_CHECK(check_pages(*connection));
        SEMEL_CHECK(check_rows(*connection, version));
    }
    SEMEL_TRY(facts, read_facts(*connection, options));
    facts.bytes = bytes;
    facts.schema_version = version;
    facts.is_schema_newest = version == newest_schema_version();
    return facts;
}

std::string sqlite_version() {
    return sqlite3_libversion();
}

}  // namespace semel::sqlite
