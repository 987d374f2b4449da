#include "cli/serve/line_writer.hpp"

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace semel::cli {

namespace {

// Drops the bytes that cannot be written: there is no other place for the error.
void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(fd, bytes.data(), bytes.size());
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno == EAGAIN) {  // another process made the shared descriptor non-blocking
            pollfd event{fd, POLLOUT, 0};
            ::poll(&event, 1, -1);
        } else if (errno != EINTR) {
            return;
        }
    }
}

}  // namespace

// Shared with the thread, which may outlive the writer.
class LineWriter::State {
public:
    explicit State(LineWriterOptions options) : options_(std::move(options)) {}

    void add(std::string_view line) {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() + line.size() > options_.waiting_bytes_max) {
            ++dropped_;
        } else {
            waiting_.append(line);
        }
        changed_.notify_all();
    }

    void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return has_work() || is_closing_; });
            if (!has_work()) break;
            std::string lines = std::exchange(waiting_, {});
            // The dropped lines came after all waiting lines.
            if (dropped_ > 0) lines += options_.note(std::exchange(dropped_, 0));
            lock.unlock();
            write_all(options_.fd, lines);
            lock.lock();
        }
        has_ended_ = true;
        changed_.notify_all();
    }

    void close() {
        std::unique_lock lock(mutex_);
        is_closing_ = true;
        changed_.notify_all();
        changed_.wait_for(lock, options_.last_wait, [this] { return has_ended_; });
    }

private:
    // REQUIRES: mutex_ is held.
    [[nodiscard]] bool has_work() const { return !waiting_.empty() || dropped_ > 0; }

    const LineWriterOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    // State below is guarded by mutex_.
    std::string waiting_;
    std::uint64_t dropped_ = 0;
    bool is_closing_ = false;
    bool has_ended_ = false;
};

LineWriter::LineWriter(LineWriterOptions options)
    : state_(std::make_shared<State>(std::move(options))) {
    std::thread([state = state_] { state->run(); }).detach();
}

LineWriter::~LineWriter() {
    state_->close();
}

void LineWriter::write(std::string_view line) {
    state_->add(line);
}

}  // namespace semel::cli
