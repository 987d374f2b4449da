// RandomCommands: batches of commands from a seed, as clients, workers, an operator and the engine
// itself would send them.
#pragma once

#include <string>
#include <vector>

#include "support/any_command.hpp"
#include "support/dice.hpp"
#include "support/random_bulk.hpp"
#include "support/random_chains.hpp"
#include "support/random_fences.hpp"
#include "support/random_schedules.hpp"

namespace semel::test {

class RandomCommands {
public:
    explicit RandomCommands(std::uint64_t seed) : RandomCommands(Dice(seed)) {}
    explicit RandomCommands(Dice dice);

    [[nodiscard]] std::vector<AnyCommand> next_batch(BulkSource& source);
    // What the commands after this one may name.
    void learn(const AnyReply& reply);
    [[nodiscard]] Millis pause();
    // The bytes that it was made from end here.
    [[nodiscard]] bool is_used_up() const { return dice_.is_used_up(); }

    // Everything that a command could have named.
    [[nodiscard]] static std::vector<std::string> tenants();
    [[nodiscard]] static std::vector<GroupKey> groups();
    [[nodiscard]] static std::vector<ClaimId> claims();
    [[nodiscard]] static std::vector<SourceKey> sources();

private:
    [[nodiscard]] AnyCommand next(BulkSource& source);
    void learn(const Job& job);
    void learn(const ChainView& chain);
    [[nodiscard]] ScheduleActions schedule();
    [[nodiscard]] ActionRequest request(const std::string& tenant);
    [[nodiscard]] Deduplication deduplication(const std::string& tenant);
    [[nodiscard]] TakeJobs take();
    [[nodiscard]] SettleJobs settle();
    [[nodiscard]] JobCall call(const Job& job);
    [[nodiscard]] AnyCommand operate();
    [[nodiscard]] AnyCommand upkeep();

    Dice dice_;
    RandomSchedules schedules_;
    RandomBulk bulk_;
    RandomChains chains_;
    RandomFences fences_;
    int payloads_ = 0;
    std::vector<Job> seen_;  // as they were when they were answered
    std::vector<Job> taken_;
};

}  // namespace semel::test
