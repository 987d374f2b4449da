// Keys and bytes of the rows in Redis. docs/internals/redis_layout.md describes all of them.
//
// `ask_` returns the command that reads a row, `read_` reads its reply. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/batch/rows.hpp"
#include "core/keys/claim.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

inline constexpr const char* kMetaKey = "semel:meta";
inline constexpr const char* kClaimsByExpiry = "semel:claims_by_expiry";
inline constexpr const char* kSourcesByExpiry = "semel:sources_by_expiry";
inline constexpr const char* kClaimPrefix = "semel:claim:";
inline constexpr const char* kSourcePrefix = "semel:source:";
inline constexpr const char* kEndsChannel = "semel:ends";
inline constexpr const char* kTrial = "trial";  // a trial of the right to publish; it is no hint

// The format that this program reads and writes. Other formats are refused. Since format 2 the
// field `d` of a claim begins with its id.
inline constexpr std::int64_t kFormat = 2;

[[nodiscard]] std::string mark_key(const std::string& stamp);
[[nodiscard]] std::string claim_key(const ClaimId& id);
// Has a hash of the source's name, which can have any length and bytes.
[[nodiscard]] std::string source_key(const SourceKey& key);
// A source's name as a member of kSourcesByExpiry. read_source_member() returns nullopt for other
// bytes.
[[nodiscard]] std::string source_member(const SourceKey& key);
[[nodiscard]] std::optional<SourceKey> read_source_member(std::string_view member);

// A row with the stamp that changes with each commit to it.
template <typename Row>
struct Found {
    std::string stamp = {};  // of its last commit; empty: no row; `!`: it lacks a stamp
    std::optional<Row> row = {};
    std::string damage = {};  // not empty: the bytes are damaged; says which, and the remedy
};

// Errors of read_claim() and read_source(): the server's error reply. A damaged row is no error.
[[nodiscard]] Command ask_claim(const ClaimId& id);
[[nodiscard]] Result<Found<Claim>> read_claim(const ClaimId& id, const Reply& reply);
[[nodiscard]] Command ask_source(const SourceKey& key);
[[nodiscard]] Result<Found<Source>> read_source(const SourceKey& key, const Reply& reply);

// The fields that a commit writes: names and values. For a claim without receipt and content, which
// are large and seldom change.
using Fields = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Fields fields_of(const Claim& claim);
[[nodiscard]] Fields fields_of(const Source& source);
inline constexpr const char* kReceiptField = "b";
inline constexpr const char* kContentField = "c";

}  // namespace semel::redis
