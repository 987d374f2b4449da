// PooledCall: a Call of a CallPool. If its connection has died before the first byte of the
// request, it dials another one, once.
//
// Errors: `on_end` receives them as a CallResult (call.hpp).
// Threads: the io thread.
// Lifetime: the pool holds it until `on_end`.
#pragma once

#include <memory>

#include "net/call.hpp"
#include "net/call_pool_impl.hpp"
#include "net/link_call.hpp"

namespace semel::net {

class PooledCall : public Call, public std::enable_shared_from_this<PooledCall> {
public:
    static std::shared_ptr<PooledCall> start(std::unique_ptr<Reserved::Seat> seat,
                                             CallRequest request, CallListener listener);

    void cancel() override;

private:
    PooledCall(std::unique_ptr<Reserved::Seat> seat, CallRequest request, CallListener listener);

    void begin(CallPool::Impl& pool);
    void send(CallPool::Impl& pool);
    void replace_link(CallPool::Impl& pool);
    void on_end(CallEnd end);
    void finish(CallEnd end);

    const std::weak_ptr<CallPool::Impl> pool_;
    std::unique_ptr<Reserved::Seat> seat_;
    const std::shared_ptr<const CallRequest> request_;
    CallListener listener_;
    std::shared_ptr<Dial> dial_;
    std::shared_ptr<LinkCall> call_;
};

}  // namespace semel::net
