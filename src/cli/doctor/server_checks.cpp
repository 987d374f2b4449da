#include "cli/doctor/server_checks.hpp"

#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/doctor/clock_words.hpp"
#include "cli/version.hpp"
#include "config/listen_address.hpp"
#include "core/json/json.hpp"

namespace semel::cli {

namespace {

constexpr Millis kPatience = std::chrono::seconds(10);
constexpr Millis kServerLately = std::chrono::hours(1);
constexpr std::int64_t kOffsetMsMax = 1000;
constexpr int kPage = 500;             // of a list: the most that one answer holds
constexpr std::size_t kTypesMax = 20;  // a question each

// Sends requests, and adds a finding for each failed one.
class Server {
public:
    Server(Checkup& checkup, std::unique_ptr<Caller> caller)
        : checkup_(checkup), caller_(std::move(caller)) {}

    [[nodiscard]] Result<net::Response> get(const std::string& target) {
        ApiCall call;
        call.target = target;
        call.timeout = kPatience;
        return caller_->call(call);
    }

    // Returns the answer's document, or nullopt after it has added a finding named `check`.
    [[nodiscard]] std::optional<json::Document> ask(const std::string& check,
                                                    const std::string& target) {
        const auto response = get(target);
        if (!response) {
            checkup_.bad(check, response.error().message(), "see the server's log");
            return std::nullopt;
        }
        if (response->status >= 300) {
            const bool wants_token = response->status == 401 || response->status == 403;
            checkup_.warn(check, describe_problem(*response),
                          wants_token
                              ? "give an API token with the scope read: --token, SEMEL_TOKEN"
                              : "see the server's log");
            return std::nullopt;
        }
        auto parsed = json::Document::parse(response->body);
        if (!parsed) {
            checkup_.bad(check, target + " is answered by something that is not Semel",
                         "look at the URL");
            return std::nullopt;
        }
        return std::move(parsed).value();
    }

private:
    Checkup& checkup_;
    const std::unique_ptr<Caller> caller_;
};

std::int64_t integer_at(json::Value object, std::string_view name) {
    return std::atoll(text_at(object, name).c_str());
}

void check_version(Checkup& checkup, json::Value readiness) {
    const std::string version = text_at(readiness, "version");
    if (version.empty()) {
        checkup.warn("version", "shown with an API token only",
                     "give one with the scope read: --token, SEMEL_TOKEN");
    } else if (version != kVersion) {
        checkup.warn("version",
                     fmt::format("the server is {}, this program is {}", version, kVersion),
                     "use the same version for both");
    } else {
        checkup.good("version", version + ", as this program");
    }
}

void check_store_of(Checkup& checkup, json::Value readiness) {
    const auto store = readiness.find("store");
    if (!store || !store->is_object()) {
        return;  // said under `version`
    }
    checkup.good("store", text_at(*store, "kind") + ", " + text_at(*store, "location"));
    const std::string durability = text_at(*store, "durability");
    if (text_at(*store, "durable") == "true") {
        checkup.good("durability", durability);
    } else {
        checkup.warn("durability", durability, "`durability: strict` refuses such a store");
    }
    const std::int64_t offset = integer_at(readiness, "clockOffsetMs");
    if (std::abs(offset) <= kOffsetMsMax) {
        checkup.good("clock", fmt::format("{} ms from the wall clock", offset));
    } else {
        warn_of_clock(checkup, Millis(offset));
    }
}

void check_warnings(Checkup& checkup, json::Value readiness) {
    const auto warnings = readiness.find("warnings");
    if (!warnings || !warnings->is_array()) {
        return;  // said under `version`
    }
    for (const json::Value warning : warnings->elements()) {
        checkup.warn(text_at(warning, "name"), text_at(warning, "detail"), text_at(warning, "fix"));
    }
}

void check_ready(Checkup& checkup, const net::Response& response, json::Value readiness) {
    if (response.status < 300) {
        checkup.good("ready", "the store can be read and written");
        return;
    }
    std::string why;
    if (const auto causes = readiness.find("causes"); causes && causes->is_array()) {
        for (const json::Value cause : causes->elements()) {
            why += (why.empty() ? "" : "; ") + text_at(cause, "detail");
        }
    }
    checkup.bad("ready", why.empty() ? "it is not" : why, "see the server's log");
}

// Returns the value of a metric without labels, or 0 without the metric.
std::int64_t metric(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos
               ? 0
               : static_cast<std::int64_t>(std::atof(text.c_str() + at + name.size() + 2));
}

void check_commits(Checkup& checkup, Server& server) {
    const auto response = server.get("/metrics");
    if (!response || response->status >= 300) {
        return;  // no token; said already
    }
    const std::int64_t unknown = metric(response->body, "semel_commit_unknown_total");
    const std::int64_t refused = metric(response->body, "semel_store_errors_total");
    if (unknown > 0) {
        checkup.warn("commits", fmt::format("{} of unknown fate since the server started", unknown),
                     "callers were told so; look at the disk and at the server's log");
    } else if (refused > 0) {
        checkup.warn("commits", fmt::format("{} failed since the server started", refused),
                     "callers were told so; see the server's log");
    } else {
        checkup.good("commits", "none failed since the server started");
    }
}

// Returns the oldest due action of each type on the newest page.
std::map<std::string, json::Value> oldest_due(json::Value list, Time now) {
    std::map<std::string, json::Value> oldest;
    const auto items = list.find("items");
    if (!items || !items->is_array()) {
        return oldest;
    }
    for (const json::Value item : items->elements()) {
        const auto scheduled = parse_rfc3339(text_at(item, "scheduledAt"));
        if (!scheduled || *scheduled > now || oldest.size() >= kTypesMax) {
            continue;
        }
        const auto [found, is_new] = oldest.try_emplace(text_at(item, "type"), item);
        if (!is_new && text_at(item, "scheduledAt") < text_at(found->second, "scheduledAt")) {
            found->second = item;
        }
    }
    return oldest;
}

void check_workers(Checkup& checkup, Server& server, Time now) {
    const auto pending =
        server.ask("workers", fmt::format("/v1/actions?status=pending&limit={}", kPage));
    if (!pending) {
        return;
    }
    std::string idle;
    std::string type_of_first;
    for (const auto& [type, action] : oldest_due(pending->root(), now)) {
        const auto shown =
            server.ask("workers", "/v1/actions/" + percent_encode(text_at(action, "id")));
        const auto waiting = shown ? shown->root().find("waitingFor") : std::nullopt;
        if (waiting && waiting->is_object() && text_at(*waiting, "reason") == "no_worker") {
            idle += fmt::format("{}`{}` since {}", idle.empty() ? "" : ", ", type,
                                text_at(action, "scheduledAt"));
            type_of_first = type_of_first.empty() ? type : type_of_first;
        }
    }
    if (idle.empty()) {
        checkup.good("workers", "due work of every type has one");
    } else {
        checkup.warn("workers", "nobody asks for due work of type " + idle,
                     "start one: semel work --type " + type_of_first);
    }
}

void check_failures(Checkup& checkup, Server& server, Time now) {
    const auto failed =
        server.ask("failures", fmt::format("/v1/actions?status=failed&limit={}", kPage));
    if (!failed) {
        return;
    }
    int lately = 0;
    int looked_at = 0;
    if (const auto items = failed->root().find("items"); items && items->is_array()) {
        for (const json::Value item : items->elements()) {
            const auto ended = parse_rfc3339(text_at(item, "completedAt"));
            lately += ended && *ended > now - kServerLately ? 1 : 0;
            ++looked_at;
        }
    }
    if (lately == 0) {
        checkup.good("failures", "none in the last hour");
    } else {
        checkup.warn("failures",
                     fmt::format("{}{} failed in the last hour",
                                 looked_at == kPage ? "at least " : "", lately),
                     "semel actions list --status failed");
    }
}

// Adds a warning for each schedule that has stopped or will stop.
void check_schedules(Checkup& checkup, Server& server) {
    const auto list = server.ask("schedules", fmt::format("/v1/schedules?limit={}", kPage));
    const auto items = list ? list->root().find("items") : std::nullopt;
    if (!items || !items->is_array()) {
        return;
    }
    std::string stopped;
    std::string why;
    for (const json::Value item : items->elements()) {
        if (text_at(item, "fault").empty()) continue;
        stopped += (stopped.empty() ? "`" : ", `") + text_at(item, "name") + "`";
        if (why.empty()) why = text_at(item, "fault");
    }
    if (stopped.empty()) {
        checkup.good("schedules", "each of them goes on");
    } else {
        checkup.warn("schedules", fmt::format("{} cannot go on: {}", stopped, why),
                     "mend the rule or the time zone, then resume or put the schedule");
    }
}

void check_way(Checkup& checkup, const ConnectionOptions& connection) {
    const auto url = net::Url::parse(connection.url);
    if (!url || url->is_tls()) {
        return;
    }
    ListenAddress address;
    address.host = url->host;
    if (!address.is_loopback()) {
        checkup.warn("exposure", connection.url + " is not encrypted",
                     "set tls.cert and tls.key of the server, and use https");
    }
}

}  // namespace

void check_server(Checkup& checkup, const ConnectionOptions& connection, Time now) {
    const auto factory = CallerFactory::open(connection);
    if (!factory) {
        checkup.bad("server", factory.error().message(), "mend the options");
        return;
    }
    Server server(checkup, factory->make());
    const auto response = server.get("/readyz");
    if (!response) {
        checkup.bad("server", "no answer: " + response.error().message(),
                    "is `semel serve` running? A store without a server is looked at with --store");
        return;
    }
    const auto readiness = json::Document::parse(response->body);
    if (!readiness || !readiness->root().is_object() ||
        (response->status != 200 && response->status != 503)) {
        checkup.bad("server", fmt::format("{} answers {}", connection.url, response->status),
                    "is that a Semel server, under a name that it knows (`hosts`)?");
        return;
    }
    checkup.good("server", connection.url + " answers");
    check_way(checkup, connection);
    check_ready(checkup, *response, readiness->root());
    check_version(checkup, readiness->root());
    check_store_of(checkup, readiness->root());
    check_warnings(checkup, readiness->root());
    check_commits(checkup, server);
    check_workers(checkup, server, now);
    check_failures(checkup, server, now);
    check_schedules(checkup, server);
}

}  // namespace semel::cli
