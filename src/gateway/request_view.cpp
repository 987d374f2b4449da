#include "gateway/request_view.hpp"

#include <algorithm>

#include "core/json/json_pointer.hpp"
#include "core/keys/key_header.hpp"
#include "core/names.hpp"

namespace semel::gateway {
namespace {

using KeyOrProblem = std::variant<std::optional<RequestKey>, Problem>;
using TenantOrProblem = std::variant<std::string, Problem>;

KeyOrProblem no_key(const KeyRule& rule) {
    if (!rule.is_required) {
        return std::optional<RequestKey>();
    }
    const bool is_header = rule.from.kind == RequestPlace::Kind::header;
    return Problem{.code = ProblemCode::key_missing,
                   .detail = is_header ? "send the header `" + rule.from.name +
                                             "` with a new key for each new request"
                                       : "send a key in the body, a new one for each new request",
                   .pointer = is_header ? "" : rule.from.name};
}

KeyOrProblem key_in_header(const net::Request& request, const KeyRule& rule) {
    const std::string& name = rule.from.name;
    const std::string* value = request.header(name);
    if (value == nullptr) {
        return no_key(rule);
    }
    if (request.count(name) > 1) {
        return Problem{.code = ProblemCode::key_invalid, .detail = "`" + name + "` occurs twice"};
    }
    auto parsed = parse_key_header(name, *value);
    if (auto* problem = std::get_if<Problem>(&parsed)) {
        return std::move(*problem);
    }
    return std::optional(RequestKey{std::get<std::string>(std::move(parsed)), *value});
}

KeyOrProblem key_in_body(const RequestBody& body, const KeyRule& rule) {
    const auto root = body.json();
    const auto value = root ? json::resolve(*root, rule.from.name) : std::nullopt;
    if (!value || value->is_null()) {
        return no_key(rule);
    }
    if (!value->is_string() || value->as_string().empty() ||
        value->as_string().size() > kKeyHeaderBytesMax ||
        has_control_character(value->as_string())) {
        return Problem{.code = ProblemCode::key_invalid,
                       .detail =
                           "the key must be a string of 1 to 255 bytes without control "
                           "characters",
                       .pointer = rule.from.name};
    }
    std::string key(value->as_string());
    std::string sent_as = key_header_value(key).value_or("");
    return std::optional(RequestKey{std::move(key), std::move(sent_as)});
}

// A tenant like any other: `*` means all of them, in tokens.
TenantOrProblem checked_tenant(std::string tenant, const std::string& place,
                               const std::string& pointer) {
    if (!is_name(tenant) || tenant == "*") {
        return invalid(
            "the tenant in " + place +
                " must have 1 to 255 bytes without control characters, and cannot be `*`",
            pointer);
    }
    return tenant;
}

TenantOrProblem tenant_in_header(const net::Request& request, const std::string& name) {
    const std::string* value = request.header(name);
    if (value == nullptr || request.count(name) > 1) {
        return invalid("the header `" + name + "` names the tenant and must occur exactly once");
    }
    return checked_tenant(*value, "the header `" + name + "`", "");
}

// The digits of a whole number, or nullopt. 5 and 5.0 are one number.
std::optional<std::string> whole_number(json::Value value) {
    if (const auto number = value.as_int64()) {
        return std::to_string(*number);
    }
    const std::string_view text = value.number_text();
    const bool is_plain =
        text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0) == std::string_view::npos;
    return is_plain ? std::optional(std::string(text)) : std::nullopt;
}

TenantOrProblem tenant_in_body(const RequestBody* body, const std::string& pointer) {
    const auto root = body != nullptr ? body->json() : std::nullopt;
    const auto value = root ? json::resolve(*root, pointer) : std::nullopt;
    if (value && value->is_string()) {
        return checked_tenant(std::string(value->as_string()), "the body", pointer);
    }
    if (value && value->is_number()) {
        if (const auto number = whole_number(*value)) {
            return checked_tenant(*number, "the body", pointer);
        }
    }
    return invalid(
        "the body names the tenant and must be JSON with a string or a whole number here", pointer);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    return out;
}

// The values of one cookie, in the order of the request.
std::vector<std::string_view> cookies(const net::Request& request, std::string_view name) {
    std::vector<std::string_view> values;
    for (const net::Header& header : request.headers) {
        if (!net::iequals(header.name, "cookie")) continue;
        for (std::string_view rest = header.value; !rest.empty();) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            std::string_view pair = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
            pair = pair.substr(0, pair.find_last_not_of(" \t") + 1);
            const std::size_t equals = pair.find('=');
            if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
                values.push_back(pair.substr(equals + 1));
            }
        }
    }
    return values;
}

std::vector<std::string_view> values_of(const net::Request& request, const PrincipalPart& part) {
    if (!part.cookie.empty()) {
        return cookies(request, part.cookie);
    }
    std::vector<std::string_view> values;
    for (const net::Header& header : request.headers) {
        if (net::iequals(header.name, part.header)) values.emplace_back(header.value);
    }
    return values;
}

}  // namespace

bool method_claims(std::string_view method) {
    return method != "GET" && method != "HEAD" && method != "OPTIONS" && method != "TRACE";
}

bool reads_body(const GatewayRoute& route) {
    const bool reads_tenant = route.tenant && route.tenant->kind == TenantRule::Kind::json;
    const bool reads_key =
        route.idempotency_key && route.idempotency_key->from.kind == RequestPlace::Kind::json;
    const bool reads_fields = route.guard && !route.guard->fields.empty();
    return reads_tenant || reads_key || reads_fields;
}

std::variant<std::optional<RequestKey>, Problem> read_key(const net::Request& request,
                                                          const RequestBody& body,
                                                          const KeyRule& rule) {
    return rule.from.kind == RequestPlace::Kind::header ? key_in_header(request, rule)
                                                        : key_in_body(body, rule);
}

std::variant<std::string, Problem> read_tenant(const net::Request& request, const RequestBody* body,
                                               const GatewayRoute& route,
                                               const std::string* token_tenant) {
    if (!route.tenant || route.tenant->kind == TenantRule::Kind::token) {
        return token_tenant != nullptr ? *token_tenant : std::string("default");
    }
    switch (route.tenant->kind) {
        case TenantRule::Kind::header: return tenant_in_header(request, route.tenant->value);
        case TenantRule::Kind::json: return tenant_in_body(body, route.tenant->value);
        case TenantRule::Kind::token:
        case TenantRule::Kind::fixed: break;
    }
    return route.tenant->value;
}

Hash256 principal_of(const net::Request& request, const GatewayRoute& route) {
    FieldHasher hasher("semel.gateway.principal");
    for (const PrincipalPart& part : route.principal) {
        const std::vector<std::string_view> values = values_of(request, part);
        hasher.field(lower(part.header)).field(part.cookie).field(std::to_string(values.size()));
        for (const std::string_view value : values) hasher.field(value);
    }
    return hasher.finish();
}

}  // namespace semel::gateway
