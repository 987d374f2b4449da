// What a signature of a receipt is over, and how a signed receipt is read again.
//
//   statement := RFC 8785 form of
//                {"effectId", "fingerprint", "key", "receipt", "sealedAt", "tenant", "token",
//                "type"}
//   fingerprint  of the claim's content, 64 hex digits in lower case, or null
//   receipt      64 hex digits: the content fingerprint of what was sealed, of `null` where that is
//                nothing
//   sealedAt     as the API writes it
//   token        decimal digits in a string: RFC 8785 knows no integers above 2^53
//   type         "semel.receipt.v1": a signature of anything else is none of a receipt
// The tenant is in it, so that what one tenant was told says nothing under another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/hash.hpp"
#include "core/claim.hpp"
#include "core/json.hpp"
#include "core/problem.hpp"

namespace semel {

struct ReceiptStatement {
    std::string tenant;
    std::string key;
    std::string effect_id;
    std::optional<std::string> fingerprint = {};  // as it is written: another case is another text
    Hash256 receipt;
    std::int64_t token = 0;
    std::string sealed_at;

    // The bytes that are signed.
    [[nodiscard]] std::string text() const;
};

// REQUIRES: it is sealed, and has an effect. `key` is as its caller wrote it.
[[nodiscard]] ReceiptStatement statement_of(const Claim& claim, std::string key);

struct SignedReceipt {
    ReceiptStatement statement;
    std::string key_id;     // of the key that it was signed with
    std::string signature;  // as it is written
};

inline constexpr std::string_view kSignatureAlgorithm = "Ed25519";

// The answer to GET /v1/fences/{key}?signed=true. What it has beside is not signed, and not looked
// at.
[[nodiscard]] std::variant<SignedReceipt, Problem> read_signed_receipt(json::Value answer);

// How a public key is named: the first 16 hex digits of its SHA-256.
[[nodiscard]] std::string signing_key_id(std::string_view public_key);

}  // namespace semel
