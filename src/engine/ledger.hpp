// Ledger: where every command goes. It has as many lines of commits as the store is worth, and
// sends the commands of one key down the same one, where they share a batch instead of waiting for
// each other's rows; who takes jobs chooses one himself, and ends them there.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/commit_line.hpp"

namespace semel {

class Ledger {
public:
    Ledger(Env& env, Store& store, const Settings& settings,
           const CommitLine::Listeners& listeners);

    void submit(std::unique_ptr<Task> task);

    // For who chooses the line for what is about no key. The idlest begins soonest, of those that
    // will do.
    [[nodiscard]] std::size_t lines() const { return lines_.size(); }
    [[nodiscard]] std::size_t idlest(const std::function<bool(std::size_t)>& will_do) const;
    void submit_to(std::size_t line, std::unique_ptr<Task> task);
    void submit_all_to(std::size_t line, std::vector<std::unique_ptr<Task>> tasks);

    // Whether callers should be turned away: what waits is more than can be answered in time, or
    // more than memory should hold.
    [[nodiscard]] bool is_full() const;

    // Answers what has been submitted, then calls back. Whatever is submitted later is answered
    // `stopped`.
    void close(std::function<void()> done);

private:
    [[nodiscard]] std::size_t line_for(const Task& task) const;

    std::vector<std::unique_ptr<CommitLine>> lines_;  // never empty
    std::size_t closing_ = 0;                         // those that have not answered yet
};

}  // namespace semel
