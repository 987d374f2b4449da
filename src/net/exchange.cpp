#include "net/exchange.hpp"

#include <utility>

#include "net/connection.hpp"

namespace semel::net {

Exchange::Exchange(std::shared_ptr<Mailbox> mailbox, std::weak_ptr<Connection> connection)
    : mailbox_(std::move(mailbox)), connection_(std::move(connection)) {}

Exchange::~Exchange() {
    if (is_answered_) return;
    Response response;
    response.status = 0;  // the connection renders it as a 500
    answer(std::move(response));
}

void Exchange::answer(Response response) {
    if (is_answered_.exchange(true)) return;
    // Only the io thread may hold a connection, so that no other thread destroys one.
    mailbox_->run([connection = connection_, response = std::move(response)]() mutable {
        if (const auto held = connection.lock()) held->answer(std::move(response));
    });
}

}  // namespace semel::net
