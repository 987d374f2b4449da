// Resolver: finds the addresses of a host name without blocking an io thread.
//
// Errors: `not_found`, with the reason.
// Threads: any.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace semel::net {

class IoThread;

class Resolver {
public:
    // Literal addresses, in the order to try them; at least one.
    using Addresses = Result<std::vector<std::string>>;
    using Done = std::function<void(Addresses)>;

    Resolver() = default;
    virtual ~Resolver() = default;
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    // Calls `done` later, on `thread`.
    virtual void resolve(const std::string& host, IoThread& thread, Done done) = 0;
};

struct ResolverOptions {
    int threads_max = 32;
    std::chrono::milliseconds keep{10'000};  // how long an answer or a failure is reused
    // Blocks until the addresses are known. Empty: getaddrinfo().
    std::function<Resolver::Addresses(const std::string& host)> look_up = {};
};

// Returns a resolver over getaddrinfo(), which follows the machine's own rules. Look-ups run on
// threads that are started when needed, each name at most once at a time.
// Lifetime: the io threads must outlive it. When it is destroyed, `done` of every look-up that has
// not ended is dropped.
[[nodiscard]] std::shared_ptr<Resolver> make_resolver(ResolverOptions options = {});

}  // namespace semel::net
