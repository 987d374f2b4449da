// ChainNode: a TestNode on which chains are started, steered and waited for.
#pragma once

#include "core/chains/chain_request.hpp"
#include "support/test_node.hpp"

namespace semel::test {

using Waited = std::shared_ptr<std::optional<Result<std::optional<AwaitedChain>>>>;

struct ChainNode : TestNode {
    JobId start_chain(const std::string& json) {
        const auto document = json::Document::parse(json);
        const auto item = read_chain_request(document->root(), "default", node.settings(), "");
        std::optional<JobId> id;
        node.submit(StartChains{.tenant = "default", .items = {std::get<ChainRequest>(item)}},
                    [&](Result<Reply<StartChains>> reply) {
                        const auto& items = std::get<StartChains::Outcome>(*reply);
                        id = std::get<StartedChain>(items.front()).chain.first.id;
                    });
        env.settle();
        EXPECT_TRUE(id.has_value());
        return id.value_or(JobId{});
    }

    Continuation continuation(const std::string& type) {
        const auto document = json::Document::parse(R"({"type":")" + type + "\"}");
        return std::get<Continuation>(
            read_continuation(document->root(), "default", node.settings(), ""));
    }

    // Completes the chain's job at this index, or goes on with another of type `next`.
    void complete(const JobId& chain, int index, const std::string& next = {}) {
        CompleteChain command{.tenant = "default", .chain = chain, .chain_index = index};
        if (next.empty()) {
            command.output = "1";
        } else {
            command.continue_with = continuation(next);
        }
        bool completed = false;
        node.submit(std::move(command), [&](const Result<Reply<CompleteChain>>& reply) {
            completed = reply && std::holds_alternative<JobAnswer>(*reply);
        });
        env.settle();
        EXPECT_TRUE(completed);
    }

    void erase(const JobId& chain) {
        node.submit(DeleteChain{.tenant = "default", .chain = chain},
                    [](const Result<Reply<DeleteChain>>& reply) {
                        EXPECT_TRUE(reply && !std::holds_alternative<Problem>(*reply));
                    });
        env.settle();
    }

    void cancel(const JobId& chain) {
        node.submit(CancelChain{.tenant = "default", .chain = chain},
                    [](const Result<Reply<CancelChain>>& reply) {
                        EXPECT_TRUE(reply && std::holds_alternative<ChainView>(*reply));
                    });
        env.settle();
    }

    ChainView chain(const JobId& id) {
        std::optional<ChainView> found;
        store.reads().get_chain("default", id, [&](auto view) { found = std::move(*view); });
        EXPECT_TRUE(found.has_value());
        return found.value_or(ChainView{});
    }

    Waited wait(const JobId& chain, Millis patience, const std::string& tenant = "default") {
        auto waited = std::make_shared<std::optional<Result<std::optional<AwaitedChain>>>>();
        last_wait = node.wait_for_chain(tenant, chain, patience,
                                        [waited](auto outcome) { waited->emplace(outcome); });
        return waited;
    }

    ChainWaits::WaitId last_wait = 0;
};

}  // namespace semel::test
