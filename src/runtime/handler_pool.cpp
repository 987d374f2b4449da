#include "runtime/handler_pool.hpp"

#include <exception>
#include <optional>

namespace semel {

HandlerPool::~HandlerPool() {
    stop();
}

void HandlerPool::add(std::string type, HandlerFunction handler) {
    handlers_.insert_or_assign(std::move(type), std::move(handler));
}

void HandlerPool::run(const TakenJob& job, std::function<void(HandlerResult)> done) {
    const std::lock_guard lock(mutex_);
    if (stopping_) {
        return;
    }
    Work work{job, std::move(done), {}};
    running_.emplace(RunKey{job.job.id, job.job.token}, work.stop);
    queue_.push_back(std::move(work));
    call_a_thread();
}

void HandlerPool::call_a_thread() {
    if (is_one_coming_ || queue_.empty()) {
        return;
    }
    if (idle_ > 0) {
        wake_.notify_one();
        is_one_coming_ = true;
    } else if (static_cast<int>(threads_.size()) < threads_max_) {
        threads_.emplace_back([this] { this->work(); });
        is_one_coming_ = true;
    }
}

void HandlerPool::request_stop(const JobId& id, Token token) {
    std::optional<std::stop_source> source;
    {
        const std::lock_guard lock(mutex_);
        const auto running = running_.find({id, token});
        if (running != running_.end()) {
            source = running->second;
        }
    }
    // Outside the lock: this runs the handler's own stop callbacks.
    if (source) {
        source->request_stop();
    }
}

void HandlerPool::stop() {
    std::vector<std::thread> threads;
    std::map<RunKey, std::stop_source> running;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        running = running_;
        threads.swap(threads_);
    }
    for (auto& [key, source] : running) {
        source.request_stop();
    }
    wake_.notify_all();
    for (std::thread& thread : threads) {
        thread.join();
    }
}

void HandlerPool::work() {
    std::unique_lock lock(mutex_);
    is_one_coming_ = false;
    while (true) {
        while (queue_.empty() && !stopping_) {
            ++idle_;
            wake_.wait(lock);
            --idle_;
            is_one_coming_ = false;
        }
        if (stopping_) {
            return;
        }
        const Work work = std::move(queue_.front());
        queue_.pop_front();
        call_a_thread();
        lock.unlock();
        HandlerResult result = call(work);
        lock.lock();
        running_.erase({work.job.job.id, work.job.job.token});
        lock.unlock();
        work.done(std::move(result));
        lock.lock();
    }
}

HandlerResult HandlerPool::call(const Work& work) const {
    const auto fail = [](std::string error) {
        HandlerResult result;
        result.completed = false;
        result.error = std::move(error);
        return result;
    };
    const auto handler = handlers_.find(work.job.job.type);
    if (handler == handlers_.end()) {
        return fail("no handler for this type");
    }
    try {
        return handler->second(work.job, work.stop.get_token());
    } catch (const std::exception& error) {
        return fail(error.what());
    } catch (...) {
        return fail("the handler threw something that is no std::exception");
    }
}

}  // namespace semel
