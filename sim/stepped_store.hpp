// SteppedStore: the simulated database behind the interface of a store, for tests that make one
// step after another themselves. Each step is made at once; one that would have to wait for
// another's end fails as it would when that does not come in time.
#pragma once

#include <memory>
#include <utility>

#include "sim/transaction.hpp"
#include "store/store.hpp"

namespace semel::sim {

class SteppedStore final : public Store {
public:
    explicit SteppedStore(std::function<Time()> clock) : database_(std::move(clock)) {}

    std::unique_ptr<Committer> open_committer(Post) override {
        return std::make_unique<Steps>(database_);
    }
    Reads& reads() override { return database_.reads(); }
    [[nodiscard]] Time now() const override { return database_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return database_.clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return {"sim", "this test", "", false}; }

private:
    class Steps final : public Committer {
    public:
        explicit Steps(Database& database) : database_(database) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            transaction_ = std::make_unique<Transaction>(database_);
            transaction_->load(std::move(spec));
            const auto ran = run();
            done(ran ? Result<Loaded>(transaction_->take_loaded()) : Result<Loaded>(ran.error()));
        }
        void save(std::shared_ptr<const Changes> changes, Done<void> done) override {
            transaction_->save(changes);
            auto ran = run();
            if (ran) ran = transaction_->saved();
            if (!ran) transaction_->roll_back();
            done(std::move(ran));
        }
        void commit(Done<void> done) override { done(transaction_->commit()); }
        void roll_back(Done<void> done) override {
            transaction_->roll_back();
            done({});
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

        Database& database_;
        std::unique_ptr<Transaction> transaction_;
    };

    Database database_;
};

}  // namespace semel::sim
