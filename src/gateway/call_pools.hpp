// CallPools: the connections to upstreams, one pool for each io thread, so that a request and its
// call stay on one thread.
//
// Errors: those of net::CallPool.
// Threads: the controlling thread constructs, stops and destroys it. of(): the io thread.
#pragma once

#include <memory>
#include <vector>

#include "net/call_pool.hpp"
#include "net/io_thread.hpp"

namespace semel::gateway {

class CallPools {
public:
    explicit CallPools(std::shared_ptr<net::IoThreads> io);
    ~CallPools();  // blocks, as stop()
    CallPools(const CallPools&) = delete;
    CallPools& operator=(const CallPools&) = delete;

    // REQUIRES: the thread is one of the IoThreads.
    [[nodiscard]] net::CallPool& of(const net::IoThread& thread) const;

    // Ends every call; later ones fail. Blocks until all have ended. Idempotent. Not on an io
    // thread.
    void stop();

private:
    template <typename Step>
    void on_each_thread(Step step);

    std::shared_ptr<net::IoThreads> io_;
    std::vector<std::unique_ptr<net::CallPool>> pools_;  // as the threads of `io_`
};

}  // namespace semel::gateway
