// semel migrate: updates the schema of a store, or transfers an embedded store to PostgreSQL.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/progress_bar.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "config/config.hpp"
#include "core/json/json_writer.hpp"
#include "runtime/open_store.hpp"
#include "store/postgres/postgres_url.hpp"

namespace semel::cli {

namespace {

constexpr int kWouldChange = kRefused;  // --check: there is something to do
constexpr std::string_view kConfigVariable = "SEMEL_CONFIG=";
constexpr std::size_t kHashShown = 12;  // characters, for people

struct MigrateOptions {
    std::string config;
    std::string store;
    std::string from;
    std::string to;
    bool check = false;
    bool as_json = false;
};

int complain(Console& console, const Error& error) {
    console.complain(error.message());
    switch (error.code()) {
        case ErrorCode::invalid: return kUsage;
        case ErrorCode::refused: return kConflict;
        default: return kUnavailable;  // also a missing store, as in all commands
    }
}

// Returns the URL without its password.
std::string shown(const std::string& url) {
    return printable(postgres::shown(url));
}

// ---- the schema -------------------------------------------------------------------------------

Result<std::string> store_of(const MigrateOptions& options) {
    ConfigSources sources;
    sources.file = options.config;
    sources.environment = current_environment();
    sources.check_fence_store_url = &check_fence_store_url;
    if (!options.store.empty()) {
        sources.flags["store"] = options.store;
    }
    for (const std::string& variable : sources.environment) {
        if (sources.file.empty() && variable.starts_with(kConfigVariable)) {
            sources.file = variable.substr(kConfigVariable.size());
        }
    }
    const auto config = load_config(sources);
    if (!config) {
        return Error(ErrorCode::invalid, config.error().message());
    }
    return config->store;
}

std::string describe_versions(const SchemaVersions& versions, bool check) {
    if (versions.is_current()) {
        return fmt::format("the schema has version {}: nothing to do", versions.from);
    }
    if (versions.from == 0) {
        return fmt::format("{} the schema, version {}", check ? "would make" : "made", versions.to);
    }
    return fmt::format("{} the schema from version {} to {}", check ? "would migrate" : "migrated",
                       versions.from, versions.to);
}

int migrate_schema_of_store(Session& session, const MigrateOptions& options) {
    Console& console = session.console;
    const auto store = store_of(options);
    if (!store) {
        return complain(console, store.error());
    }
    const auto versions = options.check ? inspect_schema(*store) : migrate_schema(*store);
    if (!versions) {
        return complain(console, versions.error());
    }
    if (options.as_json) {
        JsonWriter out;
        out.begin_object().member("store", shown(*store));
        out.member("from", versions->from).member("to", versions->to);
        console.out() << out.end_object().take() << "\n";
    } else {
        console.out() << shown(*store) << ": " << describe_versions(*versions, options.check)
                      << "\n";
    }
    return options.check && !versions->is_current() ? kWouldChange : kOk;
}

// ---- everything, to another store -------------------------------------------------------------

void write_tables(JsonWriter& out, const StoreTally& tally) {
    out.begin_object("tables");
    for (const TableTally& table : tally.tables()) {
        out.begin_object(table.name).member("rows", table.tally.rows);
        out.member("hash", table.tally.sum.to_hex()).end_object();
    }
    out.end_object();
}

void report_json(Console& console, const MigrateOptions& options, const TransferReport& report) {
    JsonWriter out;
    out.begin_object().member("from", options.from).member("to", shown(options.to));
    if (report.finished_before) {
        out.member("finishedBefore", format_rfc3339(*report.finished_before));
    } else {
        write_tables(out, report.tally);
    }
    console.out() << out.end_object().take() << "\n";
}

void report_text(Console& console, const MigrateOptions& options, const TransferReport& report) {
    const std::string from = printable(options.from);
    if (report.finished_before) {
        console.out() << from << " was moved to " << shown(options.to) << " at "
                      << format_rfc3339(*report.finished_before) << ": nothing to do\n";
        return;
    }
    Table table({"TABLE", "ROWS", "HASH"});
    for (const TableTally& moved : report.tally.tables()) {
        table.add({std::string(moved.name), std::to_string(moved.tally.rows),
                   moved.tally.sum.to_hex().substr(0, kHashShown)});
    }
    table.print(console);
    console.out() << "moved " << from << " to " << shown(options.to)
                  << ": every row was read back from both, and is the same\n"
                  << from << " is as it was: keep it as a backup, and do not serve it again\n";
}

int say_what_would_be_transferred(Console& console, const MigrateOptions& options,
                                  const TransferOrigin& origin, const TransferState& state) {
    const std::int64_t left = std::max<std::int64_t>(origin.rows - state.rows, 0);
    if (options.as_json) {
        JsonWriter out;
        out.begin_object().member("from", options.from).member("to", shown(options.to));
        out.member("begun", state.started_at.has_value());
        out.member("finished", state.finished_at.has_value());
        out.member("rowsLeft", state.finished_at ? 0 : left);
        console.out() << out.end_object().take() << "\n";
    } else if (state.finished_at) {
        report_text(console, options, {.finished_before = state.finished_at, .tally = {}});
    } else {
        console.out() << (state.started_at ? "would go on: " : "would move ") << left
                      << (state.started_at ? " more rows" : " rows") << " from "
                      << printable(options.from) << " to " << shown(options.to) << "\n";
    }
    return state.finished_at ? kOk : kWouldChange;
}

int transfer_store(Session& session, const MigrateOptions& options) {
    Console& console = session.console;
    Signals signals;  // before the first thread
    auto source = open_transfer_source(options.from);
    if (!source) {
        return complain(console, source.error().prefixed("--from"));
    }
    auto target = open_transfer_target(options.to);
    if (!target) {
        return complain(console, target.error().prefixed("--to"));
    }
    if (options.check) {
        const auto state = (*target)->inspect((*source)->origin());
        return state ? say_what_would_be_transferred(console, options, (*source)->origin(), *state)
                     : complain(console, state.error());
    }
    std::optional<int> signal;
    ProgressBar bar(console.err(), !options.as_json && isatty(STDERR_FILENO) == 1);
    const auto report = transfer_rows(**source, **target, [&](std::string_view what, double part) {
        bar.show(what, part);
        signal = signals.wait(Millis(0));
        return !signal;
    });
    bar.clear();
    if (signal) {
        console.complain("stopped; the same command goes on from here");
        return 128 + *signal;
    }
    if (!report) {
        return complain(console, report.error());
    }
    options.as_json ? report_json(console, options, *report)
                    : report_text(console, options, *report);
    return kOk;
}

// ---- the command ------------------------------------------------------------------------------

int migrate(Session& session, const MigrateOptions& options) {
    const bool moves = !options.from.empty() || !options.to.empty();
    if (!moves) {
        return migrate_schema_of_store(session, options);
    }
    if (options.from.empty() || options.to.empty()) {
        session.console.complain("--from and --to belong together: from which file, to which URL");
        return kUsage;
    }
    if (!options.store.empty() || !options.config.empty()) {
        session.console.complain(
            "--store and --config are for a schema; to move a store, --from and --to say all");
        return kUsage;
    }
    return transfer_store(session, options);
}

}  // namespace

void add_migrate(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("migrate", "Bring a schema up to date, or move to PostgreSQL");
    command->allow_extras();
    auto options = std::make_shared<MigrateOptions>();
    command->footer(
        "\nWithout --from: applies what the schema of a store is missing, as `semel serve` does "
        "when it\n"
        "starts. With it: moves everything from an embedded store that nobody has open to a "
        "database\n"
        "that is empty. A move that was cut off goes on with the same command.\n"
        "\nExamples:\n"
        "  semel migrate --store postgres://semel@db/app\n"
        "  semel migrate --store ./semel.db --check          ends with 1 if there is something to "
        "do\n"
        "  semel migrate --from ./semel.db --to postgres://semel@db/app\n");
    command->add_option("--store", options->store, "The store (as `semel serve` finds it)")
        ->type_name("PATH|URL");
    command->add_option("--config", options->config, "The YAML file that names the store")
        ->type_name("FILE");
    command->add_option("--from", options->from, "Move from this embedded store")
        ->type_name("PATH");
    command->add_option("--to", options->to, "Move to this database")->type_name("URL");
    command->add_flag("--check", options->check, "Change nothing; say what would be done");
    command->add_flag("--json", options->as_json, "Print JSON for scripts");
    command->callback([&session, options] {
        session.run = [&session, options] { return migrate(session, *options); };
    });
}

}  // namespace semel::cli
