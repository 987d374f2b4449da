#include <semel/chains.hpp>

#include "engine/handler_call.hpp"
#include "runtime/host.hpp"
#include "runtime/requests.hpp"

namespace semel {
namespace {

ChainAnswer to_answer(const Item<StartedChain>& item) {
    ChainAnswer answer;
    if (const auto* problem = std::get_if<Problem>(&item)) {
        answer.problem = *problem;
        return answer;
    }
    const auto& started = std::get<StartedChain>(item);
    answer.id = started.chain.first.id;
    answer.deduplicated = started.deduplicated;
    answer.input_differs = started.input_differs;
    return answer;
}

ChainInfo to_info(const ChainView& view) {
    ChainInfo info;
    info.id = view.first.id;
    info.type = view.first.type;
    info.input = view.input.payload;
    info.status = view.last.status;
    info.output = view.result.output;
    info.error_message = view.result.error_message;
    info.chain_index = view.last.chain_index;
    return info;
}

// Executes a command about a chain, and returns only its refusal.
template <typename Command>
Result<std::optional<Problem>> run(Host& host, Command command) {
    if (auto problem = check_tenant(command.tenant)) {
        return problem;
    }
    SEMEL_TRY(reply, host.execute(std::move(command)));
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return std::optional(std::move(*problem));
    }
    return std::optional<Problem>();
}

}  // namespace

Result<ChainAnswer> Chains::start(const ChainSpec& chain) {
    SEMEL_TRY(answers, start_all({chain}));
    return std::move(answers.front());
}

Result<std::vector<ChainAnswer>> Chains::start_all(const std::vector<ChainSpec>& chains) {
    StartChains command;
    command.items.reserve(chains.size());
    for (const ChainSpec& chain : chains) {
        if (chain.tenant != chains.front().tenant) {
            return Error(ErrorCode::invalid, "one call starts chains of one tenant");
        }
        command.items.push_back(to_request(chain, host_.node().settings()));
    }
    command.tenant = chains.empty() ? "default" : chains.front().tenant;
    SEMEL_TRY(reply, host_.execute(std::move(command)));
    std::vector<ChainAnswer> answers;
    for (const auto& item : std::get<StartChains::Outcome>(reply)) {
        answers.push_back(to_answer(item));
    }
    return answers;
}

Result<std::optional<ChainInfo>> Chains::get(const Uuid& id, const std::string& tenant) {
    std::promise<Result<std::optional<ChainView>>> answered;
    auto answer = answered.get_future();
    host_.store().reads().get_chain(
        tenant, id, [&answered](auto found) { answered.set_value(std::move(found)); });
    SEMEL_TRY(view, answer.get());
    return view ? std::optional(to_info(*view)) : std::nullopt;
}

Result<std::optional<ChainInfo>> Chains::wait(const Uuid& id, Millis patience,
                                              const std::string& tenant) {
    SEMEL_TRY(awaited, host_.wait_for_chain(tenant, id, patience));
    return awaited ? std::optional(to_info(awaited->view)) : std::nullopt;
}

Result<std::optional<Problem>> Chains::complete(const Uuid& id, int chain_index,
                                                const HandlerResult& result,
                                                const std::string& tenant) {
    if (!result.completed || result.in_commit || result.in_sql || (result.output && result.next)) {
        return std::optional(invalid("a job is completed with an output, or with what follows it"));
    }
    CompleteChain command{.tenant = tenant, .chain = id, .chain_index = chain_index};
    command.output = result.output;
    if (auto problem = check_output(result)) {
        return problem;
    }
    if (result.next) {
        auto next = read_next(tenant, *result.next, host_.node().settings());
        if (auto* problem = std::get_if<Problem>(&next)) {
            return std::optional(std::move(*problem));
        }
        command.continue_with = std::get<Continuation>(std::move(next));
    }
    return run(host_, std::move(command));
}

Result<std::optional<Problem>> Chains::cancel(const Uuid& id, const std::string& tenant) {
    return run(host_, CancelChain{.tenant = tenant, .chain = id});
}

}  // namespace semel
