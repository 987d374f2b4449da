// The table of routes (handler, required access and permitted content per method and path), and the
// search in it. Pure. Threads: any.
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

// A row of the table. The characters of its texts live as long as the process.
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

// Returns the table. If several routes fit a request, the first one is used.
[[nodiscard]] std::span<const Route> routes();

struct Match {
    const Route* route = nullptr;  // null: no route fits
    std::string value;             // of the pattern's variable, still percent-encoded
};

// Returns the route for `method` and the raw `path`; a HEAD finds the GET.
[[nodiscard]] Match find_route(std::span<const Route> table, std::string_view method,
                               std::string_view path);

// Returns the path's methods as the header Allow lists them; empty for an unknown path.
[[nodiscard]] std::string allowed_methods(std::span<const Route> table, std::string_view path);

}  // namespace semel
