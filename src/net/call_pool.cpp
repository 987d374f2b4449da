#include "net/call_pool.hpp"

#include <utility>

#include "net/call_pool_impl.hpp"
#include "net/pooled_call.hpp"

namespace semel::net {

Reserved::Reserved(std::unique_ptr<Seat> seat) : seat_(std::move(seat)) {}
Reserved::Reserved(Reserved&& other) noexcept = default;
Reserved& Reserved::operator=(Reserved&& other) noexcept = default;
Reserved::~Reserved() = default;

std::shared_ptr<Call> Reserved::send(CallRequest request, CallListener listener) && {
    return PooledCall::start(std::move(seat_), std::move(request), std::move(listener));
}

bool Reserved::is_reused() const {
    return seat_->is_reused;
}

CallPool::CallPool(IoThread& thread, DialOptions options)
    : impl_(std::make_shared<Impl>(thread, std::move(options))) {}

CallPool::~CallPool() {
    impl_->stop();
}

void CallPool::acquire(const Origin& origin, Clock::time_point deadline, OnReserved on_reserved,
                       Want want) {
    impl_->acquire(origin, deadline, std::move(on_reserved), want);
}

std::optional<Reserved> CallPool::try_reserve(const Origin& origin) {
    return impl_->try_reserve(origin);
}

void CallPool::stop() {
    impl_->stop();
}

CallPool::Stats CallPool::stats() const {
    return impl_->stats();
}

}  // namespace semel::net
