// What the tests of calls share: a server whose bytes the test writes itself, and calls that it can
// wait for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "net/call_pool.hpp"
#include "net/io_thread.hpp"
#include "net/resolver.hpp"
#include "unit/net/support.hpp"

namespace semel::net::test {

// Listens, and leaves everything else to the test.
class RawServer {
public:
    // `address` is of 127/8. `port` 0: any. `receive_buffer_bytes` 0: the system's.
    explicit RawServer(const std::string& address = "127.0.0.1", std::uint16_t port = 0,
                       int receive_buffer_bytes = 0);
    ~RawServer();
    RawServer(const RawServer&) = delete;
    RawServer& operator=(const RawServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] Origin origin() const;
    // Waits for the next connection.
    [[nodiscard]] RawClient accept();
    // Ends the sending side of the client's sockets, which only a write notices.
    void break_writes_of_clients() const;
    // Whether a connection waits to be accepted.
    [[nodiscard]] bool is_called() const;
    void close();

private:
    int socket_ = -1;
    std::uint16_t port_ = 0;
};

// A call that is watched. It reads the answer's body whole, unless told otherwise.
class Watched : public std::enable_shared_from_this<Watched> {
public:
    explicit Watched(bool reads_body = true) : reads_body_(reads_body) {}

    [[nodiscard]] CallListener listener();
    // Wait for the head or the end. nullopt after kPatience; no head if the end came first.
    [[nodiscard]] std::optional<CallEnd> wait_end();
    [[nodiscard]] std::optional<CallResult> wait_result();
    [[nodiscard]] bool wait_head();
    [[nodiscard]] bool wait_body_bytes(std::size_t bytes);

    // After wait_head() or wait_end():
    [[nodiscard]] int status();
    [[nodiscard]] std::string body();
    [[nodiscard]] std::optional<ErrorCode> body_error();
    // The rest is for the io thread:
    void read_body(bool once = false);
    std::shared_ptr<BodySource> source;  // if it does not read the body
    std::shared_ptr<Call> call;
    std::size_t largest_piece = 0;
    std::size_t body_bytes = 0;
    bool keeps_body = true;

private:
    bool wait(const std::function<bool()>& condition);

    const bool reads_body_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<CallHead> head_;
    std::string body_;
    std::optional<ErrorCode> body_error_;
    std::optional<CallEnd> end_;
    int ends_ = 0;
};

// An acquisition that is waited for.
struct Acquired {
    std::optional<Result<Reserved>> result;  // for the io thread
    std::atomic<bool> is_done{false};
};

// A pool on an io thread.
class Calls {
public:
    explicit Calls(DialOptions options = {});
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    // Runs a function on the io thread and waits for its end.
    void run(const std::function<void()>& task);
    [[nodiscard]] CallPool& pool() { return *pool_; }
    [[nodiscard]] CallPool::Stats stats() { return pool_->stats(); }
    [[nodiscard]] IoThread& thread() { return threads_.at(0); }

    // Begins an acquisition.
    [[nodiscard]] std::shared_ptr<Acquired> acquire(const Origin& origin,
                                                    CallPool::Want want = CallPool::Want::any,
                                                    std::chrono::milliseconds patience = kPatience);
    // Sends on a connection that was acquired.
    [[nodiscard]] std::shared_ptr<Watched> send(const std::shared_ptr<Acquired>& acquired,
                                                CallRequest request, bool reads_body = true);
    // Both. Fails the test if there is no connection.
    [[nodiscard]] std::shared_ptr<Watched> call(const Origin& origin, CallRequest request,
                                                bool reads_body = true);

private:
    IoThreads threads_{1};
    std::unique_ptr<CallPool> pool_;
};

[[nodiscard]] CallRequest request(std::string method = "GET", std::string body = {});
// An answer with a Content-Length.
[[nodiscard]] std::string answer_of(const std::string& body, const std::string& headers = {});

// Gives bytes of its own making, as many as are asked for.
class PatternSource : public BodySource {
public:
    PatternSource(std::uint64_t size, bool tells_length) : size_(size), tells_(tells_length) {}

    [[nodiscard]] std::optional<std::uint64_t> length() const override;
    void read(OnPiece on_piece) override;
    void abort() override { is_aborted = true; }

    std::atomic<std::uint64_t> given{0};
    std::atomic<bool> is_aborted{false};
    std::optional<std::uint64_t> fails_at;

private:
    std::uint64_t size_;
    bool tells_;
    std::string piece_;
};

// Answers from a table, at once on the asking thread's next turn.
class FakeResolver : public Resolver {
public:
    void resolve(const std::string& host, IoThread& thread, Done done) override;

    std::map<std::string, std::vector<std::string>> hosts;
};

}  // namespace semel::net::test
