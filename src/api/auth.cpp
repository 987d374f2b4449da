#include "api/auth.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

constexpr std::string_view kSecretPrefix = "semel_";
constexpr std::size_t kSecretBytes = 32;
constexpr unsigned kAllScopes = scope_bit(AccessScope::read) | scope_bit(AccessScope::write) |
                                scope_bit(AccessScope::work) | scope_bit(AccessScope::admin);

constexpr std::array kScopes = {AccessScope::read, AccessScope::write, AccessScope::work,
                                AccessScope::admin};

std::string_view as_text(const Hash256& hash) {
    return {reinterpret_cast<const char*>(hash.bytes.data()), hash.bytes.size()};
}

Problem unauthorized(std::string detail) {
    return {.code = ProblemCode::unauthorized, .detail = std::move(detail)};
}

Problem forbidden(std::string detail) {
    return {.code = ProblemCode::forbidden, .detail = std::move(detail)};
}

// Returns the secret in `Authorization: Bearer …`, or "" for another form.
std::string_view bearer_secret(std::string_view header) {
    constexpr std::string_view kScheme = "Bearer ";
    if (header.size() <= kScheme.size() ||
        !net::iequals(header.substr(0, kScheme.size()), kScheme)) {
        return {};
    }
    header.remove_prefix(kScheme.size());
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

std::optional<AccessScope> scope_of(Access access) {
    switch (access) {
        case Access::open:
        case Access::details: return std::nullopt;
        case Access::read: return AccessScope::read;
        case Access::write: return AccessScope::write;
        case Access::work: return AccessScope::work;
        case Access::admin: return AccessScope::admin;
    }
    return AccessScope::admin;
}

bool has_expired(const ApiToken& token, Time now) {
    return token.expires_at && now >= *token.expires_at;
}

std::variant<Caller, Problem> anonymous(const net::Request& request, Access access,
                                        const TokenRegistry& tokens, bool allows_anonymous) {
    if (tokens.empty() && allows_anonymous && request.peer_is_loopback) {
        return Caller{.tenant = std::string(kDefaultTenant), .token_id = {}, .scopes = kAllScopes};
    }
    if (access == Access::details) {
        return Caller{.tenant = std::string(kDefaultTenant), .token_id = {}, .scopes = 0};
    }
    return unauthorized(
        tokens.empty() ? "no token exists yet, and without one only loopback is served; make one "
                         "with `semel token create`"
                       : "send `Authorization: Bearer` with an API token");
}

std::variant<Caller, Problem> by_token(const net::Request& request, const TokenRegistry& tokens,
                                       Time now) {
    const std::string_view secret = bearer_secret(*request.header("authorization"));
    if (secret.empty() || request.count("authorization") > 1) {
        return unauthorized("`Authorization` must be one `Bearer` followed by an API token");
    }
    const auto token = tokens.find(secret);
    if (!token) {
        return unauthorized("this API token is not known; it may have been deleted");
    }
    if (has_expired(*token, now)) {
        return unauthorized("this API token has expired; ask for a new one");
    }
    return Caller{.tenant = token->tenant,
                  .token_id = token->id.to_string(),
                  .scopes = token->scopes,
                  .token = token};
}

// Applies the header Semel-Tenant.
std::optional<Problem> choose_tenant(const net::Request& request, Caller& caller) {
    const std::string* tenant = request.header("semel-tenant");
    if (tenant == nullptr) {
        return std::nullopt;
    }
    if (request.count("semel-tenant") > 1 || !is_name(*tenant)) {
        return invalid(
            "`Semel-Tenant` must occur once and have 1 to 255 bytes of UTF-8 without control "
            "characters");
    }
    if (*tenant != caller.tenant && !caller.may(AccessScope::admin)) {
        return forbidden("this API token is for one tenant; only `admin` may name another");
    }
    caller.tenant = *tenant;
    return std::nullopt;
}

}  // namespace

std::string_view to_string(AccessScope scope) {
    switch (scope) {
        case AccessScope::read: return "read";
        case AccessScope::write: return "write";
        case AccessScope::work: return "work";
        case AccessScope::admin: return "admin";
    }
    return "";
}

std::optional<AccessScope> parse_access_scope(std::string_view text) {
    const auto* const found = std::find_if(kScopes.begin(), kScopes.end(),
                                           [text](AccessScope s) { return to_string(s) == text; });
    return found != kScopes.end() ? std::optional(*found) : std::nullopt;
}

std::string make_secret() {
    const std::string bytes = random_bytes(kSecretBytes);
    return std::string(kSecretPrefix) +
           to_hex(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Hash256 hash_secret(std::string_view secret) {
    return sha256(secret);
}

std::uint64_t TokenRegistry::version() const {
    const std::shared_lock lock(mutex_);
    return version_;
}

bool TokenRegistry::load(std::vector<ApiToken> tokens, std::uint64_t version) {
    const std::unique_lock lock(mutex_);
    if (version != version_) {
        return false;
    }
    by_hash_.clear();
    for (ApiToken& token : tokens) {
        const Hash256 hash = token.secret_hash;
        by_hash_[hash] = std::make_shared<const ApiToken>(std::move(token));
    }
    return true;
}

void TokenRegistry::add(ApiToken token) {
    const std::unique_lock lock(mutex_);
    ++version_;
    const Hash256 hash = token.secret_hash;
    by_hash_[hash] = std::make_shared<const ApiToken>(std::move(token));
}

void TokenRegistry::remove(const Uuid& id) {
    const std::unique_lock lock(mutex_);
    ++version_;
    std::erase_if(by_hash_, [&id](const auto& entry) { return entry.second->id == id; });
}

bool TokenRegistry::empty() const {
    const std::shared_lock lock(mutex_);
    return by_hash_.empty();
}

bool TokenRegistry::has(const ApiToken& token) const {
    const std::shared_lock lock(mutex_);
    return by_hash_.contains(token.secret_hash);
}

bool TokenRegistry::has_admin(Time now) const {
    const std::shared_lock lock(mutex_);
    return std::any_of(by_hash_.begin(), by_hash_.end(), [now](const auto& entry) {
        return (entry.second->scopes & scope_bit(AccessScope::admin)) != 0 &&
               !has_expired(*entry.second, now);
    });
}

// The duration of the lookup depends on the secret's hash, which reveals nothing about the secret.
std::shared_ptr<const ApiToken> TokenRegistry::find(std::string_view secret) const {
    const Hash256 hash = hash_secret(secret);
    const std::shared_lock lock(mutex_);
    const auto found = by_hash_.find(hash);
    if (found == by_hash_.end() ||
        !constant_time_equal(as_text(found->second->secret_hash), as_text(hash))) {
        return nullptr;
    }
    return found->second;
}

std::vector<ApiToken> TokenRegistry::newest_first() const {
    std::vector<ApiToken> tokens;
    {
        const std::shared_lock lock(mutex_);
        tokens.reserve(by_hash_.size());
        for (const auto& [hash, token] : by_hash_) {
            tokens.push_back(*token);
        }
    }
    std::sort(tokens.begin(), tokens.end(),
              [](const ApiToken& a, const ApiToken& b) { return a.id > b.id; });
    return tokens;
}

std::variant<Caller, Problem> authenticate(const net::Request& request, Access access,
                                           const TokenRegistry& tokens, bool allows_anonymous,
                                           Time now) {
    if (access == Access::open) {
        return Caller{.tenant = std::string(kDefaultTenant), .token_id = {}, .scopes = 0};
    }
    auto found = request.header("authorization") == nullptr
                     ? anonymous(request, access, tokens, allows_anonymous)
                     : by_token(request, tokens, now);
    Caller* caller = std::get_if<Caller>(&found);
    if (caller == nullptr) {
        return found;
    }
    const auto scope = scope_of(access);
    if (scope && !caller->may(*scope)) {
        return forbidden(fmt::format("this API token lacks the scope `{}`", to_string(*scope)));
    }
    if (scope) {
        if (auto problem = choose_tenant(request, *caller)) {
            return std::move(*problem);
        }
    }
    return found;
}

bool is_still_let_in(const Caller& caller, const TokenRegistry& tokens, Time now) {
    if (caller.token == nullptr) {
        return tokens.empty();
    }
    return tokens.has(*caller.token) && !has_expired(*caller.token, now);
}

}  // namespace semel
