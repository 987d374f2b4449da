#include "sim/clients.hpp"

#include "core/actions/action_request.hpp"
#include "core/keys/idempotency.hpp"
#include "sim/chain_steps.hpp"

namespace semel::sim {
namespace {

constexpr Millis kPatience = std::chrono::seconds(4);  // before a request is sent again
constexpr std::size_t kSeenMax = 12;

// What a client gets to read: everything that identifies the outcome.
Receipt render(const Reply<ScheduleActions>& reply) {
    const auto* answers = std::get_if<ScheduleActions::Outcome>(&reply);
    if (answers == nullptr) {
        return {422, std::get<Problem>(reply).detail};
    }
    Receipt receipt{201, ""};
    for (const auto& answer : *answers) {
        if (const auto* problem = std::get_if<Problem>(&answer)) {
            receipt.body += fmt::format("{};", to_string(problem->code));
        } else {
            const auto& action = std::get<ScheduledAction>(answer);
            receipt.body += fmt::format("{} {} {};", to_string(action.decision),
                                        action.action.job.id.to_string(), action.replaced);
        }
    }
    return receipt;
}

ScheduleActions command_of(const std::string& tenant, const std::vector<ItemPlan>& items,
                           const Settings& settings) {
    ScheduleActions command{tenant, {}};
    for (const ItemPlan& item : items) {
        const auto document = json::Document::parse(item.to_json(tenant));
        command.items.push_back(read_action_request(document->root(), tenant, settings, ""));
    }
    return command;
}

}  // namespace

void Clients::start() {
    for (const RequestPlan& request : context_.plan.requests) {
        auto talk = std::make_shared<Conversation>();
        talk->request = &request;
        talk->number = ++numbers_;
        ++open_;
        context_.world.after(kOutside, request.at, [this, talk] { send(talk, false); });
    }
}

// ---- to the engine ------------------------------------------------------------------------------

void Clients::send(const Talk& talk, bool is_repeat) {
    if (talk->done) {
        return;
    }
    if (talk->sends >= talk->request->sends_max) {
        finish(*talk);  // gives up: nobody knows what became of it
        return;
    }
    ++talk->sends;
    auto send = std::make_shared<Send>();
    send->request = talk->request;
    send->number = talk->number;
    send->items = talk->request->items;
    send->order = talk->request->order;
    if (is_repeat && context_.strikes(Fault::request_changed)) {
        for (ItemPlan& item : send->items) item.number += 1'000'000 * talk->sends;
        if (send->order) send->order->plan.number += 1'000'000 * talk->sends;
        send->changed_by = 1'000'000 * talk->sends;
    }
    if (!talk->first) talk->first = send;
    const int copies = context_.strikes(Fault::request_duplicated) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
        const auto copy = i == 0 ? send : std::make_shared<Send>(*send);
        context_.world.after(kOutside, context_.delay(context_.plan.network_delay),
                             [this, talk, copy] { deliver(talk, copy); });
    }
    send_again_later(talk);
}

void Clients::send_again_later(const Talk& talk) {
    context_.world.after(kOutside, kPatience, [this, talk] {
        if (!talk->done) {
            talk->lost_a_reply = true;
            if (talk->first->landed > 0) {
                context_.sometimes.hit(Sometimes::unanswered_request_landed);
            }
            send(talk, true);
        }
    });
}

void Clients::deliver(const Talk& talk, const std::shared_ptr<Send>& send) {
    Process* process = server_.process();
    if (process == nullptr) {
        return;  // nobody listens; the client will try again
    }
    context_.world.post(process->number(), [this, talk, send, process] {
        if (talk->request->operation) {
            operate(process->node(), talk, send);
        } else if (talk->request->order) {
            order(process->node(), talk, send);
        } else if (talk->request->bulk) {
            start_bulk(process->node(), talk, send);
        } else if (talk->request->chain) {
            order_chain(process->node(), talk, send);
        } else {
            schedule(process->node(), talk, send);
        }
    });
}

void Clients::schedule(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const RequestPlan& request = *talk->request;
    context_.trace.line("request {} arrives", send->number);
    std::optional<IdempotencyGuard> guard;
    if (request.guarded) {
        guard = make_guard(request.tenant, "token", "POST", "/v1/actions",
                           std::to_string(send->number), send->body());
    }
    const auto answers = std::make_shared<ScheduleActions::Outcome>();
    node.submit_rendered<ScheduleActions>(
        command_of(request.tenant, send->items, context_.plan.settings), std::move(guard),
        [this, send, tenant = request.tenant, answers](const Reply<ScheduleActions>& reply) {
            Receipt receipt = render(reply);
            answers->clear();  // of a try whose key was lost to another node
            if (const auto* made = std::get_if<ScheduleActions::Outcome>(&reply)) {
                *answers = *made;
                checker_.decided({send, tenant, DecidedSchedule{*made, receipt}});
            }
            return receipt;
        },
        [this, talk, send, answers](Result<Rendered> rendered) {
            // What it had decided before it lost its key to another node was never saved.
            if (rendered && rendered->replayed) answers->clear();
            reply(talk, send, std::move(rendered), answers);
        });
}

void Clients::operate(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const RequestPlan& request = *talk->request;
    const std::string& owner = request.foreign ? other_tenant(request.tenant) : request.tenant;
    const auto& seen = seen_[owner];
    if (seen.empty()) {
        finish(*talk);
        return;
    }
    OperateAction command;
    command.tenant = request.tenant;
    command.id = seen[static_cast<std::size_t>(request.target) % seen.size()];
    command.operation = *request.operation;
    command.force = request.force;
    node.submit_rendered<OperateAction>(
        command, std::nullopt,
        [this, send, command](const Reply<OperateAction>& reply) {
            checker_.decided({send, command.tenant, DecidedOperation{command, reply}});
            return Receipt{};
        },
        [this, talk, send](Result<Rendered> rendered) {
            reply(talk, send, std::move(rendered), nullptr);
        });
}

// ---- and back -----------------------------------------------------------------------------------

void Clients::reply(const Talk& talk, const std::shared_ptr<Send>& send, Result<Rendered> rendered,
                    std::shared_ptr<ScheduleActions::Outcome> answers) {
    checker_.answered(*send, rendered ? std::nullopt : std::optional<Error>(rendered.error()));
    if (rendered && send->request->guarded) {
        checker_.answered_under_key(*send, rendered->receipt);
    }
    if (context_.strikes(Fault::reply_lost)) {
        context_.trace.line("reply to {} is lost", send->number);
        return;
    }
    const auto shared = std::make_shared<Result<Rendered>>(std::move(rendered));
    context_.world.after(
        kOutside, context_.delay(context_.plan.network_delay),
        [this, talk, send, shared, answers] { hear(talk, *send, *shared, answers.get()); });
}

void Clients::hear(const Talk& talk, const Send& send, const Result<Rendered>& rendered,
                   const ScheduleActions::Outcome* answers) {
    if (!rendered) {
        context_.trace.line("request {} hears {}", send.number, rendered.error().message());
        return;  // sent again when its patience ends
    }
    if (talk->request->guarded) {
        count_receipt(*talk, *rendered);
    }
    if (answers != nullptr) {
        for (const auto& answer : *answers) {
            const auto* action = std::get_if<ScheduledAction>(&answer);
            if (action != nullptr) checker_.acknowledged(*action);
        }
    }
    if (talk->done) {
        return;
    }
    if (answers != nullptr) learn(talk, *answers);
    finish(*talk);
}

void Clients::count_receipt(const Conversation& talk, const Rendered& rendered) {
    if (rendered.receipt.status >= 400) {
        context_.sometimes.hit(Sometimes::idempotency_key_reused_with_other_body);
    } else if (rendered.replayed && talk.lost_a_reply) {
        context_.sometimes.hit(Sometimes::reply_lost_and_repeat_answered_the_same);
    }
}

void Clients::remember(const std::string& tenant, const JobId& id) {
    auto& seen = seen_[tenant];
    seen.push_front(id);
    if (seen.size() > kSeenMax) seen.pop_back();
}

void Clients::learn(const Talk& talk, const ScheduleActions::Outcome& answers) {
    const RequestPlan& request = *talk->request;
    for (const auto& answer : answers) {
        const auto* action = std::get_if<ScheduledAction>(&answer);
        if (action != nullptr && action->decision == Decision::new_) {
            remember(request.tenant, action->action.job.id);
            if (context_.plan.chains.blocked_by_actions) {
                see_chain(context_, request.tenant, action->action.job.id);
            }
        }
    }
    const auto* first = answers.empty() ? nullptr : std::get_if<ScheduledAction>(&answers.front());
    if (!request.edge_ms || first == nullptr || first->decision != Decision::new_) {
        return;
    }
    // Once more, so that it is decided at the end of the window.
    const Time end = first->action.job.created_at + request.items.front().key->window;
    RequestPlan& edge = edges_.emplace_back(request);
    edge.edge_ms.reset();
    edge.items.resize(1);
    edge.items.front().number += 500'000;
    edge.guarded = false;
    auto again = std::make_shared<Conversation>();
    again->request = &edge;
    again->number = ++numbers_;
    ++open_;
    const Millis wait =
        std::min<Millis>(end - context_.world.wall(), kPatience * 5) + Millis(*request.edge_ms);
    context_.world.after(kOutside, wait, [this, again] { send(again, false); });
}

void Clients::finish(Conversation& talk) {
    if (!std::exchange(talk.done, true)) {
        --open_;
    }
}

}  // namespace semel::sim
