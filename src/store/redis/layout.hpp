// Where rows lie in Redis, and as which bytes; docs/internals/redis_layout.md shows all of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/claim.hpp"
#include "core/rows.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

inline constexpr const char* kMetaKey = "semel:meta";
inline constexpr const char* kClaimsByExpiry = "semel:claims_by_expiry";
inline constexpr const char* kSourcesByExpiry = "semel:sources_by_expiry";
inline constexpr const char* kClaimPrefix = "semel:claim:";
inline constexpr const char* kSourcePrefix = "semel:source:";
inline constexpr const char* kEndsChannel = "semel:ends";
inline constexpr const char* kTrial = "trial";  // published there, it is no hint

// What this program reads and writes; others are another version's. Since 2 `d` of a claim begins
// with its id.
inline constexpr std::int64_t kFormat = 2;

[[nodiscard]] std::string mark_key(const std::string& stamp);
[[nodiscard]] std::string claim_key(const ClaimId& id);
// A source's name is of any length and any bytes: its hash stands in the key.
[[nodiscard]] std::string source_key(const SourceKey& key);
// As it stands among the sources by expiry. Nothing: these bytes are none of ours.
[[nodiscard]] std::string source_member(const SourceKey& key);
[[nodiscard]] std::optional<SourceKey> read_source_member(std::string_view member);

// A row as it was found, with what tells whether it has changed since.
template <typename Row>
struct Found {
    std::string stamp = {};  // of the commit that wrote it; empty: it is absent; `!`: it has none
    std::optional<Row> row = {};
    std::string damage = {};  // the bytes are no row of ours: which, and what to do; then no row
};

// The commands that read a row, and what their reply says.
[[nodiscard]] Command ask_claim(const ClaimId& id);
[[nodiscard]] Result<Found<Claim>> read_claim(const ClaimId& id, const Reply& reply);
[[nodiscard]] Command ask_source(const SourceKey& key);
[[nodiscard]] Result<Found<Source>> read_source(const SourceKey& key, const Reply& reply);

// Fields of a row as a commit puts them, names and values in turn; of a claim, without its receipt
// and its content, which are large and seldom change.
using Fields = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Fields fields_of(const Claim& claim);
[[nodiscard]] Fields fields_of(const Source& source);
inline constexpr const char* kReceiptField = "b";
inline constexpr const char* kContentField = "c";

}  // namespace semel::redis
