// Measures how fast handlers of this process complete jobs that do nothing.
//
// Both functions block until they are done, or until `watch` returns false.
// Errors: the store failed, or it refused a job. Threads: one measuring thread.
#pragma once

#include <string>
#include <vector>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

inline constexpr const char* kNoopType = "semel-bench:noop";
inline constexpr int kDrainConcurrency = 1024;

// Makes `jobs` due jobs of kNoopType, 1 000 in a commit.
[[nodiscard]] Result<void> make_noop_jobs(const std::string& store, const std::string& tenant,
                                          int jobs, const Watch& watch);

// Opens the store with handlers for these types, and waits until `jobs` jobs have been handled and
// their completions are durable. Counts jobs. REQUIRES: the store has `jobs` due jobs.
[[nodiscard]] Result<Figure> run_drain_load(const std::string& store,
                                            const std::vector<std::string>& types,
                                            std::int64_t jobs, const Watch& watch);

}  // namespace semel::loads
