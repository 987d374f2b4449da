#include "net/worker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "net/connection.hpp"
#include "net/response_writer.hpp"

namespace semel::net {

namespace {

// Four looks per shortest timeout make a deadline at most a quarter late.
std::chrono::milliseconds sweep_interval(const Limits& limits) {
    const auto shortest = std::min({limits.header_timeout, limits.body_timeout, limits.idle_timeout,
                                    limits.write_timeout, limits.linger_timeout});
    return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

}  // namespace

Worker::Worker(ServerState& state)
    : state_(state),
      io_(1),
      guard_(boost::asio::make_work_guard(io_)),
      sweep_timer_(io_),
      sweep_interval_(sweep_interval(state.options.limits)),
      mailbox_(std::make_shared<Mailbox>(io_)) {}

Worker::~Worker() {
    finish();
}

void Worker::start_thread() {
    thread_ = std::thread([this] { run(); });
}

void Worker::run() {
    mailbox_->bind_to_this_thread();
    for (;;) {
        try {
            io_.run();
            return;
        } catch (...) {
            // Out of memory in one connection's step: that connection has no operation left and
            // meets its deadline; the others go on.
            continue;
        }
    }
}

void Worker::post(std::function<void()> task) {
    boost::asio::post(io_, std::move(task));
}

void Worker::finish() {
    if (thread_.joinable()) {
        post([this] { sweep_timer_.cancel(); });
        guard_.reset();
        thread_.join();
    }
    mailbox_->close();
}

const std::string& Worker::date() {
    const std::time_t now = std::time(nullptr);
    if (now != date_at_) {
        date_at_ = now;
        date_ = format_http_date(now);
    }
    return date_;
}

void Worker::adopt(Tcp::socket socket, bool is_over_limit) {
    auto connection = std::make_shared<Connection>(*this, std::move(socket));
    connections_.emplace(connection.get(), connection);
    arm_sweep();
    connection->start(is_over_limit);
}

void Worker::forget(Connection& connection) {
    connections_.erase(&connection);
    state_.open.remove();
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

void Worker::arm_sweep() {
    if (is_sweep_armed_ || connections_.empty()) return;
    is_sweep_armed_ = true;
    sweep_timer_.expires_after(sweep_interval_);
    sweep_timer_.async_wait([this](const boost::system::error_code& failure) {
        is_sweep_armed_ = false;
        if (!failure) sweep();
    });
}

void Worker::sweep() {
    const auto now = std::chrono::steady_clock::now();
    std::vector<std::shared_ptr<Connection>> late;
    for (const auto& [key, connection] : connections_) {
        if (connection->deadline() <= now) late.push_back(connection);
    }
    for (const auto& connection : late) {
        state_.counters.deadlines_passed.fetch_add(1, std::memory_order_relaxed);
        connection->on_deadline();
    }
    arm_sweep();
}

}  // namespace semel::net
