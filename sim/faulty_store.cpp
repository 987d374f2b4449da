#include "sim/faulty_store.hpp"

namespace semel::sim {

class FaultyStore::Steps final : public Committer {
public:
    explicit Steps(FaultyStore& store)
        : store_(store),
          context_(store.context_),
          inner_(store.inner_.open_committer([](const std::function<void()>& run) { run(); })) {}

    void load(LoadSpec spec, Done<Loaded> done) override {
        later([this, spec = std::move(spec), done = std::move(done)] {
            if (context_.strikes(Fault::store_busy)) {
                answer(done, Result<Loaded>(Error(ErrorCode::busy, "the store is busy")));
                return;
            }
            inner_->load(spec, [&](Result<Loaded> rows) {
                store_.checker_.loaded(rows->now);
                answer(done, std::move(rows));
            });
        });
    }

    void save(std::shared_ptr<const Changes> changes, Done<void> done) override {
        store_.checker_.saving(changes);
        later([this, changes = std::move(changes), done = std::move(done)] {
            if (context_.strikes(Fault::store_full)) {
                give_up(done, Error(ErrorCode::io_error, "the disk is full"));
                return;
            }
            inner_->save(changes, [&](Result<void> saved) { answer(done, std::move(saved)); });
        });
    }

    void commit(Done<void> done) override {
        later([this, done = std::move(done)] {
            if (context_.strikes(Fault::crash_before_commit)) {
                context_.trace.line("crash before a commit");
                store_.crash_();
            } else if (context_.strikes(Fault::store_io)) {
                give_up(done, Error(ErrorCode::io_error, "the disk failed"));
            } else if (context_.strikes(Fault::commit_unknown)) {
                commit_unknown(done);
            } else {
                commit_now(done);
            }
        });
    }

    void roll_back(Done<void> done) override {
        store_.checker_.nothing_to_save();
        inner_->roll_back([&](Result<void> ended) { answer(done, std::move(ended)); });
    }

private:
    void later(std::function<void()> run) {
        context_.world.after(store_.process_, context_.delay(context_.plan.store_delay),
                             std::move(run));
    }

    template <typename T>
    void answer(const Done<T>& done, Result<T> result) {
        const auto shared = std::make_shared<Result<T>>(std::move(result));
        later([done, shared] { done(std::move(*shared)); });
    }

    void give_up(const Done<void>& done, const Error& error) {
        context_.trace.line("store error: {}", error.message());
        context_.sometimes.hit(Sometimes::store_error_answered);
        store_.checker_.lost();
        inner_->roll_back([](const Result<void>&) {});
        answer(done, Result<void>(error));
    }

    void commit_unknown(const Done<void>& done) {
        const bool lands = context_.world.random().one_in(2);
        context_.trace.line("commit unknown, {}", lands ? "landed" : "lost");
        context_.sometimes.hit(lands ? Sometimes::commit_unknown_and_landed
                                     : Sometimes::commit_unknown_and_lost);
        store_.checker_.commit_unknown();
        if (lands) {
            land();
        } else {
            store_.checker_.lost();
            inner_->roll_back([](const Result<void>&) {});
        }
        answer(done, Result<void>(Error(ErrorCode::commit_unknown, "no answer to a commit")));
    }

    void commit_now(const Done<void>& done) {
        land();
        if (context_.strikes(Fault::crash_after_commit)) {
            context_.trace.line("crash after a commit");
            context_.sometimes.hit(Sometimes::crash_after_commit_before_reply);
            store_.crash_();
            return;
        }
        answer(done, Result<void>());
    }

    void land() {
        inner_->commit([&](const Result<void>& committed) {
            if (committed) {
                context_.trace.line("commit");
                store_.checker_.landed(store_.inner_.now());
            } else {
                store_.checker_.fail(Invariant::rows_fit, committed.error().message());
            }
        });
    }

    FaultyStore& store_;
    Context& context_;
    std::unique_ptr<Committer> inner_;
};

FaultyStore::FaultyStore(Context& context, Checker& checker, Store& inner, ProcessId process,
                         std::function<void()> crash)
    : context_(context),
      checker_(checker),
      inner_(inner),
      process_(process),
      crash_(std::move(crash)) {}

std::unique_ptr<Committer> FaultyStore::open_committer(Post) {
    return std::make_unique<Steps>(*this);
}

}  // namespace semel::sim
