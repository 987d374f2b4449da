// StoreWatcher: what a run's checker sees of the database: each batch, from its load to its end.
#pragma once

#include <memory>
#include <string>

#include "sim/decided.hpp"
#include "sim/invariants.hpp"

namespace semel::sim {

class StoreWatcher {
public:
    StoreWatcher() = default;
    virtual ~StoreWatcher() = default;
    StoreWatcher(const StoreWatcher&) = delete;
    StoreWatcher& operator=(const StoreWatcher&) = delete;

    // The batch that begins with this load.
    [[nodiscard]] virtual std::shared_ptr<Batch> loaded(Time now, ProcessId process,
                                                        int began_after) = 0;
    // Which of the batches that are under way is meant from here on.
    virtual void turn_to(std::shared_ptr<Batch> batch) = 0;
    virtual void landed(Time landed_at) = 0;
    virtual void nothing_to_save() = 0;  // it changed nothing
    virtual void commit_unknown() = 0;
    virtual void abandoned(const std::shared_ptr<Batch>& batch) = 0;  // its process is gone

    virtual void fail(Invariant invariant, const std::string& message) = 0;
};

}  // namespace semel::sim
