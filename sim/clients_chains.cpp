// What clients ask of chains.
#include <algorithm>

#include "core/chains/chain_request.hpp"
#include "sim/chain_steps.hpp"
#include "sim/clients.hpp"

namespace semel::sim {
namespace {

// Which job of a chain is its current one.
int current_index(Node& node, const std::string& tenant, const JobId& chain) {
    int index = 0;
    node.store().reads().get_chain(tenant, chain,
                                   [&](const Result<std::optional<ChainView>>& found) {
                                       if (found && *found) index = (*found)->last.chain_index;
                                   });
    return index;
}

// False: nobody has heard of a chain that could be meant.
bool find_meant(const Context& context, Node& node, const std::string& tenant, ChainOrder& order) {
    for (ChainPlan& chain : order.chains) resolve(context, tenant, chain);
    if (order.verb == ChainVerb::start) {
        return true;
    }
    if (!order.id) order.id = seen_chain(context, tenant, order.target);
    if (!order.id) {
        return false;
    }
    if (!order.index) {
        order.index = std::max(current_index(node, tenant, *order.id) + order.off_by, 0);
    }
    if (order.next) resolve(context, tenant, *order.next);
    return true;
}

StartChains command_of(const std::string& tenant, const ChainOrder& order,
                       const Settings& settings) {
    StartChains command{tenant, {}};
    for (const ChainPlan& chain : order.chains) {
        const auto document = json::Document::parse(chain.to_json(tenant));
        command.items.push_back(read_chain_request(document->root(), tenant, settings, ""));
    }
    return command;
}

}  // namespace

void Clients::order_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const std::string& tenant = talk->request->tenant;
    if (!talk->chain) {
        ChainOrder order = *talk->request->chain;
        if (!find_meant(context_, node, tenant, order)) {
            finish(*talk);
            return;
        }
        talk->chain = std::move(order);
    }
    send->chain = talk->chain;
    if (send->changed_by > 0) change_content(*send->chain, send->changed_by);
    context_.trace.line("request {} arrives: {}", send->number, to_string(send->chain->verb));
    switch (send->chain->verb) {
        case ChainVerb::start: start_chains(node, talk, send); break;
        case ChainVerb::complete: complete_chain(node, talk, send); break;
        case ChainVerb::cancel: cancel_chain(node, talk, send); break;
        case ChainVerb::remove: remove_chain(node, talk, send); break;
        case ChainVerb::await: await_chain(node, talk, send); break;
    }
}

void Clients::start_chains(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const std::string& tenant = talk->request->tenant;
    const auto started = std::make_shared<std::vector<JobId>>();
    node.submit_rendered<StartChains>(
        command_of(tenant, *send->chain, context_.plan.settings), std::nullopt,
        [this, send, tenant, started](const Reply<StartChains>& reply) {
            const auto& answers = std::get<StartChains::Outcome>(reply);
            started->clear();
            for (const auto& answer : answers) {
                const auto* chain = std::get_if<StartedChain>(&answer);
                if (chain != nullptr && !chain->purged) started->push_back(chain->chain.first.id);
            }
            checker_.decided({send, tenant, DecidedStart{answers}});
            return Receipt{};
        },
        [this, talk, send, tenant, started](Result<Rendered> rendered) {
            if (rendered) {
                for (const JobId& id : *started) {
                    see_chain(context_, tenant, id);
                    remember(tenant, id);
                }
            }
            reply(talk, send, std::move(rendered), nullptr);
        });
}

void Clients::complete_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const std::string& tenant = talk->request->tenant;
    const ChainOrder& order = *send->chain;
    CompleteChain command{.tenant = tenant, .chain = *order.id, .chain_index = *order.index};
    command.output = order.output();
    if (order.next) {
        command.continue_with = continuation_of(*order.next, tenant, context_.plan.settings);
        checker_.continues(StepRef{*order.id, *order.index}, *order.next);
    }
    const auto next = std::make_shared<std::optional<JobId>>();
    node.submit_rendered<CompleteChain>(
        std::move(command), std::nullopt,
        [this, send, tenant, next](const Reply<CompleteChain>& reply) {
            const auto* answer = std::get_if<JobAnswer>(&reply);
            *next = answer != nullptr ? answer->next : std::nullopt;
            checker_.decided({send, tenant, DecidedCompletion{reply}});
            return Receipt{};
        },
        [this, talk, send, tenant, next](Result<Rendered> rendered) {
            if (rendered && *next) remember(tenant, **next);
            reply(talk, send, std::move(rendered), nullptr);
        });
}

void Clients::cancel_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const std::string& tenant = talk->request->tenant;
    node.submit_rendered<CancelChain>(
        CancelChain{.tenant = tenant, .chain = *send->chain->id}, std::nullopt,
        [this, send, tenant](const Reply<CancelChain>& reply) {
            checker_.decided({send, tenant, DecidedCancel{reply}});
            return Receipt{};
        },
        [this, talk, send](Result<Rendered> rendered) {
            reply(talk, send, std::move(rendered), nullptr);
        });
}

void Clients::remove_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const std::string& tenant = talk->request->tenant;
    const ChainOrder& order = *send->chain;
    node.submit_rendered<DeleteChain>(
        DeleteChain{.tenant = tenant, .chain = *order.id, .cascade = order.cascade}, std::nullopt,
        [this, send, tenant](const Reply<DeleteChain>& reply) {
            checker_.decided({send, tenant, DecidedRemoval{reply}});
            return Receipt{};
        },
        [this, talk, send](Result<Rendered> rendered) {
            reply(talk, send, std::move(rendered), nullptr);
        });
}

// Whoever waits at a node that dies hears nothing, and asks again.
void Clients::await_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send) {
    const ChainOrder& order = *send->chain;
    const int wait = checker_.waits(*order.id);
    node.wait_for_chain(talk->request->tenant, *order.id, order.patience,
                        [this, talk, wait](const Result<std::optional<AwaitedChain>>& awaited) {
                            checker_.awaited(wait, awaited);
                            finish(*talk);
                        });
}

}  // namespace semel::sim
