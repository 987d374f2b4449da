// ChainConformance: chains on each of the stores, one command a commit, in the words of the HTTP
// API.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "conformance/store_conformance.hpp"
#include "core/chains/chain_request.hpp"

namespace semel::test {

class ChainConformance : public StoreConformance {
protected:
    static constexpr const char* kTenant = "default";

    [[nodiscard]] Time now() const { return clock.now; }
    // An id as a caller may choose it.
    [[nodiscard]] static JobId chosen(int number) {
        return id_at(kStart - std::chrono::hours(1), number);
    }

    // ---- starting ---------------------------------------------------------------------------
    Item<ChainRequest> request(const std::string& json) {
        const auto document = json::Document::parse(json);
        EXPECT_TRUE(document.has_value()) << json;
        return read_chain_request(document->root(), kTenant, driver.settings(), "");
    }
    std::vector<Item<StartedChain>> start_all(const std::vector<std::string>& requests) {
        StartChains command{.tenant = kTenant, .items = {}};
        for (const std::string& json : requests) command.items.push_back(request(json));
        return std::get<StartChains::Outcome>(run(command));
    }
    StartedChain start(const std::string& json) {
        auto item = start_all({json}).front();
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<StartedChain>(item) : StartedChain{};
    }
    JobId start_id(const std::string& json) { return start(json).chain.first.id; }
    // One that waits for these.
    static std::string behind(const std::string& type, const std::vector<JobId>& blockers,
                              const std::string& more = "") {
        std::string ids;
        for (const JobId& id : blockers) {
            ids += fmt::format(R"({}"{}")", ids.empty() ? "" : ",", id.to_string());
        }
        return fmt::format(R"({{"type":"{}","blockers":[{}]{}}})", type, ids, more);
    }
    static std::string named(const JobId& id, const std::string& type) {
        return fmt::format(R"({{"type":"{}","id":"{}"}})", type, id.to_string());
    }

    // ---- working ----------------------------------------------------------------------------
    std::vector<TakenJob> take(const std::vector<std::string>& types, int max = 1) {
        TakeJobs command;
        command.query.tenant = kTenant;
        command.query.types = types;
        command.query.limit = max;
        command.worker = "w";
        command.lease = kLeaseDefault;
        return std::get<TakeJobs::Outcome>(run(command));
    }
    TakenJob take_one(const std::string& type) {
        auto jobs = take({type});
        EXPECT_EQ(jobs.size(), 1U) << type;
        return jobs.empty() ? TakenJob{} : jobs.front();
    }
    Item<JobAnswer> call(const TakenJob& job, Verb verb, JobCall call = {}) {
        call.id = job.job.id;
        call.token = job.job.token;
        call.verb = verb;
        SettleJobs command{.tenant = kTenant, .calls = {std::move(call)}};
        return std::get<SettleJobs::Outcome>(run(command)).front();
    }
    Continuation continuation(const std::string& json) {
        const auto document = json::Document::parse(json);
        EXPECT_TRUE(document.has_value()) << json;
        auto item = read_continuation(document->root(), kTenant, driver.settings(), "");
        EXPECT_TRUE(std::holds_alternative<Continuation>(item)) << json;
        return std::get<Continuation>(item);
    }
    Item<JobAnswer> complete(const TakenJob& job, std::optional<std::string> output = {}) {
        JobCall call;
        call.output = std::move(output);
        return this->call(job, Verb::complete, std::move(call));
    }
    Item<JobAnswer> continue_with(const TakenJob& job, const std::string& json) {
        JobCall call;
        call.continue_with = continuation(json);
        return this->call(job, Verb::complete, std::move(call));
    }
    Item<JobAnswer> fail(const TakenJob& job, bool final = false) {
        JobCall call;
        call.error = "boom";
        call.final = final;
        return this->call(job, Verb::fail, std::move(call));
    }
    // Takes the next job of a type and ends it.
    void work(const std::string& type, const std::string& output = "null") {
        expect_ok(complete(take_one(type), output));
    }
    void work_on(const std::string& type, const std::string& continuation) {
        expect_ok(continue_with(take_one(type), continuation));
    }

    // ---- steering ---------------------------------------------------------------------------
    Reply<CompleteChain> complete_chain(const JobId& chain, int index,
                                        std::optional<std::string> output = {},
                                        const std::string& continuation = "") {
        CompleteChain command{.tenant = kTenant,
                              .chain = chain,
                              .chain_index = index,
                              .output = std::move(output),
                              .continue_with = {}};
        if (!continuation.empty()) command.continue_with = this->continuation(continuation);
        return run(command);
    }
    Reply<OperateAction> operate(Operation operation, const JobId& id) {
        return run(OperateAction{.tenant = kTenant, .id = id, .operation = operation});
    }
    Reply<DeleteChain> erase(const JobId& chain, bool cascade = false) {
        return run(DeleteChain{.tenant = kTenant, .chain = chain, .cascade = cascade});
    }
    void promote() { EXPECT_EQ(code_of(run(PromoteDue{})), std::nullopt); }
    void rescue() { EXPECT_EQ(code_of(run(RescueExpired{})), std::nullopt); }
    // Until everyone has been told.
    void tell() {
        while (std::get<UpkeepOutcome>(run(FailDependants{})).more) {
        }
    }

    // ---- looking ----------------------------------------------------------------------------
    ChainView chain(const JobId& id) {
        auto found = driver.get_chain(kTenant, id);
        EXPECT_TRUE(found.has_value());
        return found.value_or(ChainView{});
    }
    Status status(const JobId& id) { return chain(id).last.status; }
    Job job(const JobId& id) {
        const auto found = driver.get_action(kTenant, id);
        EXPECT_TRUE(found.has_value());
        return found ? found->view.job : Job{};
    }
    std::vector<std::string> types_of(const JobId& id) {
        std::vector<std::string> types;
        for (const StepView& step : driver.list_steps(kTenant, id)) {
            types.push_back(step.view.job.type);
        }
        return types;
    }

    // The code of a refusal; nothing where it was none.
    template <typename Variant>
    static std::optional<ProblemCode> code_of(const Variant& answer) {
        const auto* problem = std::get_if<Problem>(&answer);
        return problem == nullptr ? std::nullopt : std::optional(problem->code);
    }
    template <typename Variant>
    static void expect_ok(const Variant& answer) {
        const auto* problem = std::get_if<Problem>(&answer);
        EXPECT_EQ(problem, nullptr) << problem->detail;
    }
};

}  // namespace semel::test
