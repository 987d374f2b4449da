// The table of routes: what is served, for whom, and what a request may carry.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "api/auth.hpp"
#include "api/problem_json.hpp"

namespace semel {

struct Call;

enum class BodyUse { none, optional, required };

inline constexpr std::size_t kBodyBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kBatchBodyBytesMax = std::size_t{16} << 20;

struct Route {
    std::string_view method;   // GET also serves HEAD
    std::string_view pattern;  // "/v1/actions/{id}/run": one variable at most
    Access access = Access::admin;
    void (*handler)(Call&& call) = nullptr;
    BodyUse body = BodyUse::none;
    std::size_t body_bytes_max = kBodyBytesMax;
    bool accepts_idempotency_key = false;
    bool takes_query = false;
    Repeat repeat = Repeat::with_key;
};

[[nodiscard]] std::span<const Route> routes();

struct Match {
    const Route* route = nullptr;
    std::string value;  // of the pattern's variable
};

[[nodiscard]] Match find_route(std::span<const Route> table, std::string_view method,
                               std::string_view path);

// The methods that this path has, as in the header Allow; empty for an unknown path.
[[nodiscard]] std::string allowed_methods(std::span<const Route> table, std::string_view path);

}  // namespace semel
