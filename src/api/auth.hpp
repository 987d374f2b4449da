// Authentication: the API tokens with their scopes and tenants, and the check that admits a
// request. authenticate() returns a Problem if it refuses the request.
//
// Pure, except make_secret(), which is random, and calls that use a TokenRegistry, which has state.
// Threads: any. TokenRegistry has a lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/batch/rows.hpp"
#include "core/problem.hpp"
#include "net/http.hpp"

namespace semel {

// The scope that a route requires of its caller.
enum class Access {
    open,     // nothing
    details,  // nothing; with `read` the answer shows more
    read,
    write,
    work,
    admin,
};

// An admitted caller.
struct Caller {
    std::string tenant;
    std::string token_id;  // empty without a token
    unsigned scopes = 0;
    std::shared_ptr<const ApiToken> token = {};  // null without a token

    // Returns true if the caller has this scope. `admin` includes every other.
    [[nodiscard]] bool may(AccessScope scope) const {
        return (scopes & (scope_bit(scope) | scope_bit(AccessScope::admin))) != 0;
    }
};

inline constexpr std::string_view kDefaultTenant = "default";

[[nodiscard]] std::string_view to_string(AccessScope scope);
[[nodiscard]] std::optional<AccessScope> parse_access_scope(std::string_view text);

// Returns a new random secret of 256 bits: "semel_" and 64 hex digits. The client receives it once;
// the store has its hash alone.
[[nodiscard]] std::string make_secret();
// Returns the SHA-256 of the secret.
[[nodiscard]] Hash256 hash_secret(std::string_view secret);

// The API tokens of all tenants in memory, a copy of the store's rows. The caller keeps the copy
// equal to the store: it calls add() and remove() after each commit, and load() for other nodes'
// changes.
class TokenRegistry {
public:
    // Returns a number that every add() and remove() changes.
    [[nodiscard]] std::uint64_t version() const;
    // Replaces all tokens by `tokens`, which were read from the store. `version` must be the value
    // of version() before that read. Returns false and changes nothing if add() or remove() was
    // called since: `tokens` might lack that change.
    [[nodiscard]] bool load(std::vector<ApiToken> tokens, std::uint64_t version);
    void add(ApiToken token);
    void remove(const Uuid& id);

    [[nodiscard]] bool empty() const;
    // Returns false once the token is deleted.
    [[nodiscard]] bool has(const ApiToken& token) const;
    // Returns true if a token with the scope `admin` exists that has not expired.
    [[nodiscard]] bool has_admin(Time now) const;
    // Returns the token with this secret, expired or not, or null.
    [[nodiscard]] std::shared_ptr<const ApiToken> find(std::string_view secret) const;
    // Returns all tokens, by descending id.
    [[nodiscard]] std::vector<ApiToken> newest_first() const;

private:
    mutable std::shared_mutex mutex_;
    // Guarded by mutex_.
    std::unordered_map<Hash256, std::shared_ptr<const ApiToken>> by_hash_;
    std::uint64_t version_ = 0;
};

// Admits a request to a route with this `access`, or returns the Problem: `unauthorized`,
// `forbidden`, or `invalid` for a bad `Semel-Tenant`.
//
// `allows_anonymous`: the listener's address is loopback. Then, while no token exists, a loopback
// client without `Authorization` has all scopes. `now` is the store's time.
[[nodiscard]] std::variant<Caller, Problem> authenticate(const net::Request& request, Access access,
                                                         const TokenRegistry& tokens,
                                                         bool allows_anonymous, Time now);

// Returns true if an admitted caller would be admitted again. Returns false if its token is deleted
// or has expired, or if it has no token and a token exists now.
[[nodiscard]] bool is_still_let_in(const Caller& caller, const TokenRegistry& tokens, Time now);

}  // namespace semel
