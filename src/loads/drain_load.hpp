// Jobs that do nothing, as fast as handlers of this process take them.
#pragma once

#include <string>
#include <vector>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

inline constexpr const char* kNoopType = "semel-bench:noop";
inline constexpr int kDrainConcurrency = 1024;

// Makes `jobs` due jobs of kNoopType, in batches.
[[nodiscard]] Result<void> make_noop_jobs(const std::string& store, const std::string& tenant,
                                          int jobs, const Watch& watch);

// Opens the store with handlers of these types and waits until `jobs` of their jobs have been
// handled and their ends are durable.
[[nodiscard]] Result<Figure> run_drain_load(const std::string& store,
                                            const std::vector<std::string>& types,
                                            std::int64_t jobs, const Watch& watch);

}  // namespace semel::loads
