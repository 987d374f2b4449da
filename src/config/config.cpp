#include "config/config.hpp"

#include <algorithm>

#include <unistd.h>

#include "base/text.hpp"
#include "config/files.hpp"
#include "config/keys.hpp"
#include "config/reader.hpp"

namespace semel {

namespace {

constexpr std::size_t kConfigBytesMax = 1024 * 1024;

// An empty text is an empty list. The key refuses an empty item.
std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> items;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        items.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return items;
}

void add(SettingsByKey& settings, const ConfigKey& key, const std::string& value,
         std::string source) {
    Setting setting;
    setting.items = key.shape == Shape::list ? split_at_commas(value) : std::vector{value};
    setting.source = std::move(source);
    settings.insert_or_assign(std::string(key.path), std::move(setting));
}

// Warns of variables that resemble a known name. Other unknown variables belong to other programs.
void warn_of_near_misses(const std::string& name, Config& config) {
    if (!name.starts_with("SEMEL_")) {
        return;
    }
    std::vector<std::string> known = {"SEMEL_CONFIG", "SEMEL_URL", "SEMEL_TOKEN", "SEMEL_TENANT"};
    for (const ConfigKey& key : config_keys()) {
        known.push_back(environment_name(key.path));
    }
    const auto near = nearest(name, known);
    if (near && *near != name) {
        config.warnings.push_back("the environment variable " + name +
                                  " is not a setting; did you mean " + *near + "?");
    }
}

Result<void> add_environment(const std::vector<std::string>& environment, SettingsByKey& settings,
                             Config& config) {
    for (const std::string& entry : environment) {
        const std::size_t equals = entry.find('=');
        if (equals == std::string::npos) {
            continue;
        }
        const std::string name = entry.substr(0, equals);
        bool is_known = false;
        for (const ConfigKey& key : config_keys()) {
            if (name != environment_name(key.path)) {
                continue;
            }
            is_known = true;
            if (equals + 1 == entry.size()) {
                return Error(ErrorCode::invalid, name + " is empty; `" + std::string(key.path) +
                                                     "` must be " + std::string(key.expects));
            }
            add(settings, key, entry.substr(equals + 1), name);
        }
        if (!is_known) {
            warn_of_near_misses(name, config);
        }
    }
    return {};
}

Error refused(const std::string& path, const Setting& setting, const Error& why) {
    return {ErrorCode::invalid, setting.source + ": `" + path + "`: " + why.message()};
}

Result<void> check_whole(const Config& config) {
    if (config.tls_cert.empty() != config.tls_key.empty()) {
        return Error(ErrorCode::invalid, "TLS needs both `tls.cert` and `tls.key`");
    }
    const auto& kept = config.settings.key_retention;
    if (kept && config.settings.window > *kept) {
        return Error(ErrorCode::invalid,
                     "`actions.deduplication.window_seconds` is longer than `keys.retention`");
    }
    return {};
}

// Applies the policy to the settings. Returns the first error that `semel check` finds, if
// `refuses`.
Result<void> apply_findings(Config& config, bool refuses) {
    const std::string& file = config.policy_file.empty() ? config.file : config.policy_file;
    const std::vector<Finding> findings = check(setup_of(config));
    const Finding* error = first_error(findings);
    if (error != nullptr) {
        return refuses ? Result<void>(Error(ErrorCode::invalid, file + ": " + to_string(*error)))
                       : Result<void>();
    }
    config.settings.fences = semel::apply(config.policy);
    for (const Finding& warning : findings) {
        config.warnings.push_back(file + ": " + to_string(warning));
    }
    return {};
}

}  // namespace

CheckedSetup setup_of(const Config& config) {
    return {.policy = config.policy,
            .sources = config.untaken.sources,
            .routes = config.checked_routes,
            .is_strict = config.is_durability_strict};
}

Result<Config> load_config(const ConfigSources& sources) {
    Config config;
    SettingsByKey settings;
    if (!sources.file.empty()) {
        config.file = sources.file;
        SEMEL_TRY(text, read_file(sources.file, kConfigBytesMax));
        UntakenKeys* untaken = sources.refuses_findings ? nullptr : &config.untaken;
        SEMEL_TRY(from_file, read_config(sources.file, text, untaken));
        settings = std::move(from_file.settings);
        for (ReadRoute& read : from_file.routes) {
            config.gateway.routes.push_back(std::move(read.route));
            config.checked_routes.push_back(std::move(read.checked));
        }
    }
    SEMEL_CHECK(add_environment(sources.environment, settings, config));
    for (const auto& [path, value] : sources.flags) {
        const ConfigKey* key = find_config_key(path);
        SEMEL_ASSERT(key != nullptr);
        std::string flag = "--" + path;
        std::ranges::replace(flag, '.', '-');
        add(settings, *key, value, flag);
    }
    for (const auto& [path, setting] : settings) {
        const auto applied = find_config_key(path)->apply(config, setting);
        if (!applied) {
            return refused(path, setting, applied.error());
        }
    }
    if (sources.check_fence_store_url != nullptr) {
        const auto usable = check_fence_store(config.policy, sources.check_fence_store_url);
        if (!usable) {
            return refused("policy", settings.at("policy"),
                           usable.error().prefixed(config.policy_file));
        }
    }
    SEMEL_CHECK(check_whole(config));
    SEMEL_CHECK(apply_findings(config, sources.refuses_findings));
    return config;
}

std::vector<std::string> current_environment() {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        entries.emplace_back(*entry);
    }
    return entries;
}

}  // namespace semel
