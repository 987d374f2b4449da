#include "net/io_thread.hpp"

#include <ctime>
#include <thread>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "net/mailbox.hpp"
#include "net/response_writer.hpp"

namespace semel::net {

struct IoThread::State {
    boost::asio::io_context io{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard =
        boost::asio::make_work_guard(io);
    std::thread thread;
    std::time_t date_at = 0;
    std::string date;
};

IoThread::IoThread()
    : state_(std::make_unique<State>()), mailbox_(std::make_shared<Mailbox>(state_->io)) {}

IoThread::~IoThread() {
    stop();
}

void IoThread::start() {
    state_->thread = std::thread([this] { run_io(); });
}

void IoThread::run_io() {
    mailbox_->bind_to_this_thread();
    for (;;) {
        try {
            state_->io.run();
            return;
        } catch (...) {
            // Out of memory in one connection's step. That connection has no operation left and
            // meets its deadline. The others continue.
            continue;
        }
    }
}

void IoThread::stop() {
    state_->io.stop();
    if (state_->thread.joinable()) state_->thread.join();
    mailbox_->close();
}

void IoThread::post(Task task) {
    mailbox_->post(std::move(task));
}

void IoThread::run(Task task) {
    mailbox_->run(std::move(task));
}

bool IoThread::is_current() const {
    return mailbox_->is_on_thread();
}

boost::asio::io_context& IoThread::io() {
    return state_->io;
}

const std::string& IoThread::date() {
    const std::time_t now = std::time(nullptr);
    if (now != state_->date_at) {
        state_->date_at = now;
        state_->date = format_http_date(now);
    }
    return state_->date;
}

IoThreads::IoThreads(int count) {
    for (int i = 0; i < count; ++i) threads_.push_back(std::make_unique<IoThread>());
    for (const auto& thread : threads_) thread->start();
}

IoThreads::~IoThreads() {
    stop();
}

void IoThreads::stop() {
    for (const auto& thread : threads_) thread->stop();
}

}  // namespace semel::net
