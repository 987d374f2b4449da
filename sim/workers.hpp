// Workers: programs elsewhere that pull jobs. They die, stop past their leases and go on, repeat
// themselves, and lose answers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sim/checker.hpp"
#include "sim/server.hpp"

namespace semel::sim {

class Worker {
public:
    Worker(Context& context, Checker& checker, Server& server, Users& users, const WorkerPlan& plan,
           int number)
        : context_(context),
          checker_(checker),
          server_(server),
          users_(users),
          plan_(plan),
          number_(number) {}

    void start() { ask(); }
    // From now on it does its work well; what it began badly it may finish badly.
    void behave();

private:
    using AttemptKey = std::pair<JobId, Token>;
    struct Attempt {
        TakenJob job;
        JobCall last_word;
        int tries = 0;
    };

    // Whatever a dead worker had on its mind is forgotten: its life counts on.
    void later(Micros delay, std::function<void()> run);
    void die();

    void ask();
    void claim(Node& node, std::uint64_t ask, const ClaimRequest& request);
    void answered(std::uint64_t ask, Result<std::vector<TakenJob>> jobs);
    void work(const TakenJob& job);
    void begin_heartbeats(const AttemptKey& key);
    void finish(const AttemptKey& key);
    void settled(const AttemptKey& key, Users::End end);
    [[nodiscard]] JobCall last_word(const TakenJob& job);
    void say(const AttemptKey& key);
    using Heard = std::function<void(const SettleJobs::Outcome&)>;
    void call(SettleJobs command, Heard heard);
    void settle(Node& node, const SettleJobs& command, const Heard& heard);
    void heard(const AttemptKey& key, const Item<JobAnswer>& answer);

    Context& context_;
    Checker& checker_;
    Server& server_;
    Users& users_;
    const WorkerPlan& plan_;
    int number_;
    int life_ = 1;
    std::uint64_t asked_ = 0;
    std::map<AttemptKey, Attempt> attempts_;
};

}  // namespace semel::sim
