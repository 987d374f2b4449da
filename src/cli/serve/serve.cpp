// semel serve: the server and its start-up banner.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include "cli/api_client.hpp"
#include "cli/serve/log.hpp"
#include "cli/serve/running_server.hpp"
#include "cli/signals.hpp"
#include "cli/version.hpp"
#include "config/config.hpp"
#include "config/policy_file.hpp"
#include "runtime/open_store.hpp"
#include "store/postgres/postgres_url.hpp"

namespace semel::cli {

namespace {

struct ServeOptions {
    std::string config;
    std::string store;
    std::string listen;
    std::string log_level;
    // Of `semel gateway`:
    std::string upstream;
    std::string gateway_listen;
};

// Adds one route for every method and path.
Result<void> add_upstream(Config& config, const std::string& url) {
    if (!config.gateway.routes.empty()) {
        return Error(ErrorCode::invalid, "--upstream is for a gateway without routes, and " +
                                             config.file + " has `gateway.routes`");
    }
    GatewayRoute route;
    route.name = "default";
    route.path = "/*";
    route.upstream = url;
    route.idempotency_key = KeyRule{};
    config.gateway.routes.push_back(std::move(route));
    return {};
}

Result<Config> configure(const ServeOptions& options) {
    ConfigSources sources;
    sources.file = options.config;
    sources.environment = current_environment();
    sources.check_fence_store_url = &check_fence_store_url;
    const std::pair<const char*, const std::string&> flags[] = {
        {"store", options.store},
        {"listen", options.listen},
        {"gateway.listen", options.gateway_listen},
        {"log.level", options.log_level}};
    for (const auto& [key, value] : flags) {
        if (!value.empty()) {
            sources.flags[key] = value;
        }
    }
    SEMEL_TRY(config, load_config(sources));
    if (!options.upstream.empty()) {
        SEMEL_CHECK(add_upstream(config, options.upstream));
    }
    return config;
}

std::string describe_routes(const GatewayConfig& gateway) {
    const std::size_t count = gateway.routes.size();
    return count == 1 ? "to " + gateway.routes.front().upstream : std::to_string(count) + " routes";
}

void print_banner(Console& console, const Config& config, const RunningServer& server) {
    const StoreInfo store = server.store_info();
    const std::optional<StoreInfo> fences = server.fence_store_info();
    const std::string url = server.url();
    const std::string bearer =
        server.has_tokens() ? " -H \"authorization: Bearer $SEMEL_TOKEN\"" : "";
    const bool is_usual = url == "http://127.0.0.1:7363";
    console.out() << "Semel " << kVersion << "\n"
                  << "  store      " << store.location << " (" << store.kind
                  << "): " << store.durability << "\n"
                  << (fences ? "  fences     " + fences->location + " (" + fences->kind +
                                   "): " + fences->durability + "\n"
                             : "")
                  << "  API        " << url << "\n"
                  << (server.gateway_url().empty() ? ""
                                                   : "  gateway    " + server.gateway_url() + " (" +
                                                         describe_routes(config.gateway) + ")\n")
                  << "  config     " << (config.file.empty() ? "defaults" : config.file) << "\n"
                  << "  tokens     "
                  << (server.has_tokens() ? "required"
                                          : "none yet: anyone on this machine may do everything")
                  << "\n\ntry:\n"
                  << "  curl -s " << url << "/v1/actions" << bearer
                  << " -H 'content-type: application/json' \\\n"
                  << "    -d '{\"type\":\"hello\",\"payload\":{\"entityId\":\"1\"}}'\n"
                  << "  semel work --type hello --exec 'cat >&2'"
                  << (is_usual ? "" : " --url " + url) << "\n"
                  << std::flush;
}

std::string token_command(const Config& config) {
    return "semel token create --store " + postgres::shown(config.store) +
           " --name ops --scopes admin";
}

// Returns an error if the server must not start with this configuration.
Result<void> check_safety(const Config& config, const Store& store, bool has_tokens) {
    if (config.is_durability_strict && !store.info().is_durable) {
        return Error(ErrorCode::refused,
                     "`durability` is strict, and of this store " + store.info().durability);
    }
    if (!config.listen.is_loopback() && !has_tokens) {
        return Error(ErrorCode::refused,
                     "listening on " + config.listen.to_string() +
                         " needs an API token, since others can reach it. Make one first:\n  " +
                         token_command(config));
    }
    if (!config.listen.is_loopback() && !config.has_tls()) {
        spdlog::warn(
            "listening on {} without TLS: tokens and payloads cross the network in the "
            "clear; set tls.cert and tls.key",
            config.listen.to_string());
    }
    return {};
}

// Opens the Redis store for fences that the policy names. Resolves the URL's password first.
// Blocks.
Result<std::unique_ptr<Store>> open_redis_fences(const Policy& policy) {
    SEMEL_TRY(url, fence_store_url(policy));
    return open_fence_store(url);
}

int complain(Console& console, const Error& error, int code) {
    console.complain(error.message());
    return code;
}

int serve(Session& session, const ServeOptions& options) {
    Console& console = session.console;
    auto config = configure(options);
    if (!config) {
        return complain(console, config.error(), kUsage);
    }
    Signals signals;                                           // before the first thread
    const Log log(config->log_level, config->logs_decisions);  // goes last
    for (const std::string& warning : config->warnings) {
        spdlog::warn("{}", warning);
    }
    auto store = open_store(config->store);
    if (!store) {
        return complain(console, store.error(), exit_code_of(store.error()));
    }
    const auto tokens = count_tokens(**store);
    if (!tokens) {
        return complain(console, tokens.error(), kUnavailable);
    }
    if (const auto safe = check_safety(*config, **store, *tokens > 0); !safe) {
        return complain(console, safe.error(), kUsage);
    }
    std::unique_ptr<Store> fences;
    if (config->policy.fence_store == FenceStore::redis) {
        auto opened = open_redis_fences(config->policy);
        if (!opened) {
            return complain(console, opened.error(), exit_code_of(opened.error()));
        }
        fences = *std::move(opened);
    }
    auto server = RunningServer::start(*config, *std::move(store), std::move(fences));
    if (!server) {
        return complain(console, server.error(), exit_code_of(server.error()));
    }
    print_banner(console, *config, **server);
    spdlog::info("serving on {}", (*server)->url());
    static_cast<void>(signals.wait());
    exit_at_next_signal();
    spdlog::info("stopping: requests in progress are answered, running work has {} ms",
                 config->stop_grace.count());
    (*server)->stop();
    spdlog::info("stopped");
    return kOk;
}

void add_common(CLI::App& command, ServeOptions& options) {
    command.allow_extras();
    command.add_option("--config", options.config, "The YAML file")
        ->envname("SEMEL_CONFIG")
        ->type_name("FILE");
    command.add_option("--store", options.store, "The store's file (./semel.db)")
        ->type_name("PATH");
    command.add_option("--listen", options.listen, "Where the API listens (127.0.0.1:7363)")
        ->type_name("ADDR");
    command.add_option("--log-level", options.log_level, "debug, info, warn, error or off (info)")
        ->type_name("LEVEL");
}

}  // namespace

void add_serve(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("serve", "Run the server");
    command->footer(
        "\nA flag wins over the environment (SEMEL_STORE, SEMEL_LISTEN, …), that over the file.\n"
        "SIGTERM, SIGHUP or Ctrl-C stops gracefully; a second one at once.\n"
        "\nExamples:\n"
        "  semel serve\n"
        "  semel serve --store /var/lib/semel/semel.db --listen 127.0.0.1:7400\n"
        "  semel serve --config semel.yaml\n");
    auto options = std::make_shared<ServeOptions>();
    add_common(*command, *options);
    command->callback([&session, options] {
        session.run = [&session, options] { return serve(session, *options); };
    });
}

void add_gateway(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("gateway", "Run the server as a gateway in front of an HTTP service");
    command->footer(
        "\nRequests go to the upstream as they are. Of those with an Idempotency-Key, each is "
        "sent\n"
        "once: a repeat gets the stored answer. The API runs too, as with `semel serve`.\n"
        "\nExamples:\n"
        "  semel gateway --upstream http://127.0.0.1:9000\n"
        "  semel gateway --upstream https://api.example.com --gateway-listen 127.0.0.1:8080\n");
    auto options = std::make_shared<ServeOptions>();
    command->add_option("--upstream", options->upstream, "The URL of the service")
        ->type_name("URL")
        ->required();
    command
        ->add_option("--gateway-listen", options->gateway_listen,
                     "Where the gateway listens (127.0.0.1:7364)")
        ->type_name("ADDR");
    add_common(*command, *options);
    command->callback([&session, options] {
        session.run = [&session, options] { return serve(session, *options); };
    });
}

}  // namespace semel::cli
