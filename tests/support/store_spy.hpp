// StoreSpy: a store in front of another that counts what is asked of it, and fails on demand.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "store/store.hpp"

namespace semel::test {

class StoreSpy final : public Store {
public:
    explicit StoreSpy(Store& inner, int committers = 1) : inner_(inner), committers_(committers) {}

    std::unique_ptr<Committer> open_committer(Post post) override {
        return std::make_unique<Spy>(*this, inner_.open_committer(post), post);
    }
    Reads& reads() override {
        ++reads_asked;
        return inner_.reads();
    }
    [[nodiscard]] int committers() const override { return committers_; }
    [[nodiscard]] bool is_shared() const override { return shared; }
    [[nodiscard]] Time now() const override { return inner_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return inner_.clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return inner_.info(); }
    void watch(const std::function<void()>& looking) override { poll = looking; }
    void watch_ends(const std::function<void()>& looking) override { poll_ends = looking; }

    std::function<void()> poll;  // what a hint of another node's would call
    std::function<void()> poll_ends;
    bool shared = false;  // with other nodes, from the start
    int loads = 0;
    int commits = 0;
    int reads_asked = 0;
    int ready_queries = 0;
    std::optional<Error> fail_load;
    std::optional<Error> fail_commit;
    std::optional<Error> lose_commit;  // once: it happens, and this is answered
    bool hold_answer = false;          // once: a commit happens, and is answered by held_answer()
    std::function<void()> held_answer;
    std::function<void()> before_commit;
    std::function<void()> after_commit;  // once
    std::function<void()> after_failed_load;
    std::function<void(const LoadSpec&, Loaded&)> change_load;  // what is loaded
    std::function<Result<void>(const Changes&)> before_save;    // an error: it fails
    std::function<Result<Written>(const OwnWrites&)> on_write;  // in place of the store's

private:
    class Spy final : public Committer {
    public:
        Spy(StoreSpy& spy, std::unique_ptr<Committer> inner, Post post)
            : spy_(spy), inner_(std::move(inner)), post_(std::move(post)) {}

        void load(LoadSpec spec, Done<Loaded> done) override {
            ++spy_.loads;
            for (const Query& query : spec.queries) {
                spy_.ready_queries += std::holds_alternative<ReadyQuery>(query) ? 1 : 0;
            }
            if (spy_.fail_load) {
                post_([error = *spy_.fail_load, done = std::move(done)] { done(error); });
                if (spy_.after_failed_load) {
                    spy_.after_failed_load();
                }
                return;
            }
            spy_.in_turn([this, spec = std::move(spec), done = std::move(done)] {
                inner_->load(spec, [this, spec, done](Result<Loaded> loaded) {
                    if (loaded && spy_.change_load) spy_.change_load(spec, *loaded);
                    done(std::move(loaded));
                });
            });
        }
        void write(std::shared_ptr<const OwnWrites> writes, Done<Written> done) override {
            if (!spy_.on_write) {
                inner_->write(std::move(writes), std::move(done));
                return;
            }
            auto written = spy_.on_write(*writes);
            const bool is_over = !written || written->is_lost;
            const auto answer = [written, done = std::move(done),
                                 post = post_](const Result<void>&) {
                post([written, done] { done(written); });
            };
            if (is_over) {
                roll_back(answer);
            } else {
                answer({});
            }
        }
        void commit(std::shared_ptr<const Changes> changes, Done<void> done) override {
            const auto allowed = spy_.before_save ? spy_.before_save(*changes) : Result<void>();
            if (!allowed) {
                roll_back(
                    [allowed, done = std::move(done)](const Result<void>&) { done(allowed); });
                return;
            }
            ++spy_.commits;
            if (spy_.before_commit) {
                spy_.before_commit();
            }
            if (spy_.fail_commit) {
                roll_back([error = *spy_.fail_commit, done = std::move(done)](const Result<void>&) {
                    done(error);
                });
                return;
            }
            if (spy_.lose_commit) {
                done = [error = *std::exchange(spy_.lose_commit, std::nullopt),
                        done = std::move(done)](const Result<void>&) { done(error); };
            } else if (std::exchange(spy_.hold_answer, false)) {
                done = [this, done = std::move(done)](const Result<void>& committed) {
                    spy_.held_answer = [committed, done] { done(committed); };
                };
            } else if (spy_.after_commit) {
                std::exchange(spy_.after_commit, nullptr)();
            }
            inner_->commit(std::move(changes), std::move(done));
            spy_.end_turn();
        }
        void roll_back(Done<void> done) override {
            inner_->roll_back(std::move(done));
            spy_.end_turn();
        }

    private:
        StoreSpy& spy_;
        std::unique_ptr<Committer> inner_;
        Post post_;
    };

    // One transaction at a time, as many committers as there are: a store in memory has no locks.
    void in_turn(std::function<void()> begin) {
        if (std::exchange(is_taken_, true)) {
            waiting_.push_back(std::move(begin));
        } else {
            begin();
        }
    }
    void end_turn() {
        is_taken_ = false;
        if (!waiting_.empty()) {
            auto begin = std::move(waiting_.front());
            waiting_.pop_front();
            in_turn(std::move(begin));
        }
    }

    Store& inner_;
    const int committers_;
    bool is_taken_ = false;
    std::deque<std::function<void()>> waiting_;
};

}  // namespace semel::test
