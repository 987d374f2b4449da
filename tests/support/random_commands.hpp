// RandomCommands: batches of commands from a seed, as clients, workers, an operator and the engine
// itself would send them.
#pragma once

#include <random>
#include <string>
#include <variant>
#include <vector>

#include "core/commands.hpp"

namespace semel::test {

using AnyCommand = std::variant<ScheduleActions, TakeJobs, SettleJobs, OperateAction, PromoteDue,
                                RescueExpired, PruneJobs, PruneClaims>;
using AnyReply = std::variant<Reply<ScheduleActions>, Reply<TakeJobs>, Reply<SettleJobs>,
                              Reply<OperateAction>, Reply<PromoteDue>>;

class RandomCommands {
public:
    explicit RandomCommands(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] std::vector<AnyCommand> next_batch();
    // What the commands after this one may name.
    void learn(const AnyReply& reply);
    [[nodiscard]] Millis pause();

    // Everything that a command could have named.
    [[nodiscard]] static std::vector<std::string> tenants();
    [[nodiscard]] static std::vector<GroupKey> groups();
    [[nodiscard]] static std::vector<ClaimId> claims();

private:
    [[nodiscard]] AnyCommand next();
    [[nodiscard]] ScheduleActions schedule();
    [[nodiscard]] ActionRequest request(const std::string& tenant);
    [[nodiscard]] Deduplication deduplication(const std::string& tenant);
    [[nodiscard]] TakeJobs take();
    [[nodiscard]] SettleJobs settle();
    [[nodiscard]] JobCall call(const Job& job);
    [[nodiscard]] AnyCommand operate();

    [[nodiscard]] int below(int limit);
    [[nodiscard]] bool one_in(int n) { return below(n) == 0; }
    template <typename T>
    [[nodiscard]] const T& any_of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    std::mt19937_64 engine_;
    int payloads_ = 0;
    std::vector<Job> seen_;  // as they were when they were answered
    std::vector<Job> taken_;
};

// Every field that a client could see, for comparison.
[[nodiscard]] std::string to_text(const AnyReply& reply);

}  // namespace semel::test
