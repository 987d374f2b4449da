#include "gateway/call_pools.hpp"

#include <future>
#include <utility>

#include "base/assert.hpp"
#include "net/resolver.hpp"

namespace semel::gateway {

CallPools::CallPools(std::shared_ptr<net::IoThreads> io) : io_(std::move(io)) {
    net::DialOptions options;
    options.resolver = net::make_resolver();
    for (std::size_t i = 0; i < io_->size(); ++i) {
        pools_.push_back(std::make_unique<net::CallPool>(io_->at(i), options));
    }
}

CallPools::~CallPools() {
    stop();
}

net::CallPool& CallPools::of(const net::IoThread& thread) const {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
        if (&io_->at(i) == &thread) return *pools_[i];
    }
    SEMEL_ASSERT(false);
    return *pools_.front();
}

void CallPools::stop() {
    if (std::exchange(is_stopped_, true)) return;
    for (std::size_t i = 0; i < pools_.size(); ++i) {
        std::promise<void> stopped;
        io_->at(i).post([&] {
            pools_[i] = nullptr;
            stopped.set_value();
        });
        stopped.get_future().wait();
    }
}

}  // namespace semel::gateway
