// PassingVfs: SQLite's door to the disk. Every call goes through to the operating system, past a
// function that a test may put in its way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace semel::test {

class PassingVfs {
public:
    struct File {
        std::string path;  // empty: one without a name
        bool is_log;       // its name ends in -wal
    };

    // Registered under `name` while it lives. One at a time.
    explicit PassingVfs(std::string name);
    virtual ~PassingVfs();
    PassingVfs(const PassingVfs&) = delete;
    PassingVfs& operator=(const PassingVfs&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }

    // Asked before a call goes through. Anything but SQLITE_OK (0) is its answer instead. On any
    // thread.
    [[nodiscard]] virtual int before_open(const File&) { return 0; }
    [[nodiscard]] virtual int before_read(const File&) { return 0; }
    [[nodiscard]] virtual int before_write(const File&, std::int64_t /*at*/, std::string_view) {
        return 0;
    }
    [[nodiscard]] virtual int before_truncate(const File&, std::int64_t /*size*/) { return 0; }
    [[nodiscard]] virtual int before_sync(const File&) { return 0; }
    [[nodiscard]] virtual int before_delete(const std::string& /*path*/) { return 0; }
    // Whether a sync goes through, after all. It is slow.
    [[nodiscard]] virtual bool syncs() const { return true; }
    // Asked as a file is opened.
    [[nodiscard]] virtual bool shares_memory() const { return true; }

private:
    const std::string name_;
};

}  // namespace semel::test
