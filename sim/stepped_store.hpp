// SteppedStore: the simulated database behind the interface of a store, for tests that make one
// step after another themselves. Each step is made at once; one that would have to wait for
// another's end fails as it would when that does not come in time.
#pragma once

#include <memory>
#include <utility>

#include "sim/transaction.hpp"
#include "store/store.hpp"

namespace semel::sim {

// What became of guesses: of jobs, and of batches.
struct GuessTally {
    int right = 0;
    int untested = 0;
};

class SteppedStore final : public Store {
public:
    // Counts in `tally`, which outlives it.
    SteppedStore(std::function<Time()> clock, GuessTally& tally)
        : database_(std::move(clock)), tally_(tally) {}

    std::unique_ptr<Committer> open_committer(Post) override {
        return std::make_unique<Steps>(*this);
    }
    Reads& reads() override { return database_.reads(); }
    [[nodiscard]] Time now() const override { return database_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return database_.clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return {"sim", "this test", "", false}; }

private:
    class Steps final : public Committer {
    public:
        explicit Steps(SteppedStore& store)
            : database_(store.database_), tally_(store.tally_), remembered_(store.remembered_) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            transaction_ = std::make_unique<Transaction>(database_);
            transaction_->load(std::move(spec), remembered_);
            const auto ran = run();
            done(ran ? Result<Loaded>(transaction_->take_loaded()) : Result<Loaded>(ran.error()));
        }
        void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
            done(save_and_commit(changes));
        }
        void roll_back(Done<void> done) override {
            transaction_->roll_back();
            if (!transaction_->has_guessed()) {
                done({});
                return;
            }
            ++tally_.untested;
            remembered_.forget(transaction_->guesses());
            done(Error(ErrorCode::busy, "what was guessed is to be read"));
        }

    private:
        [[nodiscard]] Result<void> run() {
            auto progress = Transaction::Progress::more;
            while (progress == Transaction::Progress::more) progress = transaction_->advance();
            if (progress == Transaction::Progress::done) {
                return {};
            }
            transaction_->roll_back();
            return Error(ErrorCode::busy, "a lock was waited for too long");
        }

        [[nodiscard]] Result<void> save_and_commit(const std::shared_ptr<const Changes>& changes) {
            transaction_->save(changes);
            auto saved = run();
            if (saved) saved = transaction_->saved();
            if (!saved) {
                transaction_->roll_back();
                remembered_.forget(transaction_->guesses());
                return saved;
            }
            auto committed = transaction_->commit();
            if (committed) {
                tally_.right += static_cast<int>(transaction_->guesses().size());
                remembered_.note(*changes);
            }
            return committed;
        }

        Database& database_;
        GuessTally& tally_;
        RememberedJobs& remembered_;
        std::unique_ptr<Transaction> transaction_;
    };

    Database database_;
    GuessTally& tally_;
    RememberedJobs remembered_;
};

}  // namespace semel::sim
