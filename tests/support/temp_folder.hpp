// TempFolder: a folder of its own for a test, gone when the test is over.
#pragma once

#include <filesystem>
#include <string>

#include <stdlib.h>

#include "base/assert.hpp"

namespace semel::test {

class TempFolder {
public:
    TempFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "semel-test-XXXXXX").string();
        SEMEL_ASSERT(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }
    [[nodiscard]] std::string path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace semel::test
