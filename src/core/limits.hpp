// The limits of requests and stored data, and the fixed retention times. Each is named once.
//
// A request that exceeds a limit gets `too_large` or `invalid`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/time.hpp"

namespace semel {

inline constexpr std::size_t kNameBytesMax = 255;  // type, lock group, worker, tenant, names
inline constexpr std::size_t kKeyBytesMax =
    64 * 1024;  // a deduplication key as the caller wrote it
inline constexpr std::size_t kKeyFieldsMax = 16;
inline constexpr std::size_t kItemsMax = 1000;           // batch, settle, claim
inline constexpr std::size_t kOpenOwnersMax = 100;       // of one key
inline constexpr std::size_t kBlockersMax = 1000;        // of one job
inline constexpr int kBlocksMax = 1000;                  // jobs that one chain blocks
inline constexpr std::size_t kExcludedChainsMax = 100;   // excludeChainIds
inline constexpr std::size_t kDeletedJobsMax = 10'000;   // of one deletion
inline constexpr std::size_t kDeletedEdgesMax = 20'000;  // from and to these jobs
inline constexpr std::size_t kBulkEdgesMax = 10'000;     // of the jobs of one step of a bulk run
inline constexpr int kDeletedLevelsMax = 200;            // of chains that wait for one another
inline constexpr std::size_t kWaitsMax = 10'000;         // of chains, in one search for a cycle
inline constexpr std::size_t kTakeBytesMax = 16 * 1024 * 1024;  // of the jobs of one claim
inline constexpr std::size_t kOutputBytesMax = 1024 * 1024;
inline constexpr std::size_t kErrorBytesMax = 64 * 1024;
inline constexpr int kMaxRetriesMax = 1000;
inline constexpr int kPriorityMax = 1'000'000;
inline constexpr Millis kLeaseMin{100};
inline constexpr Millis kLeaseMax = std::chrono::hours(24);
inline constexpr Millis kLeaseDefault = std::chrono::seconds(15);
inline constexpr Millis kWaitMax = std::chrono::seconds(60);
inline constexpr Millis kDelayMax = std::chrono::hours(24 * 366 * 100);  // a century
inline constexpr Millis kTimeoutMax = std::chrono::hours(24);
inline constexpr Millis kApiKeyRetention =
    std::chrono::hours(24);  // Idempotency-Key on the API's own POSTs
inline constexpr Millis kOutboxResultRetention = std::chrono::hours(24 * 7);
inline constexpr std::size_t kContentBytesMax =
    64 * 1024;                                      // of a claim's first content, to be stored
inline constexpr std::size_t kPartBytesMax = 1024;  // of each part of a fence's key
inline constexpr Millis kTombstoneRetention =
    std::chrono::hours(24 * 400);  // key and effect id, from the expiry on
inline constexpr Millis kUnsealedRetention =
    std::chrono::hours(24 * 7);  // of an unsealed claim, from the end of its lease on
// Of a claim that its pass has released. Within this time a repeat of the call gets the same
// answer.
inline constexpr Millis kReleasedPassRetention = std::chrono::minutes(1);
inline constexpr int kLostInARowMax =
    5;  // lost leases in a row that end a job, also with unlimited retries

}  // namespace semel
