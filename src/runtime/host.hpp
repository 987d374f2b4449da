// Host: a Node running on threads of this process. What `semel serve` and the library share.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "engine/node.hpp"
#include "runtime/handler_pool.hpp"
#include "runtime/loop.hpp"
#include "runtime/real_env.hpp"

namespace semel {

class Host {
public:
    // `observer` outlives the host; its functions are called on the loop's thread.
    Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer);
    ~Host();  // stop(), without grace
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Before start().
    void add_handler(std::string type, HandlerOptions options, HandlerFunction handler);

    void start();
    // Graceful: see Node::stop. Blocks; idempotent; for one controlling thread.
    void stop(Millis grace);

    // Through post(): everything else of a node is for the loop.
    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] Store& store() { return *store_; }

    // For callers that can block: submits on the loop and waits for the commit.
    template <typename Command>
    [[nodiscard]] Result<Reply<Command>> execute(Command command);

private:
    std::unique_ptr<Store> store_;
    Loop loop_;
    HandlerPool handlers_;
    RealEnv env_;
    Node node_;
    bool started_ = false;
};

template <typename Command>
Result<Reply<Command>> Host::execute(Command command) {
    if (!started_) {
        return Error(ErrorCode::stopped, "the engine is not running");
    }
    std::promise<Result<Reply<Command>>> answered;
    auto answer = answered.get_future();
    loop_.post([this, &answered, command = std::move(command)]() mutable {
        node_.submit(std::move(command), [&answered](Result<Reply<Command>> reply) {
            answered.set_value(std::move(reply));
        });
    });
    return answer.get();
}

}  // namespace semel
