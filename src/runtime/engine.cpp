#include <semel/engine.hpp>

#include "core/json/json.hpp"
#include "runtime/host.hpp"
#include "runtime/host_stages.hpp"
#include "runtime/in_commit.hpp"
#include "runtime/once.hpp"
#include "runtime/open_store.hpp"
#include "runtime/requests.hpp"

namespace semel {
namespace {

ScheduleAnswer to_answer(const Item<ScheduledAction>& item) {
    ScheduleAnswer answer;
    if (const auto* problem = std::get_if<Problem>(&item)) {
        answer.problem = *problem;
        answer.decision = Decision::conflict;
        return answer;
    }
    const auto& scheduled = std::get<ScheduledAction>(item);
    answer.id = scheduled.action.job.id;
    answer.decision = scheduled.decision;
    answer.replaced = scheduled.replaced;
    answer.payload_differs = scheduled.payload_differs;
    answer.successor_of = scheduled.successor_of;
    return answer;
}

ActionInfo to_info(const ActionView& view) {
    ActionInfo info;
    info.id = view.job.id;
    info.type = view.job.type;
    info.status = view.job.status;
    info.payload = view.body.payload;
    info.output = view.result.output;
    info.error_message = view.result.error_message;
    info.error_code = view.result.error_code;
    info.attempts = view.job.attempts;
    info.scheduled_at = view.job.scheduled_at;
    return info;
}

Work to_work(const TakenJob& taken, std::stop_token stop) {
    Work work;
    work.id = taken.job.id;
    work.tenant = taken.job.tenant;
    work.type = taken.job.type;
    work.payload = taken.payload;
    work.attempt = taken.job.attempts;
    work.token = to_int(taken.job.token);
    work.chain_id = taken.job.chain;
    work.chain_index = taken.job.chain_index;
    work.blockers.reserve(taken.blockers.size());
    for (const BlockerView& blocker : taken.blockers) {
        work.blockers.push_back({blocker.id, blocker.type, blocker.status, blocker.output});
    }
    work.stop = std::move(stop);
    return work;
}

// A handler's output is stored as JSON. Any other output fails the attempt, not the store.
HandlerResult checked(HandlerResult result) {
    if (result.output && !json::Document::parse(*result.output)) {
        return failed_for_good("the handler's output is not JSON");
    }
    return result;
}

// Wraps the function that a handler leaves for the commit, so that its result is checked there.
HandlerResult guarded(HandlerResult result) {
    if (result.in_commit) {
        result.in_commit = [statements = std::move(result.in_commit)](Tx& tx) {
            return checked(call_in_commit(statements, tx));
        };
    }
    return result;
}

}  // namespace

struct Engine::Impl {
    Impl(std::unique_ptr<Store> store, NodeOptions options)
        : host(std::move(store), std::move(options), observer) {}

    [[nodiscard]] Result<std::optional<Problem>> operate(OperateAction command) {
        SEMEL_TRY(reply, host.execute(std::move(command)));
        if (auto* problem = std::get_if<Problem>(&reply)) {
            return std::optional(std::move(*problem));
        }
        return std::optional<Problem>();
    }

    Observer observer;
    Host host;
    Chains chains{host};
    Schedules schedules{host};
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(const EngineOptions& options) {
    SEMEL_TRY(store, open_store(options.store));
    NodeOptions node;
    node.concurrency = options.concurrency;
    node.settings.window = options.window;
    node.settings.default_timeout = options.default_timeout;
    node.settings.job_retention = options.job_retention;
    node.settings.key_retention = options.key_retention;
    auto impl = std::make_unique<Impl>(std::move(store), std::move(node));
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

void Engine::handle(const std::string& type, Handler handler, Millis timeout) {
    impl_->host.add_handler(
        type, HandlerOptions{timeout},
        [handler = std::move(handler)](const TakenJob& taken, std::stop_token stop) {
            return guarded(checked(handler(to_work(taken, std::move(stop)))));
        });
}

void Engine::handle_atomic(const std::string& type, AtomicHandler handler, Millis timeout) {
    const auto shared = std::make_shared<const AtomicHandler>(std::move(handler));
    handle(
        type,
        [shared](const Work& work) {
            HandlerResult result;
            result.in_commit = [shared, work](Tx& tx) { return (*shared)(work, tx); };
            return result;
        },
        timeout);
}

void Engine::handle_staged(const std::string& type, StagedHandler handler, Millis timeout) {
    impl_->host.add_handler(
        type, HandlerOptions{timeout},
        [handler = std::move(handler), &host = impl_->host](const TakenJob& taken,
                                                            std::stop_token stop) {
            HostStages stages(host, taken);
            HandlerResult result = handler(to_work(taken, std::move(stop)), stages);
            if (stages.has_completed() && result.completed && !result.in_commit) {
                return failed_for_good("a handler that called complete() must return its result");
            }
            return guarded(checked(std::move(result)));
        });
}

void Engine::start() {
    impl_->host.start();
}
void Engine::stop(Millis grace) {
    impl_->host.stop(grace);
}

Result<ScheduleAnswer> Engine::schedule(const ActionSpec& action) {
    SEMEL_TRY(answers, schedule_all({action}));
    return std::move(answers.front());
}

Result<std::vector<ScheduleAnswer>> Engine::schedule_all(const std::vector<ActionSpec>& actions) {
    ScheduleActions command;
    command.items.reserve(actions.size());
    for (const ActionSpec& action : actions) {
        if (action.tenant != actions.front().tenant) {
            return Error(ErrorCode::invalid, "one call schedules for one tenant");
        }
        command.items.push_back(to_request(action, impl_->host.node().settings()));
    }
    command.tenant = actions.empty() ? "default" : actions.front().tenant;
    SEMEL_TRY(reply, impl_->host.execute(std::move(command)));
    std::vector<ScheduleAnswer> answers;
    for (const auto& item : std::get<ScheduleActions::Outcome>(reply)) {
        answers.push_back(to_answer(item));
    }
    return answers;
}

void Engine::schedule_async(const ActionSpec& action,
                            std::function<void(Result<ScheduleAnswer>)> done) {
    ScheduleActions command;
    command.tenant = action.tenant;
    command.items.push_back(to_request(action, impl_->host.node().settings()));
    impl_->host.submit(std::move(command),
                       [done = std::move(done)](const Result<Reply<ScheduleActions>>& reply) {
                           if (!reply) {
                               done(reply.error());
                               return;
                           }
                           done(to_answer(std::get<ScheduleActions::Outcome>(*reply).front()));
                       });
}

Result<std::optional<ActionInfo>> Engine::get(const Uuid& id, const std::string& tenant) {
    std::promise<Result<std::optional<ActionDetails>>> answered;
    auto answer = answered.get_future();
    impl_->host.store().reads().get_action(
        tenant, id, [&answered](auto found) { answered.set_value(std::move(found)); });
    SEMEL_TRY(details, answer.get());
    if (!details) {
        return std::optional<ActionInfo>();
    }
    return std::optional(to_info(details->view));
}

Result<std::optional<Problem>> Engine::run_now(const Uuid& id, const std::string& tenant) {
    return impl_->operate({.tenant = tenant, .id = id, .operation = Operation::run_now});
}

Result<std::optional<Problem>> Engine::retry(const Uuid& id, bool force,
                                             const std::string& tenant) {
    return impl_->operate(
        {.tenant = tenant, .id = id, .operation = Operation::retry, .force = force});
}

Result<std::optional<Problem>> Engine::cancel(const Uuid& id, const std::string& tenant) {
    return impl_->operate({.tenant = tenant, .id = id, .operation = Operation::cancel});
}

Result<void> Engine::write(const std::function<void(Tx&)>& statements) {
    return impl_->host.write(std::nullopt,
                             [&statements](Tx& tx) { return run_in_commit(statements, tx); });
}

Result<OnceAnswer> Engine::once(const OnceSpec& spec, const OnceFunction& effect) {
    return semel::once(impl_->host, spec, effect);
}

Result<std::optional<SealedEffect>> Engine::sealed(const std::string& key,
                                                   const std::string& tenant) {
    return sealed_effect(impl_->host, key, tenant);
}

Chains& Engine::chains() {
    return impl_->chains;
}

Schedules& Engine::schedules() {
    return impl_->schedules;
}

}  // namespace semel
