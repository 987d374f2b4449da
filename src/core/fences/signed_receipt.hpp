// ReceiptStatement: the bytes that the signature of a receipt covers. read_signed_receipt reads the
// API's answer back into a statement and its signature. base/ed25519.hpp verifies it.
//
//   statement := RFC 8785 form of
//                {"effectId", "fingerprint", "key", "receipt", "sealedAt", "tenant", "token",
//                "type"}
//   fingerprint  of the claim's content, 64 hex digits in lower case, or null
//   receipt      64 hex digits: the content fingerprint of the sealed receipt, or of `null`
//   sealedAt     as the API writes it
//   token        decimal digits in a string, because RFC 8785 has no integers above 2^53
//   type         "semel.receipt.v1", so that no signature of other data counts
//
// The statement has the tenant, so a receipt of one tenant proves nothing under another tenant.
// Pure. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/hash.hpp"
#include "core/json/json.hpp"
#include "core/keys/claim.hpp"
#include "core/problem.hpp"

namespace semel {

struct ReceiptStatement {
    std::string tenant;
    std::string key;
    std::string effect_id;
    std::optional<std::string> fingerprint = {};  // as written: upper case gives other bytes
    Hash256 receipt;
    std::int64_t token = 0;
    std::string sealed_at;

    // Returns the bytes to sign.
    [[nodiscard]] std::string text() const;
};

// Makes the statement of a claim. `key` is the key as its caller wrote it.
// REQUIRES: the claim is sealed and has an effect.
[[nodiscard]] ReceiptStatement statement_of(const Claim& claim, std::string key);

struct SignedReceipt {
    ReceiptStatement statement;
    std::string key_id;     // of the key that made the signature
    std::string signature;  // as written
};

inline constexpr std::string_view kSignatureAlgorithm = "Ed25519";

// Reads the answer to GET /v1/fences/{key}?signed=true. Returns the Problem of the first wrong
// member. Ignores members that the signature does not cover, and does not verify the signature.
[[nodiscard]] std::variant<SignedReceipt, Problem> read_signed_receipt(json::Value answer);

// Returns the name of a public key: the first 16 hex digits of its SHA-256.
[[nodiscard]] std::string signing_key_id(std::string_view public_key);

}  // namespace semel
