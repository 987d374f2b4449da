#include "runtime/open_store.hpp"

#include <filesystem>

#include "store/sqlite/sqlite_store.hpp"

namespace semel {

Result<std::unique_ptr<Store>> open_store(const std::string& url, IfMissing if_missing) {
    if (url.empty()) {
        return Error(ErrorCode::invalid, "the store is a file path, like ./semel.db");
    }
    const std::size_t scheme = url.find("://");
    if (scheme != std::string::npos) {
        return Error(ErrorCode::invalid,
                     "no store for `" + url.substr(0, scheme) +
                         "://` in this build; give a file path, like ./semel.db");
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
