#include "net/mailbox.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "net/connection.hpp"

namespace semel::net {

void Mailbox::deliver(const std::weak_ptr<Connection>& connection, Response response) {
    // Only the io thread may hold a connection, so that connections die on no other thread.
    if (std::this_thread::get_id() == thread_.load(std::memory_order_relaxed)) {
        if (const auto held = connection.lock()) held->answer(std::move(response));
        return;
    }
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    letters_.push_back({connection, std::move(response)});
    if (is_scheduled_) return;
    is_scheduled_ = true;
    boost::asio::post(io_, [self = shared_from_this()] { self->empty(); });
}

void Mailbox::empty() {
    std::vector<Letter> letters;
    {
        const std::lock_guard lock(mutex_);
        letters.swap(letters_);
        is_scheduled_ = false;
    }
    for (Letter& letter : letters) {
        if (const auto held = letter.connection.lock()) {
            held->answer(std::move(letter.response));
        }
    }
}

void Mailbox::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    letters_.clear();
}

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
    mailbox_->deliver(connection_, std::move(response));
}

}  // namespace semel::net
