// QuietPipe: blocks SIGPIPE on this thread while the object lives. Without it, a write to a
// connection that the server has closed would end the process: hiredis does not suppress that
// signal.
//
// Errors: none. Threads: create and destroy it on the same thread.
#pragma once

#include <csignal>

namespace semel::redis {

class QuietPipe {
public:
    QuietPipe() {
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, pipe(), &before_);
    }
    ~QuietPipe() {
        constexpr timespec kAtOnce{};
        if (!was_pending_) {
            (void)sigtimedwait(pipe(), nullptr, &kAtOnce);  // from this object's time
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    QuietPipe(const QuietPipe&) = delete;
    QuietPipe& operator=(const QuietPipe&) = delete;

private:
    static const sigset_t* pipe() {
        static const sigset_t kSet = [] {
            sigset_t set;
            sigemptyset(&set);
            sigaddset(&set, SIGPIPE);
            return set;
        }();
        return &kSet;
    }

    sigset_t before_{};
    bool was_pending_ = false;
};

}  // namespace semel::redis
