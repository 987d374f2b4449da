#include "runtime/open_store.hpp"

#include <filesystem>

#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace semel {

Result<std::unique_ptr<Store>> open_store(const std::string& url, IfMissing if_missing) {
    if (url.empty()) {
        return Error(ErrorCode::invalid, "the store is a file path, like ./semel.db");
    }
    if (url.starts_with("postgres://") || url.starts_with("postgresql://")) {
        return open_postgres_store({.url = url});
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
    std::error_code error;
    if (if_missing == IfMissing::refuse && !std::filesystem::exists(url, error)) {
        return Error(ErrorCode::not_found, "there is no store " + url +
                                               ": look at the path; `semel serve --store " + url +
                                               "` would make one");
    }
    SqliteOptions options;
    options.path = url;
    return open_sqlite_store(std::move(options));
}

}  // namespace semel
