#include "net/resolver.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>

#include "net/io_thread.hpp"

namespace semel::net {

namespace {

using ResolverClock = std::chrono::steady_clock;

// Answers that have expired are dropped above this number of names.
constexpr std::size_t kNamesMax = 1000;

Resolver::Addresses look_up_by_system(const std::string& host) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;  // one answer per address, not one per protocol
    addrinfo* found = nullptr;
    const int failure = ::getaddrinfo(host.c_str(), nullptr, &wanted, &found);
    if (failure != 0) {
        return Error(ErrorCode::not_found, "host " + host + ": " + ::gai_strerror(failure));
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        std::array<char, NI_MAXHOST> literal{};
        if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, literal.data(), literal.size(),
                          nullptr, 0, NI_NUMERICHOST) == 0) {
            addresses.emplace_back(literal.data());
        }
    }
    if (addresses.empty()) return Error(ErrorCode::not_found, "host " + host + ": no address");
    return addresses;
}

// The state that the threads share. It outlives the resolver until the last look-up ends, because a
// look-up cannot be interrupted.
class LookUps : public std::enable_shared_from_this<LookUps> {
public:
    explicit LookUps(ResolverOptions options) : options_(std::move(options)) {
        if (!options_.look_up) options_.look_up = look_up_by_system;
    }

    void ask(const std::string& host, IoThread& thread, Resolver::Done done);
    void stop();

private:
    struct Asker {
        IoThread* thread;
        Resolver::Done done;
    };
    struct Name {
        std::optional<Resolver::Addresses> answer;
        ResolverClock::time_point expires_at;
        std::vector<Asker> waiting;
        bool is_asked = false;  // in the queue, or with a thread
    };

    void start_thread_if_needed();
    void drop_expired(ResolverClock::time_point now);
    void run();

    ResolverOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    // Everything below is under mutex_.
    std::map<std::string, Name> names_;
    std::deque<std::string> queue_;
    int threads_ = 0;
    int idle_threads_ = 0;
    bool is_stopped_ = false;
};

void LookUps::ask(const std::string& host, IoThread& thread, Resolver::Done done) {
    const std::lock_guard lock(mutex_);
    const auto now = ResolverClock::now();
    drop_expired(now);
    Name& name = names_[host];
    if (name.answer && now < name.expires_at) {
        thread.post([answer = *name.answer, done = std::move(done)] { done(answer); });
        return;
    }
    name.waiting.push_back({&thread, std::move(done)});
    if (!std::exchange(name.is_asked, true)) {
        queue_.push_back(host);
        changed_.notify_one();
    }
    start_thread_if_needed();
}

void LookUps::start_thread_if_needed() {
    const bool is_needed = static_cast<std::size_t>(idle_threads_) < queue_.size();
    if (!is_needed || threads_ >= options_.threads_max) return;
    try {
        // Detached, because it can be in the system's call when the process ends.
        std::thread([self = shared_from_this()] { self->run(); }).detach();
        ++threads_;
    } catch (const std::system_error&) {
        return;  // no thread is available now; the next look-up tries again
    }
}

void LookUps::drop_expired(ResolverClock::time_point now) {
    if (names_.size() < kNamesMax) return;
    std::erase_if(names_, [now](const auto& entry) {
        return !entry.second.is_asked && entry.second.expires_at <= now;
    });
}

void LookUps::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_threads_;
        changed_.wait(lock, [this] { return is_stopped_ || !queue_.empty(); });
        --idle_threads_;
        if (is_stopped_) return;
        const std::string host = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        const Resolver::Addresses answer = options_.look_up(host);
        lock.lock();
        if (is_stopped_) return;
        Name& name = names_[host];
        name.answer = answer;
        name.expires_at = ResolverClock::now() + options_.keep;
        name.is_asked = false;
        // Under the lock, so that stop() waits and the io threads still exist.
        for (Asker& asker : std::exchange(name.waiting, {})) {
            asker.thread->post([answer, done = std::move(asker.done)] { done(answer); });
        }
    }
}

void LookUps::stop() {
    std::map<std::string, Name> dropped;
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    queue_.clear();
    dropped.swap(names_);
    changed_.notify_all();
}

class ThreadedResolver : public Resolver {
public:
    explicit ThreadedResolver(ResolverOptions options)
        : look_ups_(std::make_shared<LookUps>(std::move(options))) {}
    ~ThreadedResolver() override { look_ups_->stop(); }

    void resolve(const std::string& host, IoThread& thread, Done done) override {
        look_ups_->ask(host, thread, std::move(done));
    }

private:
    const std::shared_ptr<LookUps> look_ups_;
};

}  // namespace

std::shared_ptr<Resolver> make_resolver(ResolverOptions options) {
    return std::make_shared<ThreadedResolver>(std::move(options));
}

}  // namespace semel::net
