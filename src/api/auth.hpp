// Who is calling: API tokens, their scopes and their tenants.
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

#include "core/problem.hpp"
#include "core/rows.hpp"
#include "net/http.hpp"

namespace semel {

// What a route asks of its caller.
enum class Access {
    open,     // nothing
    details,  // nothing; with `read` it tells more
    read,
    write,
    work,
    admin,
};

struct Caller {
    std::string tenant;
    std::string token_id;  // empty without a token
    unsigned scopes = 0;
    std::shared_ptr<const ApiToken> token = {};  // null without one

    [[nodiscard]] bool may(AccessScope scope) const {
        return (scopes & (scope_bit(scope) | scope_bit(AccessScope::admin))) != 0;
    }
};

inline constexpr std::string_view kDefaultTenant = "default";

[[nodiscard]] std::string_view to_string(AccessScope scope);
[[nodiscard]] std::optional<AccessScope> parse_access_scope(std::string_view text);

// A new secret of 256 bits: "semel_" and 64 hex digits. It is shown once and never kept.
[[nodiscard]] std::string make_secret();
[[nodiscard]] Hash256 hash_secret(std::string_view secret);

// The API tokens, in memory. Thread-safe.
class TokenRegistry {
public:
    // Changes with every add() and remove().
    [[nodiscard]] std::uint64_t version() const;
    // Takes what the store has. `version` is from before it was asked; false: something was added
    // or removed since, which that answer may lack, and nothing was taken.
    [[nodiscard]] bool load(std::vector<ApiToken> tokens, std::uint64_t version);
    void add(ApiToken token);
    void remove(const Uuid& id);

    [[nodiscard]] bool empty() const;
    // Whether it has not been deleted.
    [[nodiscard]] bool has(const ApiToken& token) const;
    // Whether somebody can manage tokens: one with `admin` has not expired.
    [[nodiscard]] bool has_admin(Time now) const;
    // The token with this secret, expired or not.
    [[nodiscard]] std::shared_ptr<const ApiToken> find(std::string_view secret) const;
    [[nodiscard]] std::vector<ApiToken> newest_first() const;

private:
    mutable std::shared_mutex mutex_;
    // Guarded by mutex_.
    std::unordered_map<Hash256, std::shared_ptr<const ApiToken>> by_hash_;
    std::uint64_t version_ = 0;
};

// Lets a request in, or says why not. `allows_anonymous`: this listener is for loopback alone.
[[nodiscard]] std::variant<Caller, Problem> authenticate(const net::Request& request, Access access,
                                                         const TokenRegistry& tokens,
                                                         bool allows_anonymous, Time now);

// Whether somebody who was let in before would still be.
[[nodiscard]] bool is_still_let_in(const Caller& caller, const TokenRegistry& tokens, Time now);

}  // namespace semel
