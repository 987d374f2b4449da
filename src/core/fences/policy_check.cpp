#include "core/fences/policy_check.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/json/json_pointer.hpp"

namespace semel {
namespace {

// Returns a duration in the largest exact unit, as the configuration writes it.
std::string written(Millis duration) {
    constexpr std::array kUnits = {std::pair(Millis(std::chrono::hours(24)), 'd'),
                                   std::pair(Millis(std::chrono::hours(1)), 'h'),
                                   std::pair(Millis(std::chrono::minutes(1)), 'm'),
                                   std::pair(Millis(std::chrono::seconds(1)), 's')};
    for (const auto& [unit, letter] : kUnits) {
        if (duration % unit == Millis(0)) {
            return fmt::format("{}{}", duration / unit, letter);
        }
    }
    return fmt::format("{}ms", duration.count());
}

std::int64_t days_above(Millis duration) {
    const Millis day = std::chrono::hours(24);
    return (duration + day - Millis(1)) / day;
}

class Check {
public:
    explicit Check(const CheckedSetup& setup) : setup_(setup), findings_(validate(setup.policy)) {}

    std::vector<Finding> run() {
        // A policy with an error is not checked further.
        if (first_error(findings_) == nullptr) {
            const FencePolicy policy = apply(setup_.policy);
            for (const Provider& provider : setup_.providers) check_provider(provider, policy);
            for (const CheckedSource& source : setup_.sources) check_source(source, policy);
        }
        check_store();
        for (const CheckedRoute& route : setup_.routes) check_route(route);
        std::stable_sort(
            findings_.begin(), findings_.end(),
            [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
        return std::move(findings_);
    }

private:
    void error(std::string where, std::string detail, std::string fix) {
        findings_.push_back({Severity::error, std::move(where), std::move(detail), std::move(fix)});
    }
    void warn(std::string where, std::string detail, std::string fix) {
        findings_.push_back(
            {Severity::warning, std::move(where), std::move(detail), std::move(fix)});
    }

    void check_store() {
        if (setup_.policy.fence_store == FenceStore::redis && setup_.is_strict) {
            error("stores.fence",
                  "`durability: strict` promises that what was acknowledged survives, which Redis "
                  "cannot",
                  "write stores.fence: main, or durability: store");
        }
    }

    // Claims that name their provider are remembered long enough under any policy. Claims without a
    // provider have the retention of webhooks.
    void check_provider(const Provider& provider, const FencePolicy& policy) {
        const Millis usual = policy.webhook.ttl;
        const Millis remembered = remembered_for(usual, provider.horizon);
        if (usual < remembered) {
            warn("stores.ttl.webhook_days",
                 fmt::format("`{0}` repeats events for {1}. Claims of the class webhook whose "
                             "sourceType is `{0}` are remembered for {2}, {3} times that; others "
                             "for {4} only",
                             provider.name, written(provider.horizon), written(remembered),
                             kHorizonMargin, written(usual)),
                 fmt::format("give its claims the sourceType `{}`, or write {} days or more",
                             provider.name, days_above(remembered)));
        }
    }

    void check_source(const CheckedSource& source, const FencePolicy& policy) {
        const Provider* provider = find_provider(source.provider);
        check_fields(fmt::format("sources.{}.deduplication", source.name), source.key_fields);
        check_fields(fmt::format("sources.{}.subject", source.name), {source.subject});
        if (!source.horizon && provider == nullptr) {
            warn(fmt::format("sources.{}.horizon", source.name),
                 "how long its provider repeats an event is not known, so nothing can be said "
                 "about the window",
                 "write the horizon that the provider documents");
            return;
        }
        const Millis horizon =
            source.horizon.value_or(provider != nullptr ? provider->horizon : Millis(0));
        const Millis needed = horizon * kHorizonMargin;
        const Millis remembered =
            source.remembered.value_or(remembered_for(policy.webhook.ttl, horizon));
        if (remembered < needed) {
            error(fmt::format("sources.{}.ttl", source.name),
                  fmt::format("events of `{}` are remembered for {}, and may be repeated for {}; "
                              "with the margin of {} that is {}",
                              source.name, written(remembered), written(horizon), kHorizonMargin,
                              written(needed)),
                  fmt::format("write {} days or more", days_above(needed)));
        } else if (provider != nullptr && remembered < provider->horizon * kHorizonMargin) {
            warn(
                fmt::format("sources.{}.horizon", source.name),
                fmt::format("`{}` repeats events for {}, longer than {}; they are remembered for "
                            "{} only",
                            provider->name, written(provider->horizon), written(horizon),
                            written(remembered)),
                fmt::format("write {}, unless yours repeats for less", written(provider->horizon)));
        }
    }

    void check_route(const CheckedRoute& route) {
        const std::string where = fmt::format("gateway.routes.{}", route.name);
        if (!route.has_tenant) {
            warn(where + ".tenant",
                 "all requests have the tenant `default`, so different tenants share their keys",
                 "write where the tenant is: { json: /workspaceId }, { header: x-workspace-id } "
                 "or { fixed: NAME }");
        }
        if (!route.has_auth) {
            warn(where + ".auth", "anybody who knows a key can have the answer replayed",
                 "write auth: semel or { jwt: … }");
        }
        check_remembered(where + ".idempotency_key.ttl", route.ttl, route.timeout);
        check_remembered(where + ".guard.window", route.window, route.timeout);
        check_fields(where + ".guard.fields", route.key_fields);
        if (route.window) check_other_spellings(where + ".guard", route);
    }

    // Many services take `/a` and `/a/` alike, and a wildcard takes the one that is not guarded.
    void check_other_spellings(const std::string& where, const CheckedRoute& guarded) {
        for (const CheckedRoute& other : setup_.routes) {
            const std::string_view path = other.path;
            const bool covers = path.ends_with("/*") &&
                                (guarded.path + "/").starts_with(path.substr(0, path.size() - 1));
            if (covers && !other.window) {
                warn(where,
                     fmt::format("another spelling of this path, like one with a last `/`, goes to "
                                 "the route `{}` (`{}`), which has no guard",
                                 other.name, other.path),
                     "give that route a path that does not cover this one, or the same guard");
            }
        }
    }

    void check_remembered(const std::string& where, std::optional<Millis> remembered,
                          Millis timeout) {
        if (remembered && *remembered <= timeout) {
            error(
                where,
                fmt::format("a request is remembered for {}, and its upstream has {} to answer: a "
                            "repeat could be sent while the first is at work",
                            written(*remembered), written(timeout)),
                fmt::format("write more than {}", written(timeout)));
        }
    }

    void check_fields(const std::string& where, const std::vector<std::string>& fields) {
        for (const std::string& field : fields) {
            const std::string_view kind = volatile_kind(field);
            if (!kind.empty()) {
                warn(where,
                     fmt::format("`{}` looks like a {}: each request would have a key of its own",
                                 field, kind),
                     "leave it out of the key");
            }
        }
    }

    const CheckedSetup& setup_;
    std::vector<Finding> findings_;
};

// createdAt, created_at, CREATED-AT: created, at.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    bool was_lower = false;
    for (const char c : name) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_lower = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if ((!is_upper && !is_lower) || (is_upper && was_lower)) {
            words.emplace_back();
        }
        if (is_upper || is_lower) {
            words.back() += is_upper ? static_cast<char>(c + 32) : c;
        }
        was_lower = is_lower;
    }
    std::erase(words, "");
    return words;
}

template <std::size_t Size>
bool has(const std::array<std::string_view, Size>& all, std::string_view word) {
    return std::find(all.begin(), all.end(), word) != all.end();
}

constexpr std::array<std::string_view, 8> kTimes = {"timestamp", "time", "date",  "datetime",
                                                    "ts",        "now",  "epoch", "when"};
constexpr std::array<std::string_view, 6> kRandoms = {"nonce", "random", "rand",
                                                      "salt",  "uuid",   "guid"};
// Names that with `id` at their end change with each call.
constexpr std::array<std::string_view, 6> kOfCalls = {"request",     "trace",   "span",
                                                      "correlation", "attempt", "retry"};

}  // namespace

std::string_view volatile_kind(std::string_view pointer) {
    const auto tokens = json::parse_pointer(pointer);
    const std::vector<std::string> words =
        words_of(tokens && !tokens->empty() ? tokens->back() : std::string(pointer));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_last = i + 1 == words.size();
        if (has(kTimes, words[i]) || (words[i] == "at" && is_last && i > 0)) {
            return "timestamp";
        }
        const bool is_calls_id = has(kOfCalls, words[i]) && !is_last && words[i + 1] == "id";
        if (has(kRandoms, words[i]) || is_calls_id) {
            return "random value";
        }
    }
    return "";
}

std::vector<Finding> check(const CheckedSetup& setup) {
    return Check(setup).run();
}

const Finding* first_error(const std::vector<Finding>& findings) {
    const auto found = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity == Severity::error;
    });
    return found == findings.end() ? nullptr : &*found;
}

}  // namespace semel
