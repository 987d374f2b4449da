// Dialer: opens connections to other servers. It resolves the name, connects to one address after
// the other, and does the TLS handshake.
//
// Errors: see dial().
// Threads: the io thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/client_tls.hpp"
#include "net/deadline_sweep.hpp"
#include "net/io_thread.hpp"
#include "net/origin.hpp"
#include "net/stream.hpp"

namespace semel::net {

// The handle of a running dial. Lifetime: dropping the handle does not end the dial.
class Dial {
public:
    virtual ~Dial() = default;
    // Ends the dial without a call of `done`. Idempotent.
    virtual void cancel() = 0;
};

class Dialer {
public:
    using Done = std::function<void(Result<std::unique_ptr<Stream>>)>;

    Dialer(IoThread& thread, std::shared_ptr<DeadlineSweep> sweep, DialOptions options)
        : thread_(thread), sweep_(std::move(sweep)), options_(std::move(options)) {}

    // Calls `done` later, once. Errors:
    //   invalid      a certificate file cannot be used
    //   not_found    the name has no address
    //   refused      an address is not allowed
    //   unavailable  no address took the connection, or the TLS handshake failed
    //   timeout      a limit of the options or `by` has passed
    std::shared_ptr<Dial> dial(const Origin& origin, Timed::Clock::time_point by, Done done);

private:
    IoThread& thread_;
    std::shared_ptr<DeadlineSweep> sweep_;
    DialOptions options_;
    std::shared_ptr<ClientTls> tls_ = std::make_shared<ClientTls>();
};

}  // namespace semel::net
