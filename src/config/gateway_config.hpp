// GatewayConfig and GatewayRoute: the section `gateway` of a configuration, with its defaults.
// docs/reference/config.md explains each member. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/ip_range.hpp"
#include "base/time.hpp"
#include "config/listen_address.hpp"

namespace semel {

// What a route does if the store is unavailable.
enum class FailMode {
    closed,  // answers 503
    open,    // forwards the request without claims
};

// A place in a request that a value is read from.
struct RequestPlace {
    enum class Kind { header, json };

    Kind kind = Kind::header;
    std::string name;  // of the header, or a JSON pointer into the body
};

struct TenantRule {
    enum class Kind { header, json, token, fixed };

    Kind kind = Kind::fixed;
    std::string value;  // name of the header, JSON pointer, or the tenant; empty for `token`
};

// A header whose value belongs to the caller's identity, or one cookie of it.
struct PrincipalPart {
    std::string header;
    std::string cookie = {};  // empty: the whole header
};

struct KeyRule {
    bool is_required = false;
    RequestPlace from = {RequestPlace::Kind::header, "idempotency-key"};
    Millis ttl = std::chrono::hours(24);
    Millis wait = std::chrono::seconds(3);
    int conflict_status = 409;
    bool releases_5xx = false;
    FailMode fail_mode = FailMode::closed;
};

// An answer whose body says that nothing was done, although its status is a success.
struct FailedAnswer {
    std::string pointer;  // into the answer's body
    std::string equals;   // the value there, as JSON
};

// Requests with the same content are sent once in a window, whatever their keys.
struct GuardRule {
    // JSON pointers into the body. Empty: method, path, query and body are compared.
    std::vector<std::string> fields = {};
    Millis window = std::chrono::minutes(15);
    Millis wait = std::chrono::seconds(3);
    bool refuses_in_flight = false;  // with 409; otherwise the answer is 200 without a message
    std::optional<FailedAnswer> failed_when = {};
    FailMode fail_mode = FailMode::open;
    std::vector<std::string> null_fields = {};  // further members of the answer in flight
    // Texts for people. In the first one `{age}` is the time since the request was sent.
    std::string duplicate_message =
        "The same request was sent {age} ago. This is its answer; nothing was sent again.";
    std::string in_flight_message =
        "The same request is being sent now. Nothing was sent again; repeat the request when it is "
        "done.";
};

struct GatewayRoute {
    std::string name;
    std::vector<std::string> methods = {};  // empty: all
    std::string path;                       // a pattern: /a, /a/{id}/b, /a/*
    std::string upstream;                   // a URL; its path is put before the request's
    bool keeps_host = false;                // the upstream gets the client's Host
    Millis timeout = std::chrono::seconds(30);
    Millis connect_timeout = std::chrono::seconds(5);
    int max_connections = 128;
    std::optional<std::size_t> max_body = {};  // absent: 1 MiB for requests that claim
    std::size_t max_stored_body = std::size_t{1} << 20;
    std::optional<TenantRule> tenant = {};
    std::vector<PrincipalPart> principal = {
        {"authorization"}, {"cookie"}, {"x-api-key"}, {"api-key"}};
    std::optional<KeyRule> idempotency_key = {};  // absent: the route claims no keys
    std::optional<GuardRule> guard = {};          // absent: the route claims no contents
    std::vector<std::string> replay_headers = {"location", "etag"};
};

struct GatewayConfig {
    ListenAddress listen{"127.0.0.1", 7364};
    std::vector<IpRange> trusted_proxies;  // whose X-Forwarded-* are kept
    std::vector<GatewayRoute> routes;      // in the order of the file; empty: no gateway
};

}  // namespace semel
