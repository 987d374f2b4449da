// Loads the configuration of `semel serve`. A flag has priority over the environment, the
// environment over the file, the file over the default. docs/reference/config.md lists every key.
//
// Errors: see load_config().
// Threads: one at a time, because the environment is read. A Config is a plain value.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/gateway_config.hpp"
#include "config/listen_address.hpp"
#include "config/policy_file.hpp"
#include "core/fences/policy_check.hpp"
#include "core/settings.hpp"

namespace semel {

// Known keys that the server of this version does not support. Only `semel check` reads them.
struct UntakenKeys {
    std::vector<std::string> paths;  // like handlers, or gateway.routes.a.guard
    std::vector<CheckedSource> sources;
};

struct Config {
    std::string store = "./semel.db";
    ListenAddress listen{"127.0.0.1", 7363};
    bool is_durability_strict = false;
    std::string tls_cert;
    std::string tls_key;
    std::vector<std::string> hosts;
    Settings settings;
    Policy policy;            // the source of `settings.fences`
    std::string policy_file;  // empty: none
    GatewayConfig gateway;
    std::vector<CheckedRoute> checked_routes;  // the same routes, for `semel check`
    std::string cron_secret;                   // empty: the cron trigger is off
    int concurrency = 64;
    Millis stop_grace = std::chrono::seconds(10);
    std::string log_level = "info";
    bool logs_decisions = true;

    UntakenKeys untaken;  // empty with refuses_findings, which makes such a key an error

    std::string file;                   // the file that was read; empty: none
    std::vector<std::string> warnings;  // for the log, which starts later

    [[nodiscard]] bool has_tls() const { return !tls_cert.empty(); }
};

// The places that settings come from.
struct ConfigSources {
    std::string file;                          // --config; empty: none
    std::map<std::string, std::string> flags;  // by key: {"store", "./semel.db"}
    std::vector<std::string> environment;      // NAME=value
    // true: an error that `semel check` would find is refused, with its text, and so is a key that
    // the server does not support. false: the caller shows these findings.
    bool refuses_findings = true;
    // Null: the URL of a policy's store of fences is not checked.
    CheckUrl check_fence_store_url = nullptr;
};

// Reads the file, the environment and the flags. REQUIRES: each flag is a known key.
// Errors: one line with the place (file:line:column, variable or flag), the fact and the remedy.
[[nodiscard]] Result<Config> load_config(const ConfigSources& sources);

// Returns the part of a configuration that `semel check` inspects.
[[nodiscard]] CheckedSetup setup_of(const Config& config);

// Returns this process's environment, as NAME=value.
[[nodiscard]] std::vector<std::string> current_environment();

}  // namespace semel
