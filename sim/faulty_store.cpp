#include "sim/faulty_store.hpp"

#include <algorithm>

#include "core/fences/fence.hpp"
#include "sim/bugs/mutation.hpp"

namespace semel::sim {
namespace {

constexpr Micros kLockTimeout = Millis(50);
constexpr int kPollAgainWithin = 10'000;  // µs, for a lock
constexpr Millis kAwayMax = std::chrono::seconds(5);
constexpr Millis kLingersMax = std::chrono::seconds(2);

bool makes_work(const Changes& changes) {
    return std::any_of(changes.jobs.begin(), changes.jobs.end(), [](const Change<Job>& change) {
        return change.after && change.after->place == Place::ready;
    });
}

}  // namespace

class FaultyStore::Steps final : public Committer {
public:
    explicit Steps(FaultyStore& store) : store_(store), context_(store.context_) {}

    // The server does not notice at once that a process is gone: until then its locks stay.
    ~Steps() override {
        store_.watcher_.abandoned(batch_);
        if (transaction_ && !context_.plan.is_shared()) {
            transaction_->roll_back();
        } else if (transaction_) {
            context_.sometimes.hit(Sometimes::transaction_outlived_its_node);
            context_.world.after(kOutside, context_.delay(kLingersMax),
                                 [transaction = transaction_] { transaction->roll_back(); });
        }
    }

    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;

    void load(LoadSpec spec, Done<Loaded> done) override {
        later([this, spec = std::move(spec), done = std::move(done)] {
            if (context_.strikes(Fault::store_busy)) {
                answer(done, Result<Loaded>(Error(ErrorCode::busy, "the store is busy")));
                return;
            }
            transaction_ = std::make_shared<Transaction>(store_.database_);
            transaction_->load(spec, store_.remembered_);
            if (spec.wait) context_.sometimes.hit(Sometimes::waited_for_a_held_row);
            advance([this, done](const Result<void>& ran) { loaded(done, ran); });
        });
    }

    // Two steps: others come between the statements of the save and the commit.
    void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
        batch_->changes = changes;
        later([this, changes = std::move(changes), done = std::move(done)] {
            if (context_.strikes(Fault::store_full)) {
                give_up(done, Error(ErrorCode::io_error, "the disk is full"));
                return;
            }
            transaction_->save(changes);
            advance([this, done](const Result<void>& ran) { saved(done, ran); });
        });
    }

    void roll_back(Done<void> done) override {
        store_.watcher_.turn_to(batch_);
        if (transaction_->has_guessed()) {
            context_.sometimes.hit(Sometimes::guess_left_untested);
            decide_again(done, Error(ErrorCode::busy, "what was guessed is to be read"));
            return;
        }
        store_.watcher_.nothing_to_save();
        end();
        answer(done, Result<void>());
    }

private:
    void later(std::function<void()> run) {
        context_.world.after(store_.process_, context_.delay(context_.plan.store_delay),
                             std::move(run));
    }

    template <typename T>
    void answer(const Done<T>& done, Result<T> result) {
        const auto shared = std::make_shared<Result<T>>(std::move(result));
        later([this, done, shared] {
            store_.watcher_.turn_to(batch_);
            done(std::move(*shared));
        });
    }

    using Ran = std::function<void(const Result<void>&)>;

    // Runs the statements of a load or a save. In between, others have their turn.
    void advance(const Ran& then) {
        for (;;) {
            switch (transaction_->advance()) {
                case Transaction::Progress::done:
                    waits_since_.reset();
                    then(Result<void>());
                    return;
                case Transaction::Progress::waiting: wait(then); return;
                case Transaction::Progress::more:
                    waits_since_.reset();
                    if (context_.plan.is_shared() && context_.world.random().one_in(3)) {
                        later([this, then] { advance(then); });
                        return;
                    }
            }
        }
    }

    void wait(const Ran& then) {
        const Micros now = context_.world.now();
        if (now - waits_since_.value_or(now) >= kLockTimeout) {
            waits_since_.reset();
            then(Error(ErrorCode::busy, "a lock was waited for too long"));
            return;
        }
        if (!waits_since_) waits_since_ = now;
        if (batch_ && batch_->changes) {
            context_.sometimes.hit(Sometimes::insert_waited_for_another);
        }
        const Micros pause(1 + context_.world.random().below(kPollAgainWithin));
        context_.world.after(store_.process_, pause, [this, then] { advance(then); });
    }

    void loaded(const Done<Loaded>& done, const Result<void>& ran) {
        if (!ran) {
            transaction_->roll_back();
            transaction_.reset();
            answer(done, Result<Loaded>(ran.error()));
            return;
        }
        Loaded rows = transaction_->take_loaded();
        if (!rows.locked_elsewhere.empty()) context_.sometimes.hit(Sometimes::held_row_met);
        if (transaction_->was_interleaved()) {
            context_.sometimes.hit(Sometimes::commit_between_two_rungs);
        }
        if (transaction_->met_another_drainer()) {
            context_.sometimes.hit(Sometimes::another_node_drained);
        }
        batch_ = store_.watcher_.loaded(rows.now, store_.process_, transaction_->began_after());
        answer(done, Result<Loaded>(std::move(rows)));
    }

    void saved(const Done<void>& done, const Result<void>& ran) {
        const Result<void> saved = ran ? transaction_->saved() : ran;
        if (saved) {
            later([this, done] { commit_saved(done); });
            return;
        }
        context_.sometimes.hit(transaction_->has_guessed_wrong() ? Sometimes::guess_found_wrong
                                                                 : Sometimes::key_lost_at_save);
        decide_again(done, saved.error());
    }

    void commit_saved(const Done<void>& done) {
        if (context_.strikes(Fault::crash_before_commit)) {
            context_.trace.line("crash before a commit");
            store_.crash_();
        } else if (context_.strikes(Fault::store_io)) {
            give_up(done, Error(ErrorCode::io_error, "the disk failed"));
        } else if (context_.strikes(Fault::commit_unknown)) {
            lose_the_answer(done);
        } else {
            commit_now(done);
        }
    }

    // The commands are decided again, or answered by what the other one wrote.
    void decide_again(const Done<void>& done, const Error& error) {
        context_.trace.line("not saved: {}", error.message());
        lose();
        for (const Decided& decided : batch_->decided) decided.send->batch.reset();
        answer(done, Result<void>(error));
    }

    void give_up(const Done<void>& done, const Error& error) {
        context_.trace.line("store error: {}", error.message());
        context_.sometimes.hit(Sometimes::store_error_answered);
        lose();
        answer(done, Result<void>(error));
    }

    void lose() {
        batch_->fate = Batch::Fate::lost;
        end();
    }

    void end() {
        store_.remembered_.forget(transaction_->guesses());
        transaction_->roll_back();
        transaction_.reset();
    }

    // The connection is gone with the answer. Who comes back can see whether the commit was made;
    // while the server stays away, nobody can.
    void lose_the_answer(const Done<void>& done) {
        const bool lands = context_.world.random().one_in(2);
        const bool comes_back = context_.world.random().one_in(2);
        context_.trace.line("the answer of a commit is lost, {}", lands ? "landed" : "lost");
        lands ? land() : lose();
        context_.world.after(
            store_.process_, context_.delay(kAwayMax),
            [this, done, lands, comes_back] { find_out(done, lands, comes_back); });
    }

    void find_out(const Done<void>& done, bool landed, bool comes_back) {
        if (!comes_back) {
            context_.sometimes.hit(landed ? Sometimes::commit_unknown_and_landed
                                          : Sometimes::commit_unknown_and_lost);
            store_.watcher_.commit_unknown();
            answer(done, Result<void>(Error(ErrorCode::commit_unknown, "no answer to a commit")));
            return;
        }
        context_.sometimes.hit(landed ? Sometimes::commit_found_to_have_landed
                                      : Sometimes::commit_found_to_be_lost);
        const bool is_told = landed && !SEMEL_MUTATION(lost_reply_is_a_failure);
        answer(done, is_told ? Result<void>()
                             : Result<void>(Error(ErrorCode::unavailable, "the server is gone")));
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
        const auto committed = transaction_->commit();
        transaction_.reset();
        store_.watcher_.turn_to(batch_);
        if (!committed) {
            store_.watcher_.fail(Invariant::rows_fit, committed.error().message());
            return;
        }
        context_.trace.line("commit");
        if (context_.plan.is_shared())
            store_.remembered_.note(*batch_->changes);  // SQLite reads it all
        store_.watcher_.landed(store_.now());
        if (makes_work(*batch_->changes)) {
            store_.wake_channel_.tell(store_.process_);
        }
        const auto& jobs = batch_->changes->jobs;
        if (std::any_of(jobs.begin(), jobs.end(), may_end_chain) ||
            std::ranges::any_of(batch_->changes->claims, may_end_hold)) {
            store_.wake_channel_.tell_ends(store_.process_);
        }
    }

    FaultyStore& store_;
    Context& context_;
    std::shared_ptr<Transaction> transaction_;  // while one is open
    std::shared_ptr<Batch> batch_;              // the latest
    std::optional<Micros> waits_since_;
};

FaultyStore::FaultyStore(Context& context, StoreWatcher& watcher, const Shared& shared,
                         ProcessId process, std::function<void()> crash)
    : context_(context),
      watcher_(watcher),
      database_(shared.database),
      wake_channel_(shared.wake_channel),
      process_(process),
      crash_(std::move(crash)) {}

FaultyStore::~FaultyStore() {
    wake_channel_.watch(process_, nullptr);
    wake_channel_.watch_ends(process_, nullptr);
}

std::unique_ptr<Committer> FaultyStore::open_committer(Post) {
    return std::make_unique<Steps>(*this);
}

void FaultyStore::watch(const std::function<void()>& poll) {
    if (context_.plan.is_shared()) {
        wake_channel_.watch(process_, poll);
    }
}

void FaultyStore::watch_ends(const std::function<void()>& poll) {
    if (context_.plan.is_shared()) {
        wake_channel_.watch_ends(process_, poll);
    }
}

}  // namespace semel::sim
