// semel restore FILE --store PATH: replaces a store by a backup.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/session.hpp"
#include "cli/store_facts.hpp"
#include "store/postgres/postgres_url.hpp"
#include "store/sqlite/store_restore.hpp"

namespace semel::cli {

namespace {

struct RestoreOptions {
    std::string file;
    std::string store;
    bool force = false;
    bool as_json = false;
};

int exit_code_of_restore(const Error& error) {
    switch (error.code()) {
        case ErrorCode::invalid: return kUsage;
        case ErrorCode::corrupt:
        case ErrorCode::refused: return kRefused;
        case ErrorCode::not_found: return kNotFound;
        default: return kUnavailable;
    }
}

void report(Console& console, const RestoreOptions& options, const sqlite::Restored& restored) {
    if (options.as_json) {
        JsonWriter out;
        out.begin_object().member("store", options.store).member("file", options.file);
        write_members(out, restored.facts);
        if (restored.kept_aside.empty()) {
            out.member_null("keptAside");
        } else {
            out.member("keptAside", restored.kept_aside);
        }
        console.out() << out.end_object().take() << "\n";
        return;
    }
    console.out() << "restored " << printable(options.store) << " from " << printable(options.file)
                  << ": " << describe(restored.facts) << "\n";
    if (!restored.kept_aside.empty()) {
        console.out() << "the store that was there is " << printable(restored.kept_aside) << "\n";
    }
    console.out() << "what was done after the backup is forgotten, and may be done again\n";
}

int restore(Session& session, const RestoreOptions& options) {
    if (options.store.find("://") != std::string::npos || postgres::is_keywords(options.store) ||
        postgres::is_half_url(options.store)) {
        session.console.complain("--store is the path of an embedded store, like ./semel.db");
        return kUsage;
    }
    const auto restored = sqlite::restore_store(
        {.file = options.file,
         .path = options.store,
         .replaces = options.force,
         .wall_clock = std::chrono::floor<Millis>(std::chrono::system_clock::now())});
    if (!restored) {
        session.console.complain(restored.error().message());
        return exit_code_of_restore(restored.error());
    }
    report(session.console, options, *restored);
    return kOk;
}

}  // namespace

void add_restore(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("restore", "Put a backup in an embedded store's place");
    command->allow_extras();
    auto options = std::make_shared<RestoreOptions>();
    command->footer(
        "\nThe server must be stopped. What was done after the backup is forgotten: jobs that "
        "ended\n"
        "and fences sealed since may be done again, and tokens deleted since are valid again.\n"
        "\nExamples:\n"
        "  semel restore monday.db --store ./semel.db\n"
        "  semel restore monday.db --store ./semel.db --force    keeps the old one beside it\n");
    command->add_option("FILE", options->file, "The backup; it stays as it is")->required();
    command->add_option("--store", options->store, "The store's file")
        ->required()
        ->type_name("PATH");
    command->add_flag("--force", options->force,
                      "Where there is a store: keep it as PATH.before-restore-TIME");
    command->add_flag("--json", options->as_json, "Print JSON for scripts");
    command->callback([&session, options] {
        session.run = [&session, options] { return restore(session, *options); };
    });
}

}  // namespace semel::cli
