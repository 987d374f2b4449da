// ThreadedCommitter: a Committer that runs each step of a Writer on its own thread.
//
// Errors: those of the Writer.
// Threads: the engine's executor. Callbacks run there too, through `post`.
// Lifetime: the destructor waits for a running step.
#pragma once

#include <memory>
#include <utility>

#include "store/store.hpp"
#include "store/threads/task_thread.hpp"

namespace semel {

// A Writer has `load`, `commit` and `roll_back`. They block, return a Result and run only on that
// thread. A batch needs two switches to the thread: to load, and to end the transaction.
template <typename Writer>
class ThreadedCommitter final : public Committer {
public:
    ThreadedCommitter(std::unique_ptr<Writer> writer, Post post)
        : post_(std::move(post)), writer_(std::move(writer)), thread_(kTasksMax) {}

    void load(LoadSpec spec, Done<Loaded> done) override {
        const auto shared = std::make_shared<LoadSpec>(std::move(spec));
        run<Loaded>(std::move(done), [shared](Writer& writer) { return writer.load(*shared); });
    }

    void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
        run<void>(std::move(done), [changes = std::move(changes)](Writer& writer) {
            return writer.commit(*changes);
        });
    }

    void roll_back(Done<void> done) override {
        run<void>(std::move(done), [](Writer& writer) { return writer.roll_back(); });
    }

private:
    static constexpr std::size_t kTasksMax = 4;  // one step runs at a time

    // Runs a step on the writer's thread, and answers it on the engine's executor.
    template <typename T, typename Step>
    void run(Done<T> done, Step step) {
        const bool posted = thread_.post([this, done = std::move(done), step = std::move(step)] {
            const auto result = std::make_shared<Result<T>>(step(*writer_));
            post_([done, result] { done(std::move(*result)); });
        });
        SEMEL_ASSERT(posted);
    }

    const Post post_;
    const std::unique_ptr<Writer> writer_;  // used on thread_ alone
    TaskThread thread_;                     // last: ends first
};

}  // namespace semel
