// ChainTable: a Tabletop on which chains are started, continued and waited for.
#pragma once

#include "core/chains/chain_request.hpp"
#include "support/tabletop.hpp"

namespace semel::test {

class ChainTable : public Tabletop {
public:
    Item<ChainRequest> chain_request(const std::string& json,
                                     const std::string& tenant = "default") {
        const auto document = json::Document::parse(json);
        EXPECT_TRUE(document.has_value()) << json;
        return read_chain_request(document->root(), tenant, settings, "");
    }

    std::vector<Item<StartedChain>> start_all(const std::vector<std::string>& requests,
                                              const std::string& tenant = "default") {
        StartChains command{.tenant = tenant, .items = {}};
        for (const std::string& json : requests) command.items.push_back(chain_request(json));
        return std::get<StartChains::Outcome>(run(command));
    }
    Item<StartedChain> try_start(const std::string& json, const std::string& tenant = "default") {
        auto reply = run(StartChains{.tenant = tenant, .items = {chain_request(json, tenant)}});
        return std::get<StartChains::Outcome>(reply).front();
    }
    StartedChain start(const std::string& json, const std::string& tenant = "default") {
        auto item = try_start(json, tenant);
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<StartedChain>(item) : StartedChain{};
    }
    JobId start_id(const std::string& json) { return start(json).chain.first.id; }

    Continuation continuation(const std::string& json) {
        const auto document = json::Document::parse(json);
        EXPECT_TRUE(document.has_value()) << json;
        auto item = read_continuation(document->root(), "default", settings, "/continueWith");
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<Continuation>(item) : Continuation{};
    }
    Item<JobAnswer> continue_with(const TakenJob& job, const std::string& json) {
        JobCall call{.id = job.job.id, .token = job.job.token, .verb = Verb::complete};
        call.continue_with = continuation(json);
        return this->call(std::move(call));
    }

    Reply<CompleteChain> complete_chain(const JobId& chain, int index,
                                        std::optional<std::string> output = {}) {
        return run(CompleteChain{.tenant = "default",
                                 .chain = chain,
                                 .chain_index = index,
                                 .output = std::move(output)});
    }
    Reply<CancelChain> cancel_chain(const JobId& chain) {
        return run(CancelChain{.tenant = "default", .chain = chain});
    }
    // Until everyone has been told; how many chains that took.
    int tell() {
        int count = 0;
        while (true) {
            const auto outcome = std::get<UpkeepOutcome>(run(FailDependants{}));
            count += outcome.count;
            if (!outcome.more) {
                return count;
            }
        }
    }
    // Takes the next job of a type and completes it.
    JobAnswer work(const std::string& type, const std::string& output = "null") {
        return ok(complete(take_one(type), output));
    }

    std::optional<ChainView> find_chain(const JobId& id, const std::string& tenant = "default") {
        std::optional<ChainView> found;
        reads().get_chain(tenant, id, [&](auto result) { found = std::move(*result); });
        return found;
    }
    ChainView chain(const JobId& id) {
        auto found = find_chain(id);
        EXPECT_TRUE(found.has_value());
        return found.value_or(ChainView{});
    }
    Status chain_status(const JobId& id) { return chain(id).last.status; }
    std::vector<StepView> steps(const JobId& id) {
        std::vector<StepView> all;
        reads().list_steps("default", id, 0, 500, [&](auto result) { all = std::move(*result); });
        return all;
    }
};

}  // namespace semel::test
