#include "net/server.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "net/listener.hpp"
#include "net/response_writer.hpp"
#include "net/server_state.hpp"
#include "net/tls.hpp"
#include "net/worker.hpp"

namespace semel::net {

namespace {

Response plain_error(int status, std::string_view detail) {
    Response response;
    response.status = status;
    response.headers.push_back({"Content-Type", "text/plain; charset=utf-8"});
    response.body.append(detail).append("\n");
    return response;
}

}  // namespace

void OpenCount::add() {
    open_.fetch_add(1, std::memory_order_relaxed);
}

void OpenCount::remove() {
    // Under the lock, so that the last removal is not lost between a waiter's check and its sleep.
    const std::lock_guard lock(mutex_);
    if (open_.fetch_sub(1, std::memory_order_relaxed) == 1) none_.notify_all();
}

bool OpenCount::wait_until_none(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return none_.wait_until(lock, deadline, [this] { return now() == 0; });
}

Response ServerState::render_error(int status, std::string_view detail) const {
    try {
        if (options.error_response) {
            Response response = options.error_response(status, detail);
            if (is_writable(response)) return response;
        }
    } catch (...) {
        return plain_error(status, detail);
    }
    return plain_error(status, detail);
}

class Server::Impl {
public:
    Impl(ServerOptions options, RequestHandler handler)
        : state_(std::make_shared<ServerState>()),
          own_threads_(options.io ? nullptr
                                  : std::make_shared<IoThreads>(std::max(options.threads, 1))),
          io_(options.io ? options.io : own_threads_) {
        state_->options = std::move(options);
        state_->options.io = nullptr;  // the state may end on one of these threads
        state_->handler = std::move(handler);
    }
    ~Impl() { stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<void> start() {
        if (state_->options.tls) {
            SEMEL_TRY(tls, make_tls_context(*state_->options.tls));
            state_->tls = std::move(tls);
        }
        for (std::size_t i = 0; i < io_->size(); ++i) {
            workers_.push_back(std::make_shared<Worker>(state_, io_->at(i)));
        }
        listener_ = std::make_shared<Listener>(state_, workers_);
        SEMEL_CHECK(listener_->open());
        port_ = listener_->port();
        first_io().post([listener = listener_] { listener->accept(); });
        return {};
    }

    void stop() {
        if (state_->stopping.exchange(true)) return;
        if (port_ != 0) close_connections();
        let_go();
        if (own_threads_) own_threads_->stop();
    }

    [[nodiscard]] std::uint16_t port() const { return port_; }

    [[nodiscard]] ConnectionStats stats() const {
        ConnectionStats stats;
        stats.open = state_->open.now();
        stats.accepted = state_->counters.accepted;
        stats.refused = state_->counters.refused;
        stats.requests = state_->counters.requests;
        stats.bad_requests = state_->counters.bad_requests;
        stats.handler_exceptions = state_->counters.handler_exceptions;
        stats.deadlines_passed = state_->counters.deadlines_passed;
        return stats;
    }

private:
    [[nodiscard]] IoThread& first_io() const { return io_->at(0); }

    void close_connections() {
        const auto deadline =
            std::chrono::steady_clock::now() + state_->options.limits.stop_timeout;
        first_io().post([listener = listener_] { listener->close(); });
        for (const auto& worker : workers_) {
            worker->io_thread().post([worker] { worker->close_connections_without_request(); });
        }
        if (state_->open.wait_until_none(deadline)) return;
        for (const auto& worker : workers_) {
            worker->io_thread().post([worker] { worker->close_all_connections(); });
        }
        (void)state_->open.wait_until_none(std::chrono::steady_clock::time_point::max());
    }

    // Drops the last references on the io threads that use the objects.
    void let_go() {
        for (auto& worker : std::exchange(workers_, {})) {
            IoThread& io_thread = worker->io_thread();
            io_thread.post([worker = std::move(worker)] {});
        }
        first_io().post([listener = std::exchange(listener_, nullptr)] {});
    }

    std::shared_ptr<ServerState> state_;
    std::shared_ptr<IoThreads> own_threads_;  // null: the threads are shared
    std::shared_ptr<IoThreads> io_;
    std::vector<std::shared_ptr<Worker>> workers_;
    std::shared_ptr<Listener> listener_;
    std::uint16_t port_ = 0;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, RequestHandler handler) {
    try {
        auto impl = std::make_unique<Impl>(std::move(options), std::move(handler));
        SEMEL_CHECK(impl->start());
        return std::unique_ptr<Server>(new Server(std::move(impl)));
    } catch (const std::exception& failure) {
        return Error(ErrorCode::io_error, std::string("starting the server: ") + failure.what());
    }
}

std::uint16_t Server::port() const {
    return impl_->port();
}

void Server::stop() {
    impl_->stop();
}

ConnectionStats Server::stats() const {
    return impl_->stats();
}

}  // namespace semel::net
