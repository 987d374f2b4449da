// Waiting for a chain's end: a request that is answered when it comes, or at its deadline.
#include "api/chain_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

constexpr Millis kPatienceDefault = std::chrono::seconds(30);

void answer_waited(const Services& services, const OpenPoll& poll,
                   const Result<std::optional<AwaitedChain>>& waited, const Answer& answer) {
    if (!services.lets_in(poll.caller)) {
        answer.problem(no_longer_let_in());
    } else if (!waited) {
        answer.error(waited.error());
    } else if (!*waited) {
        answer.problem(no_such_chain());
    } else if ((*waited)->has_ended) {
        answer.json(200, chain_json((*waited)->view));
    } else {
        answer.problem(still_running((*waited)->view));
    }
}

// Runs on the loop, so that no API token changes between the check and the wait.
void begin_wait(const std::shared_ptr<Services>& services, const std::shared_ptr<OpenPoll>& poll,
                const JobId& chain, Millis patience, const Answer& answer) {
    Node& node = services->node;
    if (!services->lets_in(poll->caller)) {
        answer.problem(no_longer_let_in());
        return;
    }
    if (poll->is_gone) {
        answer.error(Error(ErrorCode::stopped, "the caller hung up"));
        return;
    }
    services->polls.add(poll);
    const auto id = node.wait_for_chain(
        poll->caller.tenant, chain, patience_of(poll->caller, patience, node.store().now()),
        [services, poll, answer](const Result<std::optional<AwaitedChain>>& waited) {
            services->polls.remove(poll);
            answer_waited(*services, *poll, waited, answer);
        });
    poll->cancel = [&node, id] { node.cancel_wait(id); };
}

}  // namespace

void wait_for_chain(Call&& call) {
    const auto id = call.read_id("chain");
    if (!id) {
        return;
    }
    QueryReader reader(call.request.query);
    const Millis patience(
        reader.integer("timeoutMs", 0, kWaitMax.count()).value_or(kPatienceDefault.count()));
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    const auto poll = open_poll(call);
    call.services->node.post(
        [services = call.services, poll, chain = *id, patience, answer = call.answer] {
            begin_wait(services, poll, chain, patience, answer);
        });
}

}  // namespace semel
