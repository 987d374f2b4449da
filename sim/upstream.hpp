// UpstreamModel: the service behind the gateway. It meets each request as the plan says: it
// executes it or not, and answers, refuses, hangs, or loses the connection. It honours keys, or
// ignores them.
//
// One that honours keys executes a request once for each caller and key. It gives a repeat the
// first answer, and refuses a token below one that it has seen.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "gateway/route_table.hpp"
#include "sim/context.hpp"
#include "sim/pass_checker.hpp"

namespace semel::sim {

class UpstreamModel {
public:
    UpstreamModel(Context& context, PassChecker& checker) : context_(context), checker_(checker) {}

    // The upstream as a process sees it for one request. `ask`: the checker's number of the
    // request.
    [[nodiscard]] std::shared_ptr<gateway::PassUpstream> call(ProcessId process, int ask,
                                                              const PassRequestPlan& request);

private:
    class Call;
    using Answered = std::function<void(const SentAnswer&)>;
    // Tenant, caller and key.
    using Identity = std::tuple<std::string, std::string, std::string>;
    struct Executed {
        std::int64_t token = 0;  // the largest that came
        bool is_done = false;
        SentAnswer answer;
    };

    // The next meeting with this request.
    [[nodiscard]] const UpstreamTurn& next_turn(const PassRequestPlan& request);
    // A request arrives. `answered` is not called if its connection is lost.
    void meet(const PassRequestPlan& request, const UpstreamTurn& turn,
              const std::vector<net::Header>& headers, const Answered& answered);
    [[nodiscard]] SentAnswer execute(const PassRequestPlan& request, const UpstreamTurn& turn);
    [[nodiscard]] static SentAnswer refusal(int status);

    Context& context_;
    PassChecker& checker_;
    std::map<int, std::size_t> turns_;  // by the number of the request
    std::map<Identity, Executed> executed_;
    int effects_ = 0;
};

}  // namespace semel::sim
