#include "loads/bench_node.hpp"

#include "runtime/open_store.hpp"
#include "runtime/requests.hpp"

namespace semel::loads {
namespace {

Result<ScheduledAction> accepted(const Item<ScheduledAction>& item) {
    if (const auto* problem = std::get_if<Problem>(&item)) {
        return Error(ErrorCode::refused, problem->detail);
    }
    return std::get<ScheduledAction>(item);
}

}  // namespace

Result<std::unique_ptr<BenchNode>> BenchNode::open(const std::string& store, int concurrency) {
    SEMEL_TRY(opened, open_store(store));
    NodeOptions options;
    options.name = "bench";
    options.concurrency = concurrency;
    return std::unique_ptr<BenchNode>(new BenchNode(std::move(opened), std::move(options)));
}

void BenchNode::handle(const std::string& type, std::function<void()> handler) {
    host_.add_handler(type, HandlerOptions{},
                      [handler = std::move(handler)](const TakenJob&, const std::stop_token&) {
                          handler();
                          return done();
                      });
}

void BenchNode::schedule(const ActionSpec& action,
                         std::function<void(Result<ScheduledAction>)> done) {
    ScheduleActions command;
    command.tenant = action.tenant;
    command.items.push_back(to_request(action, host_.node().settings()));
    host_.submit(std::move(command),
                 [done = std::move(done)](const Result<Reply<ScheduleActions>>& reply) {
                     if (!reply) {
                         done(reply.error());
                         return;
                     }
                     done(accepted(std::get<ScheduleActions::Outcome>(*reply).front()));
                 });
}

Result<void> BenchNode::schedule_all(const std::vector<ActionSpec>& actions) {
    ScheduleActions command;
    command.tenant = actions.front().tenant;
    for (const ActionSpec& action : actions) {
        command.items.push_back(to_request(action, host_.node().settings()));
    }
    SEMEL_TRY(reply, host_.execute(std::move(command)));
    for (const auto& item : std::get<ScheduleActions::Outcome>(reply)) {
        SEMEL_CHECK(accepted(item));
    }
    return {};
}

}  // namespace semel::loads
