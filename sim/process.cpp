#include "sim/process.hpp"

#include "sim/chain_steps.hpp"

namespace semel::sim {
namespace {

NodeOptions options_of(const Plan& plan, ProcessId number) {
    NodeOptions options;
    options.name = fmt::format("process-{}", number);
    options.concurrency = plan.concurrency;
    options.settings = plan.settings;
    options.bulk_step = plan.bulk_step;
    return options;
}

JobCall word_of(const TakenJob& job, const HandlerResult& result, const Checker& checker,
                const Settings& settings) {
    JobCall word{.id = job.job.id, .token = job.job.token, .verb = Verb::complete};
    word.output = result.output;
    if (result.next) {
        word.continue_with =
            continuation_of(checker.asked(result.next->input), job.job.tenant, settings);
    }
    if (!result.completed) word.verb = Verb::fail;
    word.error = result.error;
    word.retry_after = result.retry_after;
    word.final = result.final;
    return word;
}

}  // namespace

bool SimEnv::post(std::function<void()> run) {
    context_.world.post(process_, std::move(run));
    return true;
}

Env::TimerId SimEnv::after(Millis delay, std::function<void()> run) {
    return context_.world.after(process_, delay, std::move(run));
}

void SimEnv::run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) {
    const AttemptKey key{job.job.id, job.job.token};
    checker_.started(job, job.job.tenant);
    Handler handler{job, std::move(done)};
    const Micros duration = duration_of(job, handler);
    handler.end = context_.world.after(process_, duration, [this, key] { finish(key, false); });
    handlers_.emplace(key, std::move(handler));
}

Micros SimEnv::duration_of(const TakenJob& job, Handler& handler) {
    Random& random = context_.world.random();
    const Millis timeout = job.job.timeout.value_or(context_.plan.settings.default_timeout);
    if (context_.strikes(Fault::handler_late)) {
        handler.listens = false;
        return timeout + Millis(random.below(8'000));
    }
    if (context_.strikes(Fault::handler_hangs)) {
        return timeout + std::chrono::seconds(20);
    }
    return context_.faults_on ? Micros(random.below(random.one_in(4) ? 2'000'000 : 30'000))
                              : Micros(random.below(5'000));
}

void SimEnv::stop_handler(const JobId& id, Token token) {
    const AttemptKey key{id, token};
    const auto handler = handlers_.find(key);
    if (handler != handlers_.end() && handler->second.listens) {
        context_.world.cancel(handler->second.end);
        handler->second.end =
            context_.world.after(process_, Millis(1), [this, key] { finish(key, true); });
    }
}

void SimEnv::finish(const AttemptKey& key, bool was_stopped) {
    const auto handler = handlers_.extract(key);
    const HandlerResult result = result_of(handler.mapped().job, was_stopped);
    const JobCall word = word_of(handler.mapped().job, result, checker_, context_.plan.settings);
    if (users_.settles(word)) {
        settle(handler.mapped(), result, word);
        return;
    }
    if (result.completed) {
        checker_.effect(handler.mapped().job);
    }
    handler.mapped().done(result);
}

// In a transaction of its own, and then answers the same; an exception is what a rollback brings.
void SimEnv::settle(const Handler& handler, const HandlerResult& result, const JobCall& word) {
    const TakenJob& job = handler.job;
    // The process may be gone by then: whose event it is decides whether it happens.
    const auto answer = [&context = context_, &checker = checker_, process = process_, job, result,
                         done = handler.done](Users::End end) {
        HandlerResult told = result;
        if (end != Users::End::committed) {
            told = failed("rolled back");
            checker.local_retry_after(job, std::nullopt);
        }
        context.world.post(process, [done, told] { done(told); });
    };
    users_.settle(job, word, answer);
}

HandlerResult SimEnv::result_of(const TakenJob& job, bool was_stopped) {
    Random& random = context_.world.random();
    if (!was_stopped && !context_.strikes(Fault::handler_fails)) {
        const auto step = next_step(context_, job);
        if (!step) {
            return done("{\"by\":\"handler\"}");
        }
        checker_.continues(job.job.id, *step);
        const std::string& tenant = job.job.tenant;
        return continue_with(step->type, step->input(tenant), step->options(tenant));
    }
    HandlerResult result = failed(was_stopped ? "stopped" : "the handler threw");
    result.final = !was_stopped && random.one_in(6);
    if (random.one_in(4)) result.retry_after = Millis(random.below(2'000));
    checker_.local_retry_after(job, result.retry_after);
    return result;
}

Process::Process(Context& context, Checker& checker, const Shared& shared, Users& users,
                 ProcessId number, std::function<void()> crash)
    : number_(number),
      env_(context, checker, users, number),
      store_(context, checker, shared, number, std::move(crash)),
      node_(env_, store_, options_of(context.plan, number)) {
    node_.add_handler(std::string(kLocalType), {});
    node_.add_handler(std::string(kSharedType), {});
    node_.start();
}

}  // namespace semel::sim
