// ReplyThief: the network between Semel and Redis, which loses what it is told to lose.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

#include "base/unique_fd.hpp"

namespace semel::test {

class ReplyThief {
public:
    explicit ReplyThief(int server_port);
    ~ReplyThief();
    ReplyThief(const ReplyThief&) = delete;
    ReplyThief& operator=(const ReplyThief&) = delete;

    // The same database through it.
    [[nodiscard]] std::string url(const std::string& server_url) const;

    // The next command with this word is passed on, its reply is not, and the connection ends.
    void steal_reply_to(const std::string& word);
    // The same, but the command is not passed on either.
    void steal_request(const std::string& word);
    // How many were, so far.
    [[nodiscard]] int stolen() const { return stolen_; }

private:
    struct Link {
        UniqueFd client;
        UniqueFd server;
        std::thread thread;
    };

    void accept_all();
    void pass(Link& link);
    // Whether these bytes were to be stolen; the theft is over then.
    [[nodiscard]] bool steals(const Link& link, const std::string& request);

    const int server_port_;
    UniqueFd listener_;
    int port_ = 0;
    std::atomic<int> stolen_ = 0;
    std::mutex mutex_;
    std::string word_;            // guarded by mutex_; empty: nothing is stolen
    bool takes_request_ = false;  // guarded by mutex_
    std::list<Link> links_;       // guarded by mutex_
    std::thread acceptor_;        // last: it uses the rest
};

}  // namespace semel::test
