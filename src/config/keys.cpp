#include "config/keys.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.hpp"
#include "base/url_parts.hpp"
#include "config/durations.hpp"
#include "config/policy_file.hpp"
#include "config/secrets.hpp"

namespace semel {

namespace {

const std::string& text_of(const Setting& setting) {
    return setting.items.front();
}

Error wrong(const Setting& setting, const std::string& why) {
    return {ErrorCode::invalid, why + ", not `" + text_of(setting) + "`"};
}

Result<std::int64_t> whole_number(const Setting& setting, std::int64_t min, std::int64_t max) {
    const auto number = parse_decimal(text_of(setting));
    if (!number || *number < min || *number > max) {
        return wrong(setting, "it must be a whole number from " + std::to_string(min) + " to " +
                                  std::to_string(max));
    }
    return *number;
}

Result<Millis> duration_of(const Setting& setting, Millis min) {
    SEMEL_TRY(duration, parse_duration(text_of(setting)));
    if (duration < min) {
        return wrong(setting, "it must be at least " + format_duration(min));
    }
    return duration;
}

Result<void> apply_store(Config& config, const Setting& setting) {
    config.store = text_of(setting);
    return {};
}

Result<void> apply_listen(Config& config, const Setting& setting) {
    SEMEL_TRY(address, ListenAddress::parse(text_of(setting)));
    config.listen = address;
    return {};
}

Result<void> apply_durability(Config& config, const Setting& setting) {
    if (text_of(setting) != "store" && text_of(setting) != "strict") {
        return wrong(setting, "it must be `store` or `strict`");
    }
    config.is_durability_strict = text_of(setting) == "strict";
    return {};
}

Result<void> apply_tls_cert(Config& config, const Setting& setting) {
    config.tls_cert = text_of(setting);
    return {};
}

Result<void> apply_tls_key(Config& config, const Setting& setting) {
    const std::string& text = text_of(setting);
    if (text.starts_with("env:")) {
        return Error(ErrorCode::invalid, "a TLS key is read from a file: give file:PATH");
    }
    config.tls_key = text.starts_with("file:") ? text.substr(5) : text;
    return {};
}

Result<void> apply_hosts(Config& config, const Setting& setting) {
    for (const std::string& host : setting.items) {
        if (!is_host(host)) {
            return Error(ErrorCode::invalid,
                         "a host is a name or an address, with a port or without, like "
                         "semel.example.com, 192.0.2.1:7363 or [::1], not `" +
                             host + "`");
        }
    }
    config.hosts = setting.items;
    return {};
}

Result<std::optional<Millis>> retention_of(const Setting& setting) {
    if (text_of(setting) == "forever") {
        return std::optional<Millis>();
    }
    const auto duration = duration_of(setting, std::chrono::seconds(1));
    if (!duration) {
        return Error(ErrorCode::invalid, duration.error().message() + " (or `forever`)");
    }
    return std::optional<Millis>(*duration);
}

Result<void> apply_key_retention(Config& config, const Setting& setting) {
    SEMEL_TRY(retention, retention_of(setting));
    config.settings.key_retention = retention;
    return {};
}

Result<void> apply_decision_retention(Config& config, const Setting& setting) {
    SEMEL_TRY(retention, retention_of(setting));
    config.settings.decision_retention = retention;
    return {};
}

Result<void> apply_receipt_memory(Config& config, const Setting& setting) {
    SEMEL_TRY(mebibytes, whole_number(setting, 0, 65'536));
    config.settings.receipts_in_memory = static_cast<std::size_t>(mebibytes) << 20;
    return {};
}

Result<void> apply_cron_secret(Config& config, const Setting& setting) {
    SEMEL_TRY(secret, resolve_secret(text_of(setting)));
    config.cron_secret = secret;
    return {};
}

Result<void> apply_window(Config& config, const Setting& setting) {
    SEMEL_TRY(seconds, whole_number(setting, 0, 366LL * 86'400));
    config.settings.window = std::chrono::seconds(seconds);
    return {};
}

Result<void> apply_timeout(Config& config, const Setting& setting) {
    SEMEL_TRY(timeout, duration_of(setting, Millis(1)));
    if (timeout > std::chrono::hours(24)) {
        return wrong(setting, "it must be at most 24h");
    }
    config.settings.default_timeout = timeout;
    return {};
}

Result<void> apply_retention_days(Config& config, const Setting& setting) {
    SEMEL_TRY(days, whole_number(setting, 1, 36'600));
    config.settings.job_retention = std::chrono::hours(24 * days);
    return {};
}

Result<void> apply_concurrency(Config& config, const Setting& setting) {
    SEMEL_TRY(number, whole_number(setting, 1, 1'000));
    config.concurrency = static_cast<int>(number);
    return {};
}

Result<void> apply_stop_grace(Config& config, const Setting& setting) {
    SEMEL_TRY(grace, duration_of(setting, Millis(0)));
    config.stop_grace = grace;
    return {};
}

constexpr std::array<std::string_view, 5> kLogLevels = {"debug", "info", "warn", "error", "off"};

Result<void> apply_log_level(Config& config, const Setting& setting) {
    if (std::find(kLogLevels.begin(), kLogLevels.end(), text_of(setting)) == kLogLevels.end()) {
        return wrong(setting, "it must be one of debug, info, warn, error, off");
    }
    config.log_level = text_of(setting);
    return {};
}

Result<void> apply_log_decisions(Config& config, const Setting& setting) {
    // Only these two words, because YAML readers differ on yes, on and y.
    if (text_of(setting) != "true" && text_of(setting) != "false") {
        return wrong(setting, "it must be `true` or `false`");
    }
    config.logs_decisions = text_of(setting) == "true";
    return {};
}

Result<void> apply_policy(Config& config, const Setting& setting) {
    SEMEL_TRY(policy, read_policy_file(text_of(setting)));
    config.policy = std::move(policy);
    config.policy_file = text_of(setting);
    return {};
}

Result<void> apply_gateway_listen(Config& config, const Setting& setting) {
    SEMEL_TRY(address, ListenAddress::parse(text_of(setting)));
    config.gateway.listen = address;
    return {};
}

Result<void> apply_trusted_proxies(Config& config, const Setting& setting) {
    config.gateway.trusted_proxies.clear();
    for (const std::string& item : setting.items) {
        const auto range = IpRange::parse(item);
        if (!range) {
            return Error(ErrorCode::invalid,
                         "a proxy is an address or a range, like 127.0.0.1 or 10.0.0.0/8, not `" +
                             item + "`");
        }
        config.gateway.trusted_proxies.push_back(*range);
    }
    return {};
}

// The reader of the file reads such a key by its own table.
Result<void> apply_file_only(Config&, const Setting&) {
    return Error(ErrorCode::invalid, "it has no variable; write it into the configuration file");
}

Result<void> apply_later(Config&, const Setting&) {
    return Error(ErrorCode::refused, "it is not in this version of Semel; remove it");
}

ConfigKey later(std::string_view path) {
    return {path, Shape::later, "", "", "", &apply_later};
}

}  // namespace

const std::vector<ConfigKey>& config_keys() {
    static const std::vector<ConfigKey> kKeys = {
        {"store", Shape::scalar, "a path, or `postgres://…`", "./semel.db",
         "The file of the embedded store, made if it is not there; or a PostgreSQL database "
         "([guide](../guides/postgres.md)).",
         &apply_store},
        {"listen", Shape::scalar, "host:port", "127.0.0.1:7363",
         "Where the API listens. Anything but loopback needs an API token first.", &apply_listen},
        {"durability", Shape::scalar, "`store` or `strict`", "store",
         "`strict` refuses to start on a store that may lose an acknowledged commit, like a file "
         "in "
         "memory (tmpfs, ramfs), and with fences in Redis.",
         &apply_durability},
        {"tls.cert", Shape::scalar, "a path", "none",
         "Certificate in PEM, the leaf first, then its chain. Needs `tls.key`.", &apply_tls_cert},
        {"tls.key", Shape::scalar, "`file:PATH`", "none",
         "Private key in PEM, without a passphrase. Needs `tls.cert`.", &apply_tls_key},
        {"hosts", Shape::list, "a list of names", "none",
         "Further names that the `Host` and `Origin` headers may have.", &apply_hosts},
        {"keys.retention", Shape::scalar, "a duration, or `forever`", "30d",
         "How long a deduplication key is remembered after its action has ended.",
         &apply_key_retention},
        {"actions.deduplication.window_seconds", Shape::scalar, "a whole number", "5",
         "The window in which a second request is a duplicate; 0 turns the default off.",
         &apply_window},
        {"actions.default_timeout", Shape::scalar, "a duration", "30s",
         "How long an in-process attempt may take, where nothing else says so.", &apply_timeout},
        {"actions.retention_days", Shape::scalar, "a whole number", "7",
         "How long finished actions are kept.", &apply_retention_days},
        {"actions.concurrency", Shape::scalar, "a whole number", "64",
         "How many in-process handlers run at once.", &apply_concurrency},
        {"actions.cron_secret", Shape::scalar, "`env:NAME` or `file:PATH`", "none",
         "The secret of `/v1/cron/process`. Without it, that path answers 500.",
         &apply_cron_secret},
        {"decisions.retention", Shape::scalar, "a duration, or `forever`", "30d",
         "How long the decision log is kept, to the day.", &apply_decision_retention},
        {"receipts.memory_mib", Shape::scalar, "a whole number", "64",
         "How much memory receipts of fences may take that are replayed without a look at the "
         "store, in MiB; 0 turns that off. One receipt may take a sixteenth of it.",
         &apply_receipt_memory},
        {"stop_grace", Shape::scalar, "a duration", "10s",
         "How long running work may take to end after SIGTERM, before it is released.",
         &apply_stop_grace},
        {"log.level", Shape::scalar, "debug, info, warn, error or off", "info",
         "The least important line that is logged.", &apply_log_level},
        {"log.decisions", Shape::scalar, "`true` or `false`", "true",
         "Whether each decision has its log line. The decision log in the store has it anyway.",
         &apply_log_decisions},
        later("handlers"),
        later("delivery.allow_private_networks"),
        later("delivery.per_endpoint_concurrency"),
        later("webhooks.endpoints"),
        later("webhooks.default_endpoint"),
        later("sources"),
        {"gateway.listen", Shape::scalar, "host:port", "127.0.0.1:7364",
         "Where the gateway listens.", &apply_gateway_listen},
        {"gateway.trusted_proxies", Shape::list, "a list of addresses and ranges", "none",
         "Proxies whose `X-Forwarded-*` headers are kept. Those of other clients are replaced.",
         &apply_trusted_proxies},
        {"gateway.routes", Shape::file_only, "a list of maps", "none",
         "The [routes](#routes) of the gateway. A request goes to the first route that fits.",
         &apply_file_only},
        {"policy", Shape::scalar, "a path", "none",
         "The policy of fences ([guide](../guides/fences.md#the-policy-file)); `semel check` looks "
         "at it. It may keep them in Redis ([guide](../guides/fences.md#fences-on-redis)).",
         &apply_policy},
    };
    return kKeys;
}

const ConfigKey* find_config_key(std::string_view path) {
    const auto& keys = config_keys();
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.path == path; });
    return found == keys.end() ? nullptr : &*found;
}

std::string environment_name(std::string_view path) {
    std::string name = "SEMEL_";
    for (const char c : path) {
        name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return name;
}

bool is_config_section(std::string_view path) {
    return !names_in_section(path).empty();
}

std::vector<std::string> names_in_section(std::string_view section) {
    const std::string prefix = section.empty() ? "" : std::string(section) + ".";
    std::vector<std::string> names;
    for (const ConfigKey& key : config_keys()) {
        if (!key.path.starts_with(prefix)) {
            continue;
        }
        const std::string_view rest = key.path.substr(prefix.size());
        const std::string name(rest.substr(0, rest.find('.')));
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
    return names;
}

std::string instead_of(std::string_view section, std::string_view name) {
    const std::string prefix = section.empty() ? "" : std::string(section) + ".";
    const std::vector<std::string> siblings = names_in_section(section);
    if (const auto near = nearest(name, siblings)) {
        return "the nearest known key is `" + prefix + *near + "`";
    }
    // A known name in the wrong place.
    for (const ConfigKey& key : config_keys()) {
        if (key.path == name || key.path.ends_with("." + std::string(name))) {
            return "the nearest known key is `" + std::string(key.path) + "`";
        }
    }
    std::string list;
    for (const std::string& sibling : siblings) {
        list += list.empty() ? "`" : ", `";
        list.append(prefix).append(sibling).append("`");
    }
    return "known here are " + list;
}

}  // namespace semel
