#include "runtime/open_store.hpp"

#include <filesystem>

#include "store/postgres/postgres_store.hpp"
#include "store/postgres/postgres_url.hpp"
#include "store/postgres/transfer_target.hpp"
#include "store/redis/redis_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/transfer_source.hpp"

namespace semel {
namespace {

using postgres::is_url;

Result<void> check_there(const std::string& path) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
        return {};
    }
    return Error(ErrorCode::not_found, "there is no store " + path +
                                           ": look at the path; `semel serve --store " + path +
                                           "` would make one");
}

}  // namespace

Result<void> check_store_path(const std::string& url) {
    if (url.empty()) {
        return Error(ErrorCode::invalid, "the store is a file path, like ./semel.db");
    }
    if (postgres::is_keywords(url)) {
        return Error(ErrorCode::invalid,
                     "a PostgreSQL store is named by its URL, like postgres://user@host:5432/db, "
                     "not by words such as host= and dbname=; a file whose name begins like that "
                     "is ./ and its name");
    }
    if (postgres::is_half_url(url)) {
        return Error(ErrorCode::invalid,
                     "the URL of a PostgreSQL store has two slashes behind its first colon, like "
                     "postgres://user@host:5432/db; a file whose name begins with postgres: is ./ "
                     "and its name");
    }
    const std::size_t scheme = url.find("://");
    if (scheme != std::string::npos) {
        return Error(ErrorCode::invalid,
                     "no store for `" + url.substr(0, scheme) +
                         "://`; give a file path, like ./semel.db, or postgres://user@host/db");
    }
    if (url.starts_with("file:")) {
        return Error(ErrorCode::invalid, "the store is a file path, not a URI: write `" +
                                             url.substr(5) + "`, or `./" + url +
                                             "` for a file of that very name");
    }
    return {};
}

Result<std::unique_ptr<Store>> open_store(const std::string& url, IfMissing if_missing) {
    if (is_url(url)) {
        return open_postgres_store({.url = url});
    }
    SEMEL_CHECK(check_store_path(url));
    if (if_missing == IfMissing::refuse) {
        SEMEL_CHECK(check_there(url));
    }
    SqliteOptions options;
    options.path = url;
    return open_sqlite_store(std::move(options));
}

Result<std::unique_ptr<Store>> open_fence_store(const std::string& url) {
    auto opened = open_redis_store({.url = url});
    if (!opened) {
        return Error(opened.error().code(),
                     opened.error().message() +
                         " (the policy says `stores.fence: redis`; with `main`, fences are kept in "
                         "the store with everything else)");
    }
    return opened;
}

Result<void> check_fence_store_url(const std::string& url) {
    SEMEL_CHECK(shown_redis_url(url));
    return {};
}

Result<SchemaVersions> inspect_schema(const std::string& url) {
    if (is_url(url)) {
        return inspect_postgres_schema(url);
    }
    SEMEL_CHECK(check_store_path(url));
    SEMEL_CHECK(check_there(url));
    return inspect_sqlite_schema(url);
}

Result<SchemaVersions> migrate_schema(const std::string& url) {
    if (is_url(url)) {
        return migrate_postgres_schema(url);
    }
    SEMEL_CHECK(check_store_path(url));
    SEMEL_CHECK(check_there(url));
    return migrate_sqlite_schema(url);
}

Result<std::unique_ptr<TransferSource>> open_transfer_source(const std::string& path,
                                                             const PageLimits& limits) {
    if (is_url(path)) {
        return Error(ErrorCode::invalid,
                     "rows are moved from an embedded store: give the path of its file");
    }
    SEMEL_CHECK(check_store_path(path));
    return sqlite::open_transfer_source(path, limits);
}

Result<std::unique_ptr<TransferTarget>> open_transfer_target(const std::string& url) {
    if (!is_url(url)) {
        return Error(ErrorCode::invalid,
                     "rows are moved to a PostgreSQL database: give its URL, like "
                     "postgres://user@host/db");
    }
    return postgres::open_transfer_target(url);
}

}  // namespace semel
