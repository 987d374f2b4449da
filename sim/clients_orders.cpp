// What clients ask of schedules, and of many actions at once.
#include "core/schedules/schedule_request.hpp"
#include "sim/clients.hpp"

namespace semel::sim {
namespace {

// The action that an answer names, so that an operator can turn to it.
std::optional<JobId> named(const Reply<PutSchedule>& reply) {
    const auto* view = std::get_if<ScheduleView>(&reply);
    return view != nullptr && view->current ? std::optional(view->current->id) : std::nullopt;
}
std::optional<JobId> named(const Reply<TriggerSchedule>& reply) {
    const auto* view = std::get_if<ActionView>(&reply);
    return view != nullptr ? std::optional(view->job.id) : std::nullopt;
}
std::optional<JobId> named(const Reply<DeleteSchedule>&) {
    return std::nullopt;
}

}  // namespace

void Clients::order(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const ScheduleKey key{talk->request->tenant, send->order->name};
    switch (send->order->verb) {
        case ScheduleVerb::put: {
            const auto body = json::Document::parse(
                send->order->plan.to_json(key.tenant, send->order->other_bytes));
            const auto spec = read_schedule_request(body->root(), context_.plan.settings);
            submit_order(node, talk, send, PutSchedule{key, std::get<ScheduleSpec>(spec)});
            break;
        }
        case ScheduleVerb::pause: submit_order(node, talk, send, PauseSchedule{key, true}); break;
        case ScheduleVerb::resume: submit_order(node, talk, send, PauseSchedule{key, false}); break;
        case ScheduleVerb::trigger: submit_order(node, talk, send, TriggerSchedule{key}); break;
        case ScheduleVerb::remove: submit_order(node, talk, send, DeleteSchedule{key}); break;
    }
}

template <typename Command>
void Clients::submit_order(Node& node, const Talk& talk, const std::shared_ptr<Send>& send,
                           Command command) {
    const auto seen = std::make_shared<std::optional<JobId>>();
    node.submit_rendered<Command>(
        std::move(command), std::nullopt,
        [this, talk, send, seen](const Reply<Command>& reply) {
            *seen = named(reply);
            checker_.decided({send, talk->request->tenant, DecidedOrder{*send->order, reply}});
            return Receipt{};
        },
        [this, talk, send, seen](Result<Rendered> rendered) {
            if (rendered && !rendered->replayed && *seen) remember(talk->request->tenant, **seen);
            reply(talk, send, std::move(rendered), nullptr);
        });
}

void Clients::start_bulk(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const BulkPlan& plan = *talk->request->bulk;
    StartBulk command;
    command.tenant = talk->request->tenant;
    command.operation = plan.operation;
    command.filter = plan.filter;
    command.dry_run = plan.dry_run;
    node.store().reads().count_actions(
        command.tenant, command.filter,
        [&](const Result<MatchedActions>& matched) { command.matched = *matched; });
    checker_.counted(command);
    node.submit_rendered<StartBulk>(
        command, std::nullopt,
        [this, send, command](const Reply<StartBulk>& reply) {
            checker_.decided({send, command.tenant, DecidedBulk{command, reply}});
            return Receipt{};
        },
        [this, talk, send](Result<Rendered> rendered) {
            reply(talk, send, std::move(rendered), nullptr);
        });
}

}  // namespace semel::sim
