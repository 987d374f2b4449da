// semel backup FILE: a consistent copy of an embedded store, while it runs or from its file.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "base/file.hpp"
#include "cli/api_client.hpp"
#include "cli/byte_progress.hpp"
#include "cli/store_facts.hpp"

namespace semel::cli {

namespace {

namespace fs = std::filesystem;

// The timeout for the server's copy, during which it sends nothing, and then for each piece.
constexpr Millis kBackupPatience = std::chrono::hours(1);

struct BackupOptions {
    CommonOptions common;
    std::string file;
    bool force = false;
};

// Returns true if the file is a store or belongs to one. A lock file next to it shows that. A
// backup must not overwrite such a file.
bool is_of_a_store(const std::string& file) {
    std::error_code ignored;
    const fs::path real = fs::weakly_canonical(file, ignored);
    std::string base = real.empty() ? file : real.string();
    for (const std::string_view suffix : {"-wal", "-shm", ".lock"}) {
        if (base.ends_with(suffix)) {
            base.resize(base.size() - suffix.size());
            break;
        }
    }
    return fs::exists(base, ignored) && fs::exists(base + ".lock", ignored);
}

// Checks the target before the first byte is copied.
Result<void> check_target(const BackupOptions& options) {
    std::error_code ignored;
    const std::string& file = options.file;
    if (fs::is_directory(file, ignored)) {
        return Error(ErrorCode::invalid, file + " is a folder: name a file in it");
    }
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
        return Error(ErrorCode::invalid, "cannot write " + file + ": it is not a file");
    }
    if (is_of_a_store(file)) {
        return Error(ErrorCode::invalid,
                     file + " is a store, or belongs to one: choose another name for its backup");
    }
    const fs::path folder = fs::absolute(file, ignored).parent_path();
    if (!fs::is_directory(folder, ignored)) {
        return Error(ErrorCode::invalid,
                     "cannot write " + file + ": there is no folder " + folder.string());
    }
    if (fs::exists(fs::symlink_status(file, ignored)) && !options.force) {
        return Error(ErrorCode::refused,
                     file + " is there already: choose another name, or replace it with --force");
    }
    return {};
}

// The backup file until it is complete and checked. It is named FILE.part. An interrupted backup
// leaves this file, and the next backup replaces it.
class Part {
public:
    explicit Part(const std::string& file) : path_(file + ".part") {}
    ~Part() {
        std::error_code ignored;
        if (is_ours_) fs::remove(path_, ignored);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    Result<NewFile> create() {
        auto made = NewFile::create(path_);
        is_ours_ = made.has_value();
        return made;
    }
    Result<void> rename_to(const std::string& file) {
        if (std::rename(path_.c_str(), file.c_str()) != 0) {
            return file_error("write", file, errno);
        }
        is_ours_ = false;
        return sync_folder_of(file);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    const std::string path_;
    bool is_ours_ = false;
};

void report(Console& console, const BackupOptions& options, const sqlite::StoreFileFacts& facts) {
    if (options.common.as_json) {
        JsonWriter out;
        out.begin_object().member("file", options.file);
        write_members(out, facts);
        console.out() << out.end_object().take() << "\n";
    } else {
        console.out() << "wrote " << printable(options.file) << ": " << describe(facts)
                      << "; every page was checked\n";
    }
}

int complain(Console& console, const Error& error) {
    console.complain(error.message());
    switch (error.code()) {
        case ErrorCode::invalid: return kUsage;
        case ErrorCode::refused: return kRefused;
        default: return kUnavailable;
    }
}

int fetch(Console& console, const CommonOptions& common, ByteProgress& progress, NewFile& into) {
    ApiCall call;
    call.target = "/v1/backup";
    call.timeout = kBackupPatience;
    ApiClient client(console, common);
    progress.say("copying the store …");
    std::uint64_t received = 0;
    return client.download(call, [&](std::string_view piece, std::optional<std::uint64_t> size) {
        received += piece.size();
        progress.moved(received, size);
        return into.write(piece);
    });
}

// Syncs and checks the fetched copy, and then gives it its name.
Result<sqlite::StoreFileFacts> finish(const BackupOptions& options, NewFile& file, Part& part) {
    SEMEL_CHECK(file.sync());
    auto facts = sqlite::inspect_store(part.path(), {});
    if (!facts) {
        return facts.error().prefixed("the copy is not good and was not kept");
    }
    SEMEL_CHECK(part.rename_to(options.file));
    return facts;
}

int back_up(Session& session, const BackupOptions& options) {
    Console& console = session.console;
    if (const auto target = check_target(options); !target) {
        return complain(console, target.error());
    }
    Part part(options.file);
    auto file = part.create();
    if (!file) {
        return complain(console, file.error());
    }
    std::optional<ByteProgress> progress(std::in_place, console.err(),
                                         isatty(STDERR_FILENO) != 0 && !options.common.as_json);
    if (const int fetched = fetch(console, options.common, *progress, *file); fetched != kOk) {
        return fetched;
    }
    progress->say("checking every page …");
    const auto facts = finish(options, *file, part);
    progress.reset();
    if (!facts) {
        return complain(console, facts.error());
    }
    report(console, options, *facts);
    return kOk;
}

}  // namespace

void add_backup(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("backup", "Copy an embedded store, also while it runs");
    auto options = std::make_shared<BackupOptions>();
    add_common_options(*command, options->common);
    command->footer(
        "\nThe copy is of one moment, and is checked before it gets its name. It holds "
        "everything:\n"
        "the file is for its owner alone (0600), and the server asks for an admin token.\n"
        "\nExamples:\n"
        "  semel backup /backups/semel.db\n"
        "  semel backup monday.db --store ./semel.db\n");
    command->add_option("FILE", options->file, "Where to write it")->required();
    command->add_flag("--force", options->force, "Replace a file that is there");
    command->callback([&session, options] {
        session.run = [&session, options] { return back_up(session, *options); };
    });
}

}  // namespace semel::cli
