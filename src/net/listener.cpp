#include "net/listener.hpp"

#include <string>
#include <utility>

#include "net/sockets.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

// The number of connections over the limit that get a 503. Further ones are closed without an
// answer.
constexpr std::size_t kRefusalsMax = 64;
// The pause after a failed accept, as without free file descriptors. Without it the loop would
// spin.
constexpr std::chrono::milliseconds kAcceptPause{50};
// The number of connections to accept before the open ones are served again.
constexpr int kAcceptsAtOnce = 64;

std::string without_brackets(const std::string& address) {
    const bool has_brackets = address.size() > 2 && address.front() == '[' && address.back() == ']';
    return has_brackets ? address.substr(1, address.size() - 2) : address;
}

Error cannot_listen(const ServerOptions& options, const error_code& failure) {
    const bool is_bare_v6 =
        options.address.find(':') != std::string::npos && options.address.front() != '[';
    const std::string address = is_bare_v6 ? "[" + options.address + "]" : options.address;
    const ErrorCode code =
        failure == asio::error::address_in_use ? ErrorCode::busy : ErrorCode::unavailable;
    return {code, "cannot listen on " + address + ":" + std::to_string(options.port) + ": " +
                      failure.message()};
}

}  // namespace

Listener::Listener(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<Worker>> workers)
    : state_(std::move(state)),
      workers_(std::move(workers)),
      acceptor_(workers_.front()->io_thread().io()),
      pause_(workers_.front()->io_thread().io()) {}

Result<void> Listener::open() {
    const ServerOptions& options = state_->options;
    const std::string host = without_brackets(options.address);
    error_code failure;
    asio::ip::address address = asio::ip::make_address(host, failure);
    if (failure) {
        Tcp::resolver resolver(acceptor_.get_executor());
        const auto found = resolver.resolve(host, "", Tcp::resolver::passive, failure);
        if (failure) return cannot_listen(options, failure);
        address = found.begin()->endpoint().address();
    }
    const Tcp::endpoint endpoint(address, options.port);
    open_socket(acceptor_, endpoint.protocol(), failure);
    if (!failure) acceptor_.set_option(Tcp::acceptor::reuse_address(true), failure);
    if (!failure) acceptor_.bind(endpoint, failure);
    if (!failure) acceptor_.listen(Tcp::acceptor::max_listen_connections, failure);
    if (!failure) acceptor_.non_blocking(true, failure);
    if (failure) return cannot_listen(options, failure);
    port_ = acceptor_.local_endpoint(failure).port();
    return {};
}

void Listener::accept() {
    acceptor_.async_wait(Tcp::acceptor::wait_read,
                         [this, self = shared_from_this()](const error_code& failure) {
                             if (failure || !acceptor_.is_open()) return;
                             if (accept_waiting()) return accept();
                             pause_.expires_after(kAcceptPause);
                             pause_.async_wait([this, self](const error_code& cancelled) {
                                 if (!cancelled && acceptor_.is_open()) accept();
                             });
                         });
}

// Returns false if accepting failed on this side. A peer that disconnected before is no failure.
bool Listener::accept_waiting() {
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        const auto& worker = workers_[next_worker_];
        Tcp::socket socket(worker->io_thread().io());
        error_code failure;
        accept_socket(acceptor_, socket, failure);
        if (failure) {
            return failure == asio::error::would_block || failure == asio::error::interrupted ||
                   failure == asio::error::connection_aborted;
        }
        next_worker_ = (next_worker_ + 1) % workers_.size();
        hand_over(std::move(socket), worker);
    }
    return true;
}

void Listener::hand_over(Tcp::socket socket, const std::shared_ptr<Worker>& worker) {
    state_->counters.accepted.fetch_add(1, std::memory_order_relaxed);
    const std::size_t connections_max = state_->options.limits.connections_max;
    const bool is_over_limit = state_->open.now() >= connections_max;
    if (is_over_limit) {
        state_->counters.refused.fetch_add(1, std::memory_order_relaxed);
        if (state_->open.now() >= connections_max + kRefusalsMax) return;
    }
    state_->open.add();
    if (worker == workers_.front()) {
        return worker->adopt(std::move(socket), is_over_limit);
    }
    // std::function needs a copyable task, so a shared pointer has the socket.
    auto held = std::make_shared<Tcp::socket>(std::move(socket));
    worker->io_thread().post(
        [held, worker, is_over_limit] { worker->adopt(std::move(*held), is_over_limit); });
}

void Listener::close() {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
}

}  // namespace semel::net
