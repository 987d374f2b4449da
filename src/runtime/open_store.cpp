#include "runtime/open_store.hpp"

#include "store/sqlite/sqlite_store.hpp"

namespace semel {

Result<std::unique_ptr<Store>> open_store(const std::string& url) {
    if (url.empty()) {
        return Error(ErrorCode::invalid, "the store is a file path, like ./semel.db");
    }
    const std::size_t scheme = url.find("://");
    if (scheme != std::string::npos) {
        return Error(ErrorCode::invalid,
                     "no store for `" + url.substr(0, scheme) +
                         "://` in this build; give a file path, like ./semel.db");
    }
    SqliteOptions options;
    options.path = url;
    return open_sqlite_store(std::move(options));
}

}  // namespace semel
