// The configuration of `semel serve`: a flag wins over the environment, that over the file, and
// that over the default. docs/reference/config.md lists every key.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/listen_address.hpp"
#include "config/policy_file.hpp"
#include "core/policy_check.hpp"
#include "core/settings.hpp"

namespace semel {

// Keys of the contract that the server of this version does not take, for `semel check` alone.
struct UntakenKeys {
    std::vector<std::string> paths;  // as the file has them: gateway.routes
    std::vector<CheckedSource> sources;
    std::vector<CheckedRoute> routes;
};

struct Config {
    std::string store = "./semel.db";
    ListenAddress listen{"127.0.0.1", 7363};
    bool is_durability_strict = false;
    std::string tls_cert;
    std::string tls_key;
    std::vector<std::string> hosts;
    Settings settings;
    Policy policy;            // what `settings.fences` was made from
    std::string policy_file;  // empty: none
    std::string cron_secret;  // empty: none
    int concurrency = 64;
    Millis stop_grace = std::chrono::seconds(10);
    std::string log_level = "info";
    bool logs_decisions = true;

    UntakenKeys untaken;  // empty where findings are refused: there a key of these is an error

    std::string file;                   // where it was read from; empty: no file
    std::vector<std::string> warnings;  // for the log, once there is one

    [[nodiscard]] bool has_tls() const { return !tls_cert.empty(); }
};

struct ConfigSources {
    std::string file;                          // --config; empty: none
    std::map<std::string, std::string> flags;  // by key: {"store", "./semel.db"}
    std::vector<std::string> environment;      // NAME=value
    // What `semel check` finds wrong is refused, with its words, and so is a key that the server
    // does not take. False: whoever asks shows it.
    bool refuses_findings = true;
    // Null: the URL of a policy's store of fences is not checked.
    CheckUrl check_fence_store_url = nullptr;
};

// Every error is one line that says where (file:line:column, variable or flag), what and what
// would be right.
[[nodiscard]] Result<Config> load_config(const ConfigSources& sources);

// What of a configuration `semel check` looks at.
[[nodiscard]] CheckedSetup setup_of(const Config& config);

// This process's environment, as NAME=value.
[[nodiscard]] std::vector<std::string> current_environment();

}  // namespace semel
