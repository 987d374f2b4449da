// Exchange: the state behind one Responder, shared by its copies. It delivers the first answer,
// from any thread, and ignores later ones. If it is destroyed without an answer, the client gets a
// 500, or a 503 while the server stops.
//
// Threads: any.
// Lifetime: does not keep the connection alive.
#pragma once

#include <atomic>
#include <memory>

#include "net/http.hpp"
#include "net/mailbox.hpp"

namespace semel::net {

class Connection;

class Exchange {
public:
    Exchange(std::shared_ptr<Mailbox> mailbox, std::weak_ptr<Connection> connection);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    void answer(Response response);

private:
    std::shared_ptr<Mailbox> mailbox_;
    std::weak_ptr<Connection> connection_;
    std::atomic<bool> is_answered_{false};
};

}  // namespace semel::net
