#include "net/worker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "net/connection.hpp"

namespace semel::net {

namespace {

// Four checks per shortest timeout, so that a deadline is at most a quarter late.
std::chrono::milliseconds sweep_interval(const Limits& limits) {
    const auto shortest = std::min({limits.header_timeout, limits.body_timeout, limits.idle_timeout,
                                    limits.write_timeout, limits.linger_timeout});
    return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

}  // namespace

Worker::Worker(std::shared_ptr<ServerState> state, IoThread& io_thread)
    : state_(std::move(state)),
      io_thread_(io_thread),
      sweep_(io_thread.io(), sweep_interval(state_->options.limits)) {}

void Worker::adopt(Tcp::socket socket, bool is_over_limit) {
    auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket));
    connections_.emplace(connection.get(), connection);
    sweep_.add(connection);
    connection->start(is_over_limit);
}

void Worker::forget(Connection& connection) {
    sweep_.remove(connection);
    connections_.erase(&connection);
    state_->open.remove();
}

void Worker::close_connections_without_request() {
    std::vector<std::shared_ptr<Connection>> waiting;
    for (const auto& [key, connection] : connections_) {
        if (connection->awaits_request()) waiting.push_back(connection);
    }
    for (const auto& connection : waiting) connection->close();
}

void Worker::close_all_connections() {
    const auto connections = std::exchange(connections_, {});
    for (const auto& [key, connection] : connections) connection->close();
}

}  // namespace semel::net
