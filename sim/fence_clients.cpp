#include "sim/fence_clients.hpp"

#include "core/fences/fence_request.hpp"
#include "core/limits.hpp"

namespace semel::sim {
namespace {

constexpr Millis kPatience = std::chrono::seconds(3);  // before something is said again
constexpr int kSaysMax = 6;

FenceRequest read(const FenceClaimPlan& plan, const Settings& settings) {
    const auto document = json::Document::parse(plan.to_json());
    return std::get<FenceRequest>(read_fence_request(document->root(), plan.key.tenant, settings));
}

ClaimId claim_of(const FenceKeyPlan& key, const std::string& tenant, const Settings& settings) {
    FenceClaimPlan plan;
    plan.key = key;
    plan.lease = kLeaseMin;
    plan.key.tenant = tenant;
    return read(plan, settings).claim;
}

FenceVerb verb_of(FenceEnd end) {
    switch (end) {
        case FenceEnd::release: return FenceVerb::release;
        case FenceEnd::uncertain: return FenceVerb::uncertain;
        case FenceEnd::seal:
        case FenceEnd::lost: return FenceVerb::seal;
    }
    return FenceVerb::seal;
}

}  // namespace

void FenceClients::start() {
    for (const FenceClaimPlan& plan : context_.plan.fences.claims) {
        auto asker = std::make_shared<Asker>();
        asker->plan = &plan;
        asker->request = read(plan, context_.plan.settings);
        ++open_;
        ask_later(asker, plan.at);
    }
    for (const FenceVisitPlan& plan : context_.plan.fences.visits) {
        auto visitor = std::make_shared<Visitor>();
        visitor->plan = &plan;
        visitor->claim = claim_of(plan.key, plan.key.tenant, context_.plan.settings);
        visitor->tenant = plan.foreign ? other_tenant(plan.key.tenant) : plan.key.tenant;
        ++open_;
        context_.world.after(kOutside, plan.at, [this, visitor] { visit(visitor); });
    }
}

void FenceClients::finish(bool& done) {
    if (!std::exchange(done, true)) {
        --open_;
    }
}

void FenceClients::deliver(std::function<void(Process&)> run) {
    context_.world.after(
        kOutside, context_.delay(context_.plan.network_delay), [this, run = std::move(run)] {
            if (Process* process = server_.process()) {
                context_.world.post(process->number(), [run, process] { run(*process); });
            }
        });
}

template <typename Command>
void FenceClients::submit(Node& node, const Command& command,
                          const std::function<void(const Reply<Command>&)>& heard) {
    const auto send = std::make_shared<Send>();
    const auto told = std::make_shared<std::optional<Reply<Command>>>();
    node.submit_rendered<Command>(
        command, std::nullopt,
        [this, send, command, told](const Reply<Command>& reply) {
            *told = reply;
            checker_.decided({send, command.tenant, DecidedFence<Command>{command, reply}});
            return Receipt{};
        },
        [this, send, told, heard](const Result<Rendered>& rendered) {
            checker_.answered(*send,
                              rendered ? std::nullopt : std::optional<Error>(rendered.error()));
            if (rendered && !context_.strikes(Fault::reply_lost)) {
                context_.world.after(kOutside, context_.delay(context_.plan.network_delay),
                                     [told, heard] { heard(**told); });
            }
        });
}

// ---- asking -----------------------------------------------------------------------------------

void FenceClients::ask_later(const AskerPtr& asker, Micros delay) {
    context_.world.after(kOutside, delay, [this, asker] { ask(asker); });
}

void FenceClients::ask(const AskerPtr& asker) {
    if (asker->done) {
        return;
    }
    if (++asker->asks > asker->plan->asks) {
        finish(asker->done);
        return;
    }
    const int copies = context_.strikes(Fault::request_duplicated) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
        deliver([this, asker](Process& process) { claim(process, asker); });
    }
    context_.world.after(kOutside, asker->plan->wait + kPatience,
                         [this, asker, asks = asker->asks] {
                             if (asks == asker->asks) ask(asker);  // no answer came
                         });
}

void FenceClients::claim(Process& process, const AskerPtr& asker) {
    Node& node = process.node();
    const int number = checker_.fences().asked(*asker->plan, asker->request, node.store().now());
    const auto at_once = std::make_shared<bool>(true);
    const auto wait = node.claim_fence(
        ClaimFence{asker->plan->key.tenant, asker->request},
        [this, asker, number, at_once, &process](const Result<Item<FenceAnswer>>& told) {
            const Time now = process.node().store().now();
            checker_.fences().answered(number, told, {process.number(), now, *at_once});
            if (!told || context_.strikes(Fault::reply_lost)) {
                return;
            }
            context_.world.after(kOutside, context_.delay(context_.plan.network_delay),
                                 [this, asker, told = *told] { hear(asker, told); });
        });
    *at_once = false;
    if (asker->plan->hangs_up) hang_up_later(process, asker, number, wait);
}

void FenceClients::hang_up_later(Process& process, const AskerPtr& asker, int number,
                                 FenceWaits::WaitId wait) {
    context_.world.after(process.number(), *asker->plan->hangs_up,
                         [this, asker, number, wait, &node = process.node()] {
                             if (checker_.fences().hangs_up(number)) {
                                 finish(asker->done);
                                 node.cancel_fence_claim(wait);
                             }
                         });
}

void FenceClients::hear(const AskerPtr& asker, const Item<FenceAnswer>& told) {
    const auto* answer = std::get_if<FenceAnswer>(&told);
    // Also if it has given up: who is told `new` has to do it.
    if (answer != nullptr && answer->decision == Decision::new_) {
        own(*asker->plan, *answer->claim);
    }
    if (answer != nullptr && answer->decision == Decision::in_flight) {
        if (!asker->done) {
            const int asks = asker->asks;
            context_.world.after(kOutside, *answer->retry_after, [this, asker, asks] {
                if (asks == asker->asks) ask(asker);
            });
        }
        return;
    }
    finish(asker->done);
}

// ---- owning -----------------------------------------------------------------------------------

void FenceClients::own(const FenceClaimPlan& plan, const Claim& claim) {
    if (plan.work.end == FenceEnd::lost && context_.faults_on) {
        return;
    }
    auto owner = std::make_shared<Owner>();
    owner->plan = &plan;
    owner->claim = claim.id;
    owner->token = claim.token;
    owner->last_word = word_of(*owner);
    ++open_;
    if (plan.work.beats_every) beat(owner);
    context_.world.after(kOutside, plan.work.takes, [this, owner] { say(owner); });
}

FenceCall FenceClients::word_of(const Owner& owner) const {
    const FenceClaimPlan& plan = *owner.plan;
    FenceCall call{.claim = owner.claim, .token = owner.token, .verb = verb_of(plan.work.end)};
    if (call.verb == FenceVerb::seal) {
        call.effect_id = fmt::format("e{}", plan.number);
        if (plan.work.has_receipt) call.receipt = fmt::format("{{\"by\": {}}}", plan.number);
    } else if (call.verb == FenceVerb::uncertain) {
        call.reason = "no answer";
    }
    return call;
}

// What contradicts it: another verb, or the same with other content.
FenceCall FenceClients::other_word(const Owner& owner) const {
    FenceCall call = owner.last_word;
    if (owner.plan->work.changes_verb || call.verb == FenceVerb::release) {
        const bool was_sealed = call.verb == FenceVerb::seal;
        call = FenceCall{.claim = owner.claim, .token = owner.token, .verb = FenceVerb::release};
        if (!was_sealed) {
            call.verb = FenceVerb::seal;
            call.effect_id = "other";
        }
    } else if (call.verb == FenceVerb::seal) {
        call.receipt = R"({"by":"somebody else"})";
    } else {
        call.reason = "something else";
    }
    return call;
}

void FenceClients::beat(const OwnerPtr& owner) {
    context_.world.after(kOutside, *owner->plan->work.beats_every, [this, owner] {
        if (owner->done || owner->says > 0) {
            return;
        }
        const FenceCall heartbeat{.claim = owner->claim,
                                  .token = owner->token,
                                  .verb = FenceVerb::heartbeat,
                                  .lease = owner->plan->work.beat_lease};
        call(owner->plan->key.tenant, heartbeat, [](const Reply<CallFence>&) {});
        beat(owner);
    });
}

// Says how it ended, again while no answer comes.
void FenceClients::say(const OwnerPtr& owner) {
    if (owner->done) {
        return;
    }
    const FenceWork& work = owner->plan->work;
    if (++owner->says > kSaysMax) {
        finish(owner->done);
        return;
    }
    const bool was_heard = owner->heard > work.repeats;
    const bool is_other =
        was_heard || (owner->says > 1 && context_.strikes(Fault::request_changed));
    const FenceCall word = is_other ? other_word(*owner) : owner->last_word;
    const int copies = context_.strikes(Fault::worker_repeats) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
        call(owner->plan->key.tenant, word,
             [this, owner](const Reply<CallFence>& reply) { heard(owner, reply); });
    }
    if (context_.strikes(Fault::worker_repeats)) {
        // A key that belongs to the other tenant.
        call(other_tenant(owner->plan->key.tenant), word, [](const Reply<CallFence>&) {});
    }
    context_.world.after(kOutside, kPatience, [this, owner, says = owner->says] {
        if (says == owner->says) say(owner);
    });
}

void FenceClients::heard(const OwnerPtr& owner, const Reply<CallFence>&) {
    const FenceWork& work = owner->plan->work;
    ++owner->heard;
    if (owner->heard > work.repeats + (work.contradicts ? 1 : 0)) {
        finish(owner->done);
        return;
    }
    const Millis pause(context_.world.random().one_in(2) ? 0
                                                         : context_.world.random().below(2'000));
    context_.world.after(kOutside, pause, [this, owner, says = owner->says] {
        if (says == owner->says) say(owner);
    });
}

void FenceClients::call(const std::string& tenant, const FenceCall& call,
                        const std::function<void(const Reply<CallFence>&)>& heard) {
    deliver([this, command = CallFence{tenant, call}, heard](Process& process) {
        submit<CallFence>(process.node(), command, heard);
    });
}

// ---- operators --------------------------------------------------------------------------------

void FenceClients::visit(const VisitorPtr& visitor) {
    if (visitor->sends++ >= visitor->plan->sends) {
        finish(visitor->done);
        return;
    }
    deliver([this, visitor](Process& process) {
        switch (visitor->plan->what) {
            case FenceVisit::resolve_sealed:
            case FenceVisit::resolve_released: resolve(process.node(), visitor); break;
            case FenceVisit::remove: remove(process.node(), visitor); break;
            case FenceVisit::get: get(process.node(), visitor); break;
        }
    });
    const Millis pause(context_.world.random().one_in(2) ? 0
                                                         : context_.world.random().below(3'000));
    context_.world.after(kOutside, pause, [this, visitor] { visit(visitor); });
}

void FenceClients::resolve(Node& node, const VisitorPtr& visitor) {
    const FenceVisitPlan& plan = *visitor->plan;
    ResolveClaim command{.tenant = visitor->tenant, .claim = visitor->claim, .reason = "looked"};
    const bool is_other = plan.contradicts && visitor->sends > 1;
    if (plan.what == FenceVisit::resolve_sealed) {
        command.effect_id = fmt::format("v{}", is_other ? -plan.number : plan.number);
        command.receipt = R"({"by":"operator"})";
    } else if (!is_other) {
        command.outcome = ClaimOutcome::released;
    } else {
        command.effect_id = "other";
    }
    submit<ResolveClaim>(node, command, [](const Reply<ResolveClaim>&) {});
}

void FenceClients::remove(Node& node, const VisitorPtr& visitor) {
    submit<DeleteClaim>(
        node,
        DeleteClaim{.tenant = visitor->tenant, .claim = visitor->claim, .reason = "not wanted"},
        [](const Reply<DeleteClaim>&) {});
}

void FenceClients::get(Node& node, const VisitorPtr& visitor) {
    node.store().reads().get_claim(visitor->tenant, visitor->claim,
                                   [this, visitor](const Result<std::optional<Claim>>& found) {
                                       if (found)
                                           checker_.fences().read(visitor->tenant, visitor->claim,
                                                                  *found);
                                   });
}

}  // namespace semel::sim
