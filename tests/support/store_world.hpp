// StoreWorld: a store that random commands are run on, and all that can be read of it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/random_commands.hpp"
#include "support/row_invariants.hpp"
#include "support/store_driver.hpp"

namespace semel::test {

class StoreWorld : public BulkSource {
public:
    // Two worlds of one seed make the same ids and random choices.
    StoreWorld(std::unique_ptr<Store> store, std::uint64_t seed)
        : store_(std::move(store)), driver_(*store_, seed) {}

    std::vector<AnyReply> run(const std::vector<AnyCommand>& batch) {
        return driver_.run_batch<AnyReply>(batch);
    }
    Result<std::vector<AnyReply>> try_run(const std::vector<AnyCommand>& batch) {
        return driver_.try_batch<AnyReply>(batch);
    }

    MatchedActions count(const std::string& tenant, const ActionFilter& filter) override;
    std::vector<JobId> walk(const BulkRun& run, int limit) override;

    [[nodiscard]] Store& store() { return *store_; }
    // What a command of RandomCommands can have made.
    [[nodiscard]] StoredRows rows();
    // Everything that can be read.
    [[nodiscard]] std::string to_text_all();

private:
    [[nodiscard]] std::vector<Edge> edges(const std::vector<ActionView>& actions);
    [[nodiscard]] std::string chains_text(const std::string& tenant);
    [[nodiscard]] std::string fences_text(const std::vector<Claim>& claims);

    std::unique_ptr<Store> store_;
    StoreDriver driver_;
};

// What an operator asks to be run again, also as one of many, or to be deleted.
[[nodiscard]] std::set<JobId> retried_by(const std::vector<AnyCommand>& batch,
                                         const StoredRows& before);

}  // namespace semel::test
