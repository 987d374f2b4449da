#include "cli/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace semel::cli {

namespace fs = std::filesystem;

Result<TemporaryFolder> TemporaryFolder::make(std::string_view prefix) {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) {
        return Error(ErrorCode::io_error, "TMPDIR cannot be used: " + error.message());
    }
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) {
        return Error(ErrorCode::io_error,
                     "cannot create a folder in " + parent.string() + ": " + std::strerror(errno));
    }
    return TemporaryFolder(std::move(name));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
        fs::remove_all(path_, ignored);
    }
}

void TemporaryFolder::clear() const {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
        fs::remove_all(entry.path(), ignored);
    }
}

}  // namespace semel::cli
