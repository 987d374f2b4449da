#include "net/mailbox.hpp"

#include <utility>

#include <boost/asio/post.hpp>

namespace semel::net {

void Mailbox::post(Task task) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    tasks_.push_back(std::move(task));
    if (is_scheduled_) return;
    is_scheduled_ = true;
    boost::asio::post(io_, [self = shared_from_this()] { self->empty(); });
}

void Mailbox::run(Task task) {
    if (is_on_thread()) {
        task();
    } else {
        post(std::move(task));
    }
}

void Mailbox::empty() {
    std::vector<Task> tasks;
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
        is_scheduled_ = false;
    }
    for (Task& task : tasks) {
        try {
            task();
        } catch (...) {
            continue;  // out of memory in one connection's step; the others continue
        }
    }
}

void Mailbox::close() {
    std::vector<Task> dropped;  // destroyed without the lock: a task's end may post another
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    dropped.swap(tasks_);
}

}  // namespace semel::net
