// TcpProxy: the network between Semel and PostgreSQL, with its troubles. Clients connect to the
// proxy's port of 127.0.0.1. What passes is not encrypted, because the proxy declines that.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.hpp"
#include "support/postgres_messages.hpp"

namespace semel::test {

// Where a connection is cut that commits by SQL: a simple Query, or Execute and its Sync.
enum class CutAt {
    before_commit,  // it is not forwarded: the transaction is rolled back
    commit_sent,    // at once when it was forwarded: it commits, now or soon
    commit_done,    // when the server has answered, and the client has not heard it
};

// Everything may be called from any thread, at any time.
class TcpProxy {
public:
    explicit TcpProxy(int server_port);
    ~TcpProxy();
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;

    // The same database through the proxy.
    [[nodiscard]] std::string url(const std::string& server_url) const;
    [[nodiscard]] int port() const { return port_; }

    // One of these four holds at a time; at first it is pass().
    void pass();
    // Each piece that passes, in either direction, comes so much later.
    void delay(std::chrono::milliseconds by);
    // Connections are accepted and kept, and nothing passes: not the end of one either. With the
    // next pass() it all comes after all.
    void black_hole();
    // New connections are refused; the others go on.
    void refuse();

    // Ends the connections that there are.
    void cut();
    // Ends the connection with the nth commit from now on, counted over all connections.
    void cut_at_commit(CutAt where, int nth = 1);

    // How many there were since the beginning.
    [[nodiscard]] int connections() const;
    [[nodiscard]] int cuts() const;

private:
    enum class Mode { pass, delay, black_hole, refuse };
    enum class Verdict { forward, decline, cut_before, cut_after };
    struct Link;

    void set_mode(Mode mode, std::chrono::milliseconds delay = {});
    void accept_all();
    // The listener, once there is one that was not refused; null when we stop.
    [[nodiscard]] std::shared_ptr<const UniqueFd> wait_for_listener();
    void begin(UniqueFd client);
    void forget_ended_links();

    void run(Link& link);
    [[nodiscard]] bool connect_to_server(Link& link);
    void pump_requests(Link& link);
    void pump_answers(Link& link);
    [[nodiscard]] bool forward(Link& link, const std::vector<FrontendMessage>& messages);
    [[nodiscard]] Verdict judge(Link& link, FrontendKind kind);
    void finish_cut(Link& link);
    // Whether the client may see these bytes of the server.
    [[nodiscard]] bool may_pass(Link& link, const std::string& answer);
    // Returns when what has come may go on; false: the connection is over.
    [[nodiscard]] bool hold(Link& link);
    void end(Link& link);
    // REQUIRES: mutex_ is held.
    void cut(Link& link);

    const int server_port_;
    const UniqueFd port_holder_;  // never listens: the port stays ours while we refuse
    const int port_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // Guarded by mutex_.
    Mode mode_ = Mode::pass;
    std::chrono::milliseconds delay_{0};
    std::shared_ptr<const UniqueFd> listener_;  // null while we refuse
    CutAt cut_at_ = CutAt::before_commit;
    int commits_until_cut_ = 0;  // 0: none is to be cut
    int connections_ = 0;
    int cuts_ = 0;
    bool is_stopping_ = false;
    std::list<std::unique_ptr<Link>> links_;

    std::thread acceptor_;
};

}  // namespace semel::test
