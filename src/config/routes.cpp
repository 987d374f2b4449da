#include "config/routes.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "config/durations.hpp"
#include "config/secrets.hpp"
#include "config/yaml_shape.hpp"
#include "core/json/json_pointer.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

using Value = const YAML::Node&;

bool is_text(Value value) {
    return value.IsScalar() && !value.Scalar().empty();
}
bool is_name(Value value) {
    return is_text(value) && value.Scalar().size() <= kNameBytesMax;
}
bool is_bool(Value value) {
    return value.IsScalar() && (value.Scalar() == "true" || value.Scalar() == "false");
}
bool is_number(Value value) {
    return value.IsScalar() && parse_decimal(value.Scalar()).has_value();
}
bool is_path(Value value) {
    return value.IsScalar() && value.Scalar().starts_with('/');
}
// "" would be the whole body.
bool is_pointer(Value value) {
    return is_text(value) && json::is_valid_pointer(value.Scalar());
}
bool is_url(Value value) {
    return value.IsScalar() &&
           (value.Scalar().starts_with("http://") || value.Scalar().starts_with("https://")) &&
           !value.Scalar().ends_with("//");
}
bool is_secret(Value value) {
    return value.IsScalar() && is_secret_reference(value.Scalar());
}

template <bool (*Fits)(Value)>
bool is_list_of(Value value) {
    return value.IsSequence() && value.size() > 0 &&
           std::all_of(value.begin(), value.end(), [](Value item) { return Fits(item); });
}

template <std::size_t Size>
bool is_one_of(Value value, const std::array<std::string_view, Size>& words) {
    return value.IsScalar() && std::ranges::find(words, value.Scalar()) != words.end();
}

// REQUIRES: it is one.
Millis duration_of(Value value) {
    return parse_duration(value.Scalar()).value();
}
bool is_duration(Value value, Millis least, Millis most) {
    const auto duration =
        value.IsScalar() ? parse_duration(value.Scalar()) : Result<Millis>(Millis(-1));
    return duration && *duration >= least && *duration <= most;
}
bool is_some_time(Value value) {
    return is_duration(value, Millis(1), kDelayMax);
}
bool is_wait(Value value) {
    return is_duration(value, Millis(0), kWaitMax);
}
bool is_lease(Value value) {
    return is_duration(value, kLeaseMin, kLeaseMax);
}

bool is_scheme(Value value) {
    // The signatures that are known; a provider whose events have another cannot be a source.
    constexpr std::array<std::string_view, 5> kSchemes = {"stripe", "github", "shopify", "slack",
                                                          "standard webhooks"};
    const Provider* provider = value.IsScalar() ? find_provider(value.Scalar()) : nullptr;
    return provider != nullptr && std::ranges::find(kSchemes, provider->name) != kSchemes.end();
}

constexpr std::string_view kTime = "a duration, like 500ms, 15s, 15m, 24h or 14d";
constexpr std::string_view kWait = "a duration from 0s to 60s";
constexpr std::string_view kLease = "a duration from 100ms to 24h";
constexpr std::string_view kRouteBool = "`true` or `false`";
constexpr std::string_view kName = "a name of at most 255 bytes";
constexpr std::string_view kText = "a text";
constexpr std::string_view kUrl = "a URL, like http://127.0.0.1:9000";
constexpr std::string_view kPointer = "a JSON pointer, like /workspaceId";
constexpr std::string_view kPointers = "a list of JSON pointers, like [/workspaceId, /message]";
constexpr std::string_view kWords = "a list of words, like [a, b]";
constexpr std::string_view kFailMode = "`closed` or `open`";

bool is_fail_mode(Value value) {
    return is_one_of<2>(value, {"closed", "open"});
}

constexpr YamlMember kMatch[] = {
    {"method", "a method, like POST", &is_text},
    {"path", "a path, like /api/messages", &is_path, {}, true},
};
constexpr YamlMember kJwt[] = {
    {"jwks_file", "a path", &is_text},
    {"key", "`env:NAME` or `file:PATH`", &is_secret},
    {"claim", kText, &is_text, {}, true},
};
constexpr YamlMember kForward[] = {{"url", kUrl, &is_url, {}, true}};
constexpr YamlMember kAuth[] = {
    {"jwt", "{ jwks_file: FILE, claim: NAME }", nullptr, kJwt},
    {"forward", "{ url: URL }", nullptr, kForward},
};
constexpr YamlMember kTenant[] = {
    {"json", kPointer, &is_pointer},
    {"header", "the name of a header", &is_text},
    {"token", "`true`", [](Value value) { return is_one_of<1>(value, {"true"}); }},
    {"fixed", kName, &is_name},
};
constexpr YamlMember kProbe[] = {
    {"url", kUrl, &is_url, {}, true},
    {"happened", kText, [](Value) { return true; }},
    {"absent", kText, [](Value) { return true; }},
    {"every", kTime, &is_some_time},
    {"for", kTime, &is_some_time},
};
constexpr YamlMember kOnUncertain[] = {{"probe", "{ url: URL }", nullptr, kProbe}};
constexpr YamlMember kIdempotencyKey[] = {
    {"required", kRouteBool, &is_bool},
    {"ttl", kTime, &is_some_time},
    {"wait", kWait, &is_wait},
    {"conflict_status", "409 or 422",
     [](Value value) {
         return is_one_of<2>(value, {"409", "422"});
     }},
    {"on_5xx", "`uncertain`, `release` or `seal`",
     [](Value value) {
         return is_one_of<3>(value, {"uncertain", "release", "seal"});
     }},
    {"fail_mode", kFailMode, &is_fail_mode},
};
constexpr YamlMember kFailedWhen[] = {
    {"json", kPointer, &is_pointer, {}, true},
    {"equals", "a value", &is_text, {}, true},
};
constexpr YamlMember kGuard[] = {
    {"fields", kPointers, &is_list_of<&is_pointer>, {}, true},
    {"window", kTime, &is_some_time},
    {"wait", kWait, &is_wait},
    {"in_flight", "`ok` or `conflict`",
     [](Value value) {
         return is_one_of<2>(value, {"ok", "conflict"});
     }},
    {"on_failure", "`release` or `keep`",
     [](Value value) {
         return is_one_of<2>(value, {"release", "keep"});
     }},
    {"failed_when", "{ json: POINTER, equals: VALUE }", nullptr, kFailedWhen},
    {"fail_mode", kFailMode, &is_fail_mode},
    {"null_fields", kWords, &is_list_of<&is_text>},
    {"allow_force", kRouteBool, &is_bool},
    {"duplicate_message", kText, &is_text},
};
constexpr YamlMember kRoute[] = {
    {"name", kName, &is_name, {}, true},
    {"match", "a map, like { method: POST, path: /api/messages }", nullptr, kMatch, true},
    {"upstream", kUrl, &is_url, {}, true},
    {"timeout", "a duration from 1ms to 24h",
     [](Value value) { return is_duration(value, Millis(1), kLeaseMax); }},
    {"lease", kLease, &is_lease},
    {"auth", "`semel`, `none`, or a map of `jwt` or `forward`",
     [](Value value) {
         return is_one_of<2>(value, {"semel", "none"});
     },
     kAuth},
    {"schema", "a path", &is_text},
    {"tenant",
     "one of { json: /workspaceId }, { header: x-workspace-id }, { token: true }, { fixed: NAME }",
     nullptr, kTenant},
    {"idempotency_key", "a map, like { ttl: 24h }", nullptr, kIdempotencyKey},
    {"guard", "a map, like { fields: [/workspaceId, /message], window: 15m }", nullptr, kGuard},
    {"on_uncertain", "`park`, `retry`, or a map of `probe`",
     [](Value value) {
         return is_one_of<2>(value, {"park", "retry"});
     },
     kOnUncertain},
    {"replay_headers", kWords, &is_list_of<&is_text>},
    {"max_stored_body", "a whole number of bytes", &is_number},
};

constexpr YamlMember kDeduplication[] = {
    {"key_fields", kPointers, &is_list_of<&is_pointer>, {}, true},
    {"window_seconds", "a whole number", &is_number},
};
constexpr YamlMember kStart[] = {
    {"action", "a type of actions", &is_name},
    {"chain", "a type of chains", &is_name},
};
constexpr YamlMember kSource[] = {
    {"scheme",
     "`stripe`, `github`, `shopify`, `slack` or `standard_webhooks`",
     &is_scheme,
     {},
     true},
    {"secrets", "a list of secrets, like [env:STRIPE_SECRET]", &is_list_of<&is_secret>, {}, true},
    {"horizon", kTime, &is_some_time},
    {"ttl", kTime, &is_some_time},
    {"tenant", kName, &is_name},
    {"start", "one of { action: TYPE }, { chain: TYPE }", nullptr, kStart, true},
    {"deduplication", "`false`, or a map, like { key_fields: [/orderId] }",
     [](Value value) { return is_one_of<1>(value, {"false"}); }, kDeduplication},
    {"subject", kPointer, &is_pointer},
    {"version", kPointer, &is_pointer},
    {"lock_group", kPointer, &is_pointer},
    {"order", kPointer, &is_pointer},
};

// Of a map in which the members exclude each other.
Result<void> check_only_one(const std::string& file, const std::string& path, Value map,
                            std::span<const YamlMember> members) {
    if (!map.IsDefined() || !map.IsMap() || map.size() == 1) {
        return {};
    }
    std::string list;
    for (const YamlMember& member : members) {
        list.append(list.empty() ? "`" : ", `").append(member.name).append("`");
    }
    return error_at(file, map.Mark(), "`" + path + "` must have exactly one of " + list);
}

void add_fields(std::vector<std::string>& fields, const YAML::Node& list) {
    if (list.IsDefined()) {
        for (const auto& item : list) fields.push_back(item.Scalar());
    }
}

std::optional<Millis> optional_duration(const YAML::Node& value) {
    return value.IsDefined() ? std::optional(duration_of(value)) : std::nullopt;
}

Result<CheckedSource> read_source(const std::string& file, const std::string& name, Value node) {
    const std::string path = "sources." + name;
    SEMEL_CHECK(check_shape(file, path, node, kSource));
    SEMEL_CHECK(check_only_one(file, path + ".start", node["start"], kStart));
    CheckedSource source{.name = name,
                         .provider = node["scheme"].Scalar(),
                         .horizon = optional_duration(node["horizon"]),
                         .remembered = optional_duration(node["ttl"])};
    if (const YAML::Node subject = node["subject"]; subject.IsDefined()) {
        source.subject = subject.Scalar();
    }
    if (const YAML::Node key = node["deduplication"]; key.IsDefined() && key.IsMap()) {
        add_fields(source.key_fields, key["key_fields"]);
    }
    return source;
}

// A route is told by its name, if it has one that can be told.
std::string path_of_route(Value node) {
    std::string path = "gateway.routes";
    if (node.IsMap()) {
        const YAML::Node name = node["name"];
        path += name.IsDefined() && is_name(name) ? "." + name.Scalar() : "";
    }
    return path;
}

Result<CheckedRoute> read_route(const std::string& file, Value node) {
    const std::string path = path_of_route(node);
    SEMEL_CHECK(check_shape(file, path, node, kRoute));
    const YAML::Node auth = node["auth"];
    const YAML::Node tenant = node["tenant"];
    SEMEL_CHECK(check_only_one(file, path + ".auth", auth, kAuth));
    SEMEL_CHECK(check_only_one(file, path + ".tenant", tenant, kTenant));
    CheckedRoute route{.name = node["name"].Scalar(),
                       .has_tenant = tenant.IsDefined(),
                       .has_auth = auth.IsDefined() && (auth.IsMap() || auth.Scalar() != "none"),
                       .lease = optional_duration(node["lease"]),
                       .timeout = optional_duration(node["timeout"])};
    if (const YAML::Node guard = node["guard"]; guard.IsDefined()) {
        add_fields(route.key_fields, guard["fields"]);
    }
    return route;
}

}  // namespace

Result<std::vector<CheckedSource>> read_sources(const std::string& file,
                                                const YAML::Node& sources) {
    if (!sources.IsMap()) {
        return error_at(
            file, sources.Mark(),
            "`sources` must be a map of sources by their names, like `stripe: { scheme: "
            "stripe, … }`");
    }
    std::vector<CheckedSource> read;
    OnceEach keys(file);
    for (const auto& entry : sources) {
        if (!is_name(entry.first)) {
            return error_at(file, entry.first.Mark(),
                            "the name of a source must be " + std::string(kName));
        }
        const std::string& name = entry.first.Scalar();
        SEMEL_CHECK(keys.add("sources." + name, entry.first.Mark()));
        SEMEL_TRY(source, read_source(file, name, entry.second));
        read.push_back(std::move(source));
    }
    return read;
}

Result<std::vector<CheckedRoute>> read_routes(const std::string& file, const YAML::Node& routes) {
    if (!routes.IsSequence()) {
        return error_at(file, routes.Mark(),
                        "`gateway.routes` must be a list of routes, like `- name: message.api`");
    }
    std::vector<CheckedRoute> read;
    OnceEach names(file, "route");
    for (const auto& node : routes) {
        SEMEL_TRY(route, read_route(file, node));
        SEMEL_CHECK(names.add(route.name, node["name"].Mark()));
        read.push_back(std::move(route));
    }
    return read;
}

}  // namespace semel
