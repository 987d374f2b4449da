// TestNode: a node on a memory store, in virtual time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/actions/action_request.hpp"
#include "engine/node.hpp"
#include "store/memory/memory_store.hpp"
#include "support/store_spy.hpp"
#include "support/virtual_env.hpp"

namespace semel::test {

struct TestNode {
    explicit TestNode(NodeOptions options = {}, int committers = 1)
        : memory(make_memory_store([this] { return env.now(); })),
          store(*memory, committers),
          node(env, store, std::move(options)) {}

    VirtualEnv env;
    std::unique_ptr<Store> memory;
    StoreSpy store;
    Node node;

    ActionRequest request(const std::string& json, const std::string& tenant = "default") {
        const auto document = json::Document::parse(json);
        return std::get<ActionRequest>(
            read_action_request(document->root(), tenant, node.settings(), ""));
    }

    // Submits without waiting; the answer appears when the commit is done.
    std::shared_ptr<std::optional<Result<ScheduledAction>>> submit(
        const std::string& json, const std::string& tenant = "default") {
        auto answer = std::make_shared<std::optional<Result<ScheduledAction>>>();
        node.submit(ScheduleActions{.tenant = tenant, .items = {request(json, tenant)}},
                    [answer](Result<Reply<ScheduleActions>> reply) {
                        if (!reply) {
                            answer->emplace(reply.error());
                            return;
                        }
                        auto& items = std::get<ScheduleActions::Outcome>(*reply);
                        answer->emplace(std::get<ScheduledAction>(items.front()));
                    });
        return answer;
    }

    Job schedule(const std::string& json, const std::string& tenant = "default") {
        const auto answer = submit(json, tenant);
        env.settle();
        EXPECT_TRUE(answer->has_value());
        return (**answer)->action.job;
    }

    using Claimed = std::shared_ptr<std::optional<Result<std::vector<TakenJob>>>>;
    Claimed claim(const std::string& type, Millis wait, int max = 1) {
        auto jobs = std::make_shared<std::optional<Result<std::vector<TakenJob>>>>();
        ClaimRequest asked;
        asked.tenant = "default";
        asked.types = {type};
        asked.max = max;
        asked.worker = "w";
        asked.lease = std::chrono::seconds(15);
        asked.wait = wait;
        node.claim(std::move(asked), [jobs](Result<std::vector<TakenJob>> taken) {
            jobs->emplace(std::move(taken));
        });
        return jobs;
    }

    Item<JobAnswer> settle(JobCall call) {
        std::optional<Item<JobAnswer>> answer;
        node.submit(SettleJobs{.tenant = "default", .calls = {std::move(call)}},
                    [&](Result<Reply<SettleJobs>> reply) {
                        answer = std::get<SettleJobs::Outcome>(*reply).front();
                    });
        env.settle();
        EXPECT_TRUE(answer.has_value());
        return *answer;
    }

    std::vector<ActionView> jobs() {
        std::vector<ActionView> all;
        store.reads().list_actions("default", {}, std::nullopt, 100'000,
                                   [&](auto found) { all = std::move(*found); });
        return all;
    }
    // Newest first.
    std::vector<LoggedDecision> decisions() {
        std::vector<LoggedDecision> all;
        store.reads().list_decisions("default", std::nullopt, 1000,
                                     [&](auto found) { all = std::move(*found); });
        return all;
    }

    ActionDetails get(const JobId& id) {
        std::optional<ActionDetails> found;
        store.reads().get_action("default", id, [&](auto details) { found = std::move(*details); });
        EXPECT_TRUE(found.has_value());
        return found.value_or(ActionDetails{});
    }
};

}  // namespace semel::test
