#include "sim/workers.hpp"

#include "engine/handler_call.hpp"
#include "sim/chain_steps.hpp"

namespace semel::sim {
namespace {

constexpr Millis kPatience = std::chrono::seconds(2);  // for an answer
constexpr Millis kRestart = std::chrono::seconds(1);   // after its death
constexpr Millis kPause = Millis(1'500);               // between polls that found nothing
constexpr int kTriesMax = 3;
constexpr Micros kParked = Millis(500);  // an answer that takes longer had to wait for work

}  // namespace

void Worker::later(Micros delay, std::function<void()> run) {
    context_.world.after(kOutside, delay, [this, life = life_, run = std::move(run)] {
        if (life == life_) run();
    });
}

void Worker::die() {
    context_.trace.line("worker {} dies", number_);
    ++life_;
    attempts_.clear();
    later(kRestart, [this] { ask(); });
}

void Worker::behave() {
    if (attempts_.empty()) {
        ask();
    }
}

// ---- asking for work
// ------------------------------------------------------------------------------

void Worker::ask() {
    const std::uint64_t ask = ++asked_;
    ClaimRequest request;
    request.tenant = plan_.tenant;
    request.types = plan_.types;
    request.max = plan_.max;
    request.worker = fmt::format("worker-{}", number_);
    request.lease = plan_.lease;
    request.wait = plan_.wait;
    later(context_.delay(context_.plan.network_delay), [this, ask, request] {
        if (Process* process = server_.process()) {
            context_.world.post(process->number(), [this, ask, request, process] {
                claim(process->node(), ask, request);
            });
        }
    });
    // Where no answer comes, it asks again.
    later(plan_.wait + kPatience, [this, ask] {
        if (ask == asked_) this->ask();
    });
}

void Worker::claim(Node& node, std::uint64_t ask, const ClaimRequest& request) {
    const Micros asked_at = context_.world.now();
    node.claim(request, [this, ask, asked_at, life = life_](Result<std::vector<TakenJob>> jobs) {
        if (jobs && !jobs->empty() && context_.world.now() - asked_at > kParked) {
            context_.sometimes.hit(Sometimes::poller_woken_by_commit);
        }
        if (life == life_ && !context_.strikes(Fault::reply_lost)) {
            const auto shared = std::make_shared<Result<std::vector<TakenJob>>>(std::move(jobs));
            later(context_.delay(context_.plan.network_delay),
                  [this, ask, shared] { answered(ask, std::move(*shared)); });
        }
    });
}

void Worker::answered(std::uint64_t ask, Result<std::vector<TakenJob>> jobs) {
    if (jobs) {
        for (const TakenJob& job : *jobs) {
            work(job);
            if (context_.strikes(Fault::worker_dies)) {
                die();
                return;
            }
        }
    }
    if (ask == asked_ && (!jobs || jobs->empty())) {
        ++asked_;  // heard
        later(kPause, [this, next = asked_] {
            if (next == asked_) this->ask();
        });
    } else if (ask == asked_) {
        this->ask();
    }
}

// ---- working ------------------------------------------------------------------------------------

void Worker::work(const TakenJob& job) {
    checker_.started(job, plan_.tenant);
    const AttemptKey key{job.job.id, job.job.token};
    attempts_.insert_or_assign(key, Attempt{job, last_word(job)});
    Random& random = context_.world.random();
    const auto lease_ms = static_cast<int>(plan_.lease.count());
    if (context_.strikes(Fault::worker_zombie)) {
        context_.trace.line("worker {} stands still", number_);
        Verb& verb = attempts_.at(key).last_word.verb;
        verb = static_cast<Verb>(random.below(4));
        if (verb == Verb::heartbeat) verb = Verb::complete;
        if (verb != Verb::complete) attempts_.at(key).last_word.continue_with.reset();
        later(plan_.lease + Millis(random.below(lease_ms * 3)), [this, key] { finish(key); });
        return;
    }
    // Half of them end around the end of the lease, or live by heartbeats.
    const int longest = !context_.faults_on ? 10 : random.one_in(2) ? 50 : lease_ms + 2;
    const Micros duration(1000LL * random.below(longest));
    if (plan_.heartbeats) begin_heartbeats(key);
    later(duration, [this, key] { finish(key); });
}

void Worker::begin_heartbeats(const AttemptKey& key) {
    later(plan_.lease / 3, [this, key] {
        const auto attempt = attempts_.find(key);
        if (attempt == attempts_.end()) {
            return;
        }
        JobCall beat{.id = key.first, .token = key.second, .verb = Verb::heartbeat};
        beat.lease = plan_.lease;
        call({plan_.tenant, {beat}}, [](const SettleJobs::Outcome&) {});
        begin_heartbeats(key);
    });
}

JobCall Worker::last_word(const TakenJob& job) {
    Random& random = context_.world.random();
    JobCall call{.id = job.job.id, .token = job.job.token, .verb = Verb::complete};
    if (context_.strikes(Fault::worker_releases)) {
        call.verb = Verb::release;
    } else if (context_.strikes(Fault::handler_fails)) {
        call.verb = Verb::fail;
        call.error = "no";
        call.final = random.one_in(6);
        if (random.one_in(4)) call.retry_after = Millis(random.below(2'000));
    } else if (const auto step = next_step(context_, job)) {
        call.continue_with = continuation_of(*step, job.job.tenant, context_.plan.settings);
        checker_.continues(job.job.id, *step);
    } else if (random.one_in(2)) {
        call.output = "{\"by\":\"worker\"}";
    }
    return call;
}

void Worker::finish(const AttemptKey& key) {
    const auto attempt = attempts_.find(key);
    if (attempt == attempts_.end()) {
        return;
    }
    if (users_.settles(attempt->second.last_word)) {
        users_.settle(attempt->second.job, attempt->second.last_word,
                      [this, key, life = life_](Users::End end) {
                          if (life == life_) settled(key, end);
                      });
        return;
    }
    if (attempt->second.last_word.verb == Verb::complete) {
        checker_.effect(attempt->second.job);
    }
    say(key);
}

// Told in its own transaction. Some tell it again in the ordinary way.
void Worker::settled(const AttemptKey& key, Users::End end) {
    const auto attempt = attempts_.find(key);
    if (attempt == attempts_.end()) {
        return;
    }
    if (end == Users::End::rolled_back && attempt->second.last_word.verb == Verb::complete) {
        checker_.effect(attempt->second.job);
    }
    if (end == Users::End::rolled_back || context_.world.random().one_in(2)) {
        say(key);
    } else {
        attempts_.erase(attempt);
    }
}

// Says how the attempt ended, again while no answer comes.
void Worker::say(const AttemptKey& key) {
    const auto found = attempts_.find(key);
    if (found == attempts_.end()) {
        return;
    }
    Attempt& attempt = found->second;
    if (++attempt.tries > kTriesMax) {
        attempts_.erase(found);
        return;
    }
    JobCall word = attempt.last_word;
    if (attempt.tries > 1 && context_.strikes(Fault::request_changed)) {
        word.verb = context_.world.random().one_in(2) ? Verb::fail : word.verb;
        word.error = "something else";
        word.output =
            word.verb == Verb::complete ? std::optional<std::string>("[1]") : std::nullopt;
        word.continue_with.reset();
    }
    SettleJobs command{plan_.tenant, {word}};
    if (context_.strikes(Fault::worker_repeats)) command.calls.emplace_back(word);
    if (context_.strikes(Fault::worker_repeats)) {
        // A name that belongs to the other tenant.
        SettleJobs foreign{other_tenant(plan_.tenant), {word}};
        call(std::move(foreign), [](const SettleJobs::Outcome&) {});
    }
    const bool repeats = context_.strikes(Fault::worker_repeats);
    call(std::move(command), [this, key, repeats](const SettleJobs::Outcome& answers) {
        if (repeats) {
            say(key);  // it did not notice
        } else {
            heard(key, answers.front());
        }
    });
    later(kPatience, [this, key] { say(key); });
}

void Worker::heard(const AttemptKey& key, const Item<JobAnswer>& answer) {
    const auto attempt = attempts_.find(key);
    if (attempt == attempts_.end()) {
        return;
    }
    const auto* problem = std::get_if<Problem>(&answer);
    auto failure =
        problem != nullptr ? after_refusal(attempt->second.last_word, *problem) : std::nullopt;
    if (!failure) {
        attempts_.erase(attempt);
        return;
    }
    attempt->second.last_word = std::move(*failure);
    attempt->second.tries = 0;
    say(key);
}

void Worker::call(SettleJobs command, Heard heard) {
    later(context_.delay(context_.plan.network_delay),
          [this, command = std::move(command), heard = std::move(heard)] {
              if (Process* process = server_.process()) {
                  context_.world.post(process->number(), [this, command, heard, process] {
                      settle(process->node(), command, heard);
                  });
              }
          });
}

void Worker::settle(Node& node, const SettleJobs& command, const Heard& heard) {
    const auto send = std::make_shared<Send>();
    const auto answers = std::make_shared<SettleJobs::Outcome>();
    node.submit_rendered<SettleJobs>(
        command, std::nullopt,
        [this, send, command, answers](const Reply<SettleJobs>& reply) {
            *answers = std::get<SettleJobs::Outcome>(reply);
            checker_.decided({send, command.tenant, DecidedCalls{command, *answers}});
            return Receipt{};
        },
        [this, send, answers, heard, life = life_](const Result<Rendered>& rendered) {
            checker_.answered(*send,
                              rendered ? std::nullopt : std::optional<Error>(rendered.error()));
            if (rendered && life == life_ && !context_.strikes(Fault::reply_lost)) {
                later(context_.delay(context_.plan.network_delay),
                      [answers, heard] { heard(*answers); });
            }
        });
}

}  // namespace semel::sim
