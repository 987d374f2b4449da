#include "config/routes.hpp"

#include <algorithm>

#include "config/guard_members.hpp"
#include "config/yaml_values.hpp"

namespace semel {
namespace {

using yaml::Value;
using RouteMember = YamlMember<ReadRoute>;

constexpr std::string_view kUrl = "a URL, like http://127.0.0.1:9000";
constexpr std::string_view kFailMode = "`closed` or `open`";
constexpr std::string_view kHeaders = "a list of names of headers, like [location, etag]";

// Stores a value that was read. Returns false without a value.
template <typename T, typename Place>
bool put(Place& place, const std::optional<T>& value) {
    if (value) {
        place = *value;  // NOLINT(bugprone-optional-value-conversion): a plain place too
    }
    return value.has_value();
}

std::optional<std::string> text_if(bool fits, Value value) {
    return fits ? std::optional(value.Scalar()) : std::nullopt;
}

template <bool (*Fits)(Value)>
bool accept_route_value(ReadRoute&, Value value) {
    return Fits(value);
}

bool always_later(Value) {
    return true;
}

// REQUIRES: `begin` of the member `idempotency_key` has run.
KeyRule& key_of(ReadRoute& read) {
    return *read.route.idempotency_key;
}

// ---- match, upstream ----

bool is_method(Value value) {
    return yaml::is_text(value) && std::ranges::all_of(value.Scalar(), [](char c) {
               return (c >= 'A' && c <= 'Z') || c == '-';
           });
}

bool take_method(ReadRoute& read, Value value) {
    if (is_method(value)) {
        read.route.methods = {value.Scalar()};
        return true;
    }
    if (!yaml::is_list_of(value, &is_method)) {
        return false;
    }
    read.route.methods = yaml::texts_of(value);
    return true;
}

bool take_path(ReadRoute& read, Value value) {
    read.checked.path = value.IsScalar() ? value.Scalar() : "";
    return put(read.route.path, text_if(read.checked.path.starts_with('/'), value));
}

bool take_route_name(ReadRoute& read, Value value) {
    read.checked.name = yaml::is_name(value) ? value.Scalar() : "";
    return put(read.route.name, text_if(yaml::is_name(value), value));
}

bool is_url(Value value) {
    return value.IsScalar() &&
           (value.Scalar().starts_with("http://") || value.Scalar().starts_with("https://")) &&
           !value.Scalar().ends_with("//");
}

bool take_upstream(ReadRoute& read, Value value) {
    return put(read.route.upstream, text_if(is_url(value), value));
}

bool take_host(ReadRoute& read, Value value) {
    read.route.keeps_host = value.IsScalar() && value.Scalar() == "client";
    return yaml::is_one_of(value, {"upstream", "client"});
}

bool take_timeout(ReadRoute& read, Value value) {
    return put(read.route.timeout, yaml::timeout(value));
}

bool take_connect_timeout(ReadRoute& read, Value value) {
    return put(read.route.connect_timeout, yaml::timeout(value));
}

bool take_max_connections(ReadRoute& read, Value value) {
    const auto number = yaml::whole_number(value, 1, 10'000);
    read.route.max_connections = static_cast<int>(number.value_or(0));
    return number.has_value();
}

bool take_max_body(ReadRoute& read, Value value) {
    return put(read.route.max_body, yaml::byte_count(value));
}

bool take_max_stored_body(ReadRoute& read, Value value) {
    return put(read.route.max_stored_body, yaml::byte_count(value));
}

// ---- the caller ----

bool is_none(Value value) {
    return yaml::is_one_of(value, {"none"});
}

bool take_auth(ReadRoute& read, Value value) {
    read.checked.has_auth = !is_none(value);
    return yaml::is_one_of(value, {"semel", "none"});
}

void begin_auth(ReadRoute& read) {
    read.checked.has_auth = true;
}

bool is_auth_later(Value value) {
    return !is_none(value);
}

template <TenantRule::Kind Kind>
bool take_tenant(ReadRoute& read, Value value) {
    using enum TenantRule::Kind;
    const bool fits = Kind == json     ? yaml::is_pointer(value)
                      : Kind == header ? value.IsScalar() && yaml::is_header_name(value.Scalar())
                      : Kind == token  ? yaml::is_one_of(value, {"true"})
                                       : yaml::is_name(value) && value.Scalar() != "*";
    read.route.tenant = {Kind, fits && Kind != token ? value.Scalar() : ""};
    return fits;
}

void begin_tenant(ReadRoute& read) {
    read.checked.has_tenant = true;
}

// A header, or `cookie:NAME`.
bool take_principal(ReadRoute& read, Value value) {
    constexpr std::string_view kCookie = "cookie:";
    if (!value.IsSequence()) {
        return false;
    }
    read.route.principal.clear();
    for (const auto& item : value) {
        const std::string text = item.IsScalar() ? item.Scalar() : "";
        const bool is_cookie = text.starts_with(kCookie);
        const std::string name = is_cookie ? text.substr(kCookie.size()) : text;
        if (!yaml::is_header_name(name)) {
            return false;
        }
        read.route.principal.push_back(is_cookie ? PrincipalPart{"cookie", name}
                                                 : PrincipalPart{name});
    }
    return true;
}

// ---- keys ----

void begin_key(ReadRoute& read) {
    read.route.idempotency_key.emplace();
}

bool take_required(ReadRoute& read, Value value) {
    return put(key_of(read).is_required, yaml::boolean(value));
}

template <RequestPlace::Kind Kind>
bool take_from(ReadRoute& read, Value value) {
    const bool fits = Kind == RequestPlace::Kind::header
                          ? value.IsScalar() && yaml::is_header_name(value.Scalar())
                          : yaml::is_pointer(value);
    return fits && put(key_of(read).from, std::optional(RequestPlace{Kind, value.Scalar()}));
}

bool take_ttl(ReadRoute& read, Value value) {
    return put(key_of(read).ttl, yaml::some_time(value));
}

bool take_key_wait(ReadRoute& read, Value value) {
    return put(key_of(read).wait, yaml::wait(value));
}

bool take_conflict_status(ReadRoute& read, Value value) {
    key_of(read).conflict_status = value.IsScalar() && value.Scalar() == "422" ? 422 : 409;
    return yaml::is_one_of(value, {"409", "422"});
}

bool take_on_5xx(ReadRoute& read, Value value) {
    key_of(read).releases_5xx = value.IsScalar() && value.Scalar() == "release";
    return yaml::is_one_of(value, {"seal", "release"});
}

bool is_fail_mode(Value value) {
    return yaml::is_one_of(value, {"closed", "open"});
}

bool take_key_fail_mode(ReadRoute& read, Value value) {
    key_of(read).fail_mode =
        value.IsScalar() && value.Scalar() == "open" ? FailMode::open : FailMode::closed;
    return is_fail_mode(value);
}

// ---- what is kept ----

bool is_list_of_texts(Value value) {
    return value.IsSequence() && (value.size() == 0 || yaml::is_list_of(value, &yaml::is_text));
}

bool is_header(Value value) {
    return value.IsScalar() && yaml::is_header_name(value.Scalar());
}

bool take_replay_headers(ReadRoute& read, Value value) {
    if (!value.IsSequence() || (value.size() > 0 && !yaml::is_list_of(value, &is_header))) {
        return false;
    }
    read.route.replay_headers = yaml::texts_of(value);
    return true;
}

bool is_on_uncertain(Value value) {
    return yaml::is_one_of(value, {"park", "retry"});
}

bool is_status(Value value) {
    return yaml::whole_number(value, 200, 599).has_value();
}

bool is_list_of_statuses(Value value) {
    return value.IsSequence() && (value.size() == 0 || yaml::is_list_of(value, &is_status));
}

bool is_boolean(Value value) {
    return yaml::boolean(value).has_value();
}

constexpr RouteMember kMatch[] = {
    {"method", "a method like POST, or a list like [POST, PUT]", &take_method},
    {"path", "a path, like /api/messages, /orders/{id} or /api/*", &take_path, {}, true},
};
constexpr RouteMember kJwt[] = {
    {"jwks",
     "an absolute path, or a URL with https",
     &accept_route_value<&yaml::is_text>,
     {},
     true},
    {"issuer", yaml::kText, &accept_route_value<&yaml::is_text>},
    {"audience", yaml::kText, &accept_route_value<&yaml::is_text>},
    {"claim", yaml::kText, &accept_route_value<&yaml::is_text>, {}, true},
};
constexpr RouteMember kAuth[] = {{"jwt", "{ jwks: FILE, claim: NAME }", nullptr, kJwt}};
constexpr RouteMember kTenant[] = {
    {"json", yaml::kPointer, &take_tenant<TenantRule::Kind::json>},
    {"header", yaml::kHeader, &take_tenant<TenantRule::Kind::header>},
    {.name = "token",
     .expects = "`true`",
     .apply = &take_tenant<TenantRule::Kind::token>,
     .is_later = &always_later},
    {.name = "claim",
     .expects = "the name of a claim",
     .apply = &accept_route_value<&yaml::is_text>,
     .is_later = &always_later},
    {"fixed", yaml::kName, &take_tenant<TenantRule::Kind::fixed>},
};
constexpr RouteMember kFrom[] = {
    {"header", yaml::kHeader, &take_from<RequestPlace::Kind::header>},
    {.name = "json",
     .expects = yaml::kPointer,
     .apply = &take_from<RequestPlace::Kind::json>,
     .is_later = &always_later},
};
constexpr RouteMember kIdempotencyKey[] = {
    {"required", yaml::kBool, &take_required},
    {"from", "{ header: NAME }", nullptr, kFrom},
    {"ttl", yaml::kTime, &take_ttl},
    {"wait", yaml::kWait, &take_key_wait},
    {"conflict_status", "409 or 422", &take_conflict_status},
    {"on_5xx", "`seal` or `release`", &take_on_5xx},
    {"fail_mode", kFailMode, &take_key_fail_mode},
};
constexpr RouteMember kUpstreamTls[] = {
    {"ca", "a path", &accept_route_value<&yaml::is_text>},
    {"cert", "a path", &accept_route_value<&yaml::is_text>},
    {"key", "`file:PATH`", &accept_route_value<&yaml::is_secret>},
};
constexpr RouteMember kCors[] = {
    {"origins",
     "a list of origins, like [https://app.example.com]",
     &accept_route_value<&is_list_of_texts>,
     {},
     true},
    {"credentials", yaml::kBool, &accept_route_value<&is_boolean>},
};
constexpr RouteMember kRoute[] = {
    {"name", yaml::kName, &take_route_name, {}, true},
    {"match", "a map, like { method: POST, path: /api/messages }", nullptr, kMatch, true},
    {"upstream", kUrl, &take_upstream, {}, true},
    {.name = "upstream_tls",
     .expects = "a map, like { ca: PATH }",
     .members = kUpstreamTls,
     .is_later = &always_later},
    {"host", "`upstream` or `client`", &take_host},
    {"timeout", yaml::kTimeout, &take_timeout},
    {"connect_timeout", yaml::kTimeout, &take_connect_timeout},
    {"max_connections", "a whole number from 1 to 10000", &take_max_connections},
    {"max_body", yaml::kBytes, &take_max_body},
    {.name = "auth",
     .expects = "`semel`, `none`, or a map of `jwt`",
     .apply = &take_auth,
     .members = kAuth,
     .begin = &begin_auth,
     .is_later = &is_auth_later},
    {"principal", "a list of headers and cookies, like [authorization, \"cookie:sid\"]",
     &take_principal},
    {.name = "tenant",
     .expects = "one of { json: /workspaceId }, { header: x-workspace-id }, { token: true }, { "
                "fixed: NAME }",
     .members = kTenant,
     .begin = &begin_tenant},
    {.name = "idempotency_key",
     .expects = "a map, like { ttl: 24h }",
     .members = kIdempotencyKey,
     .begin = &begin_key},
    {.name = "guard",
     .expects = "a map, like { fields: [/workspaceId, /message], window: 15m }",
     .members = kGuardMembers,
     .begin = &begin_guard},
    {.name = "uncertain_status",
     .expects = "a list of statuses, like [502, 504]",
     .apply = &accept_route_value<&is_list_of_statuses>,
     .is_later = &always_later},
    {.name = "on_uncertain",
     .expects = "`park` or `retry`",
     .apply = &accept_route_value<&is_on_uncertain>,
     .is_later = &always_later},
    {"replay_headers", kHeaders, &take_replay_headers},
    {"max_stored_body", yaml::kBytes, &take_max_stored_body},
    {.name = "cors",
     .expects = "a map, like { origins: [https://app.example.com] }",
     .members = kCors,
     .is_later = &always_later},
};

// A route is named in errors by its name, if it has a usable one.
std::string path_of_route(Value node) {
    std::string path = "gateway.routes";
    if (node.IsMap()) {
        const YAML::Node name = node["name"];
        path += name.IsDefined() && yaml::is_name(name) ? "." + name.Scalar() : "";
    }
    return path;
}

Result<ReadRoute> read_route(const YamlWalk& walk, Value node) {
    const std::string path = path_of_route(node);
    ReadRoute read;
    SEMEL_CHECK(read_map(walk, path, node, kRoute, read));
    SEMEL_CHECK(
        check_only_one(walk, path + ".auth", node["auth"], detail::names_of<ReadRoute>(kAuth)));
    SEMEL_CHECK(check_only_one(walk, path + ".tenant", node["tenant"],
                               detail::names_of<ReadRoute>(kTenant)));
    read.checked.timeout = read.route.timeout;
    if (const YAML::Node key = node["idempotency_key"]; key.IsDefined()) {
        SEMEL_CHECK(check_only_one(walk, path + ".idempotency_key.from", key["from"],
                                   detail::names_of<ReadRoute>(kFrom)));
        read.checked.ttl = read.route.idempotency_key->ttl;
    }
    return read;
}

}  // namespace

Result<std::vector<ReadRoute>> read_routes(const YamlWalk& walk, const YAML::Node& routes) {
    if (!routes.IsSequence()) {
        return error_at(walk.file, routes.Mark(),
                        "`gateway.routes` must be a list of routes, like `- name: message.api`");
    }
    std::vector<ReadRoute> read;
    OnceEach names(walk.file, "route");
    for (const auto& node : routes) {
        SEMEL_TRY(route, read_route(walk, node));
        SEMEL_CHECK(names.add(route.route.name, node["name"].Mark()));
        read.push_back(std::move(route));
    }
    return read;
}

}  // namespace semel
