#include "store/sqlite/store_copier.hpp"

#include <algorithm>
#include <filesystem>

#include <sqlite3.h>

#include "base/random.hpp"
#include "base/text.hpp"

namespace semel::sqlite {
namespace {

constexpr std::size_t kCopiesWaitingMax = 4;  // each needs the store's size on the disk
constexpr int kPagesPerStep = 256;            // 1 MiB: how soon an unwanted copy ends
constexpr std::string_view kMark = ".copying-";
constexpr std::size_t kRandomBytes = 8;

std::string copy_name(const std::string& path) {
    const std::string bytes = random_bytes(kRandomBytes);
    return path + std::string(kMark) +
           to_hex(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

// Returns true if copy_name can have made this name for the store.
bool is_copy_name(std::string_view name, std::string_view store) {
    if (!name.starts_with(store)) {
        return false;
    }
    name.remove_prefix(store.size());
    if (!name.starts_with(kMark)) {
        return false;
    }
    name.remove_prefix(kMark.size());
    return name.size() == 2 * kRandomBytes &&
           name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Deletes the name of the file in its destructor.
class Named {
public:
    explicit Named(std::string path) : path_(std::move(path)) {}
    ~Named() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    const std::string path_;
};

Error no_longer_wanted() {
    return {ErrorCode::stopped, "the copy is no longer wanted"};
}

// The target is a new file of this process only, so it needs neither a journal nor locks.
Result<std::unique_ptr<Connection>> open_target(const std::string& path, const std::string& vfs) {
    ConnectionOptions options;
    options.path = path;
    options.access = Access::fill;
    options.vfs = vfs;
    return Connection::open(options);
}

// REQUIRES: `from` is in a transaction, so that every step reads the same snapshot.
Result<void> copy_pages(Connection& from, Connection& to, const IsWanted& is_wanted) {
    sqlite3_backup* backup = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
    if (backup == nullptr) {
        to.keep_failure(sqlite3_errcode(to.handle()), "backup");
        return to.outcome();
    }
    int step = SQLITE_OK;
    bool wanted = true;
    while (step == SQLITE_OK && wanted) {
        step = sqlite3_backup_step(backup, kPagesPerStep);
        wanted = is_wanted();
    }
    const int finished = sqlite3_backup_finish(backup);
    if (step == SQLITE_DONE && finished == SQLITE_OK) {
        return {};
    }
    if (!wanted) {
        return no_longer_wanted();
    }
    to.keep_failure(finished == SQLITE_OK ? step : finished, "backup");
    return to.outcome();
}

}  // namespace

StoreCopier::StoreCopier(ConnectionOptions options)
    : options_(std::move(options)), files_(options_.path), thread_(kCopiesWaitingMax) {}

StoreCopier::~StoreCopier() {
    is_ending_ = true;
}

void StoreCopier::copy(IsWanted is_wanted, const Done<OpenFile>& done) {
    const bool posted = thread_.post([this, is_wanted = std::move(is_wanted), done] {
        const IsWanted goes_on = [this, &is_wanted] { return !is_ending_ && is_wanted(); };
        done(goes_on() ? make_copy(goes_on) : Result<OpenFile>(no_longer_wanted()));
    });
    if (!posted) {
        done(Error(ErrorCode::overloaded, "too many copies of the store are waiting; try again"));
    }
}

Result<OpenFile> StoreCopier::make_copy(const IsWanted& is_wanted) {
    SEMEL_CHECK(files_.check());
    const Named target(copy_name(options_.path));
    if (auto made = NewFile::create(target.path()); !made) {
        return made.error();
    }
    SEMEL_TRY(from, Connection::open(options_));
    // A snapshot begins with the first read.
    SEMEL_CHECK(from->execute("begin; select count(*) from meta"));
    SEMEL_TRY(to, open_target(target.path(), options_.vfs));
    SEMEL_CHECK(copy_pages(*from, *to, is_wanted));
    to.reset();
    return OpenFile::open(target.path());
}

void StoreCopier::sweep(const std::string& path) {
    std::error_code ignored;
    const std::filesystem::path store = std::filesystem::absolute(path, ignored);
    const std::string name = store.filename();
    for (const auto& entry : std::filesystem::directory_iterator(store.parent_path(), ignored)) {
        if (is_copy_name(entry.path().filename().string(), name)) {
            std::filesystem::remove(entry.path(), ignored);
        }
    }
}

}  // namespace semel::sqlite
