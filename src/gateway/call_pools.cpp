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
    on_each_thread([](std::unique_ptr<net::CallPool>& pool) { pool = nullptr; });
}

net::CallPool& CallPools::of(const net::IoThread& thread) const {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
        if (&io_->at(i) == &thread) return *pools_[i];
    }
    SEMEL_ASSERT(false);
    return *pools_.front();
}

void CallPools::stop() {
    on_each_thread([](std::unique_ptr<net::CallPool>& pool) { pool->stop(); });
}

template <typename Step>
void CallPools::on_each_thread(Step step) {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
        std::promise<void> done;
        io_->at(i).post([&] {
            step(pools_[i]);
            done.set_value();
        });
        done.get_future().wait();
    }
}

}  // namespace semel::gateway
