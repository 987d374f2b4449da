// semel doctor: checks a server, a store or a configuration, and advises. Changes nothing.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/api_client.hpp"
#include "cli/doctor/checkup.hpp"
#include "cli/doctor/machine_checks.hpp"
#include "cli/doctor/server_checks.hpp"
#include "cli/doctor/store_checks.hpp"
#include "config/config.hpp"
#include "config/policy_file.hpp"
#include "runtime/open_store.hpp"
#include "store/postgres/postgres_url.hpp"
#include "store/redis/redis_store.hpp"

namespace semel::cli {

namespace {

struct DoctorOptions {
    CommonOptions common;
    std::string config;
    bool names_server = false;  // by --url or its variable
};

std::optional<Config> check_config(Checkup& checkup, const std::string& file) {
    ConfigSources sources;
    sources.file = file;
    sources.environment = current_environment();
    sources.check_fence_store_url = &check_fence_store_url;
    auto config = load_config(sources);
    if (!config) {
        checkup.bad("config", config.error().message(), "docs/reference/config.md lists every key");
        return std::nullopt;
    }
    for (const std::string& warning : config->warnings) {
        checkup.warn("config", warning, "mend the name, or leave it out");
    }
    if (config->warnings.empty()) {
        checkup.good("config", file + " is valid");
    }
    return std::move(config).value();
}

// Checks the separate store for fences, if the policy names one.
void check_fences(Checkup& checkup, const Policy& policy) {
    if (policy.fence_store != FenceStore::redis) {
        return;
    }
    const auto url = fence_store_url(policy);
    const auto inspection = url ? inspect_redis(*url) : Result<RedisInspection>(url.error());
    if (!inspection) {
        checkup.bad("fences", inspection.error().message(),
                    "start Redis, or mend `stores.url` of the policy");
        return;
    }
    checkup.good("fences", inspection->info.location + " (redis): " + inspection->info.durability);
    for (const StoreWarning& warning : inspection->warnings) {
        checkup.warn("fences", warning.detail, warning.fix);
    }
}

// Checks the store and the server of the given configuration, otherwise the named store or server,
// otherwise the default server.
void inspection(Checkup& checkup, const DoctorOptions& options, Time now) {
    ConnectionOptions connection = options.common.connection;
    std::optional<Config> config;
    std::string store = std::exchange(connection.store, "");
    bool asks_server = store.empty();
    if (!options.config.empty()) {
        config = check_config(checkup, options.config);
        if (config && store.empty()) {
            store = config->store;
        }
        if (config && !options.names_server) {
            connection.url =
                (config->has_tls() ? "https://" : "http://") + config->listen.reachable();
        }
        asks_server = asks_server && (config || options.names_server);
    }
    check_descriptors(checkup);
    if (postgres::is_url(store)) {
        check_postgres_store(checkup, store);
    } else if (const auto path = check_store_path(store); !store.empty() && !path) {
        checkup.bad("store", path.error().message(), "name the store as `semel serve` is told");
    } else if (!store.empty()) {
        check_store(checkup, store, now, config);
    }
    if (config) {
        check_fences(checkup, config->policy);
    }
    if (asks_server) {
        check_server(checkup, connection, now);
    }
}

int doctor(Session& session, const DoctorOptions& options) {
    Checkup checkup;
    inspection(checkup, options, std::chrono::floor<Millis>(std::chrono::system_clock::now()));
    if (options.common.as_json) {
        session.console.out() << checkup.to_json() << "\n";
    } else {
        checkup.print(session.console);
    }
    return checkup.has_bad() ? kRefused : kOk;
}

}  // namespace

void add_doctor(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("doctor", "Check a server, a store or a configuration");
    auto options = std::make_shared<DoctorOptions>();
    add_common_options(*command, options->common);
    command->footer(
        "\n✓ good, ! somebody should look at it, ✗ does not work. Exit code 1 if there is a ✗.\n"
        "Nothing is changed. --store also works while a server has the store open.\n"
        "\nExamples:\n"
        "  semel doctor                          the server on 127.0.0.1:7363\n"
        "  semel doctor --store ./semel.db       a store's file: integrity, disk, permissions\n"
        "  semel doctor --store postgres://semel@db/app      a database: schema, rights, "
        "durability\n"
        "  semel doctor --config semel.yaml      the file, its store and its server\n");
    command->add_option("--config", options->config, "The server's YAML file")->type_name("FILE");
    const CLI::Option* url = command->get_option("--url");
    command->callback([&session, options, url] {
        options->names_server = url->count() > 0;
        session.run = [&session, options] { return doctor(session, *options); };
    });
}

}  // namespace semel::cli
