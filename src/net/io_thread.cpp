#include "net/io_thread.hpp"

#include "net/response_writer.hpp"

namespace semel::net {

IoThread::IoThread()
    : guard_(boost::asio::make_work_guard(io_)), mailbox_(std::make_shared<Mailbox>(io_)) {}

IoThread::~IoThread() {
    stop();
}

void IoThread::start() {
    thread_ = std::thread([this] { run_io(); });
}

void IoThread::run_io() {
    mailbox_->bind_to_this_thread();
    for (;;) {
        try {
            io_.run();
            return;
        } catch (...) {
            // Out of memory in one connection's step: that connection has no operation left and
            // meets its deadline; the others go on.
            continue;
        }
    }
}

void IoThread::stop() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
    mailbox_->close();
}

const std::string& IoThread::date() {
    const std::time_t now = std::time(nullptr);
    if (now != date_at_) {
        date_at_ = now;
        date_ = format_http_date(now);
    }
    return date_;
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
