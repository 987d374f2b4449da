#include "core/fences/signed_receipt.hpp"

#include <limits>

#include "base/time.hpp"
#include "core/fences/fence_request.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/member_reader.hpp"

namespace semel {
namespace {

constexpr std::size_t kTimeBytesMax = 40;
constexpr std::size_t kSignatureBytesMax = 128;

// JSON that PostgreSQL accepts and Semel refuses is hashed by its bytes.
Hash256 fingerprint_of(const std::optional<Receipt>& receipt) {
    const std::string body = receipt ? receipt->body : "null";
    const auto parsed = json::Document::parse(body);
    return parsed ? content_fingerprint(parsed->root()) : sha256(body);
}

// Returns the first problem, except an unknown member.
std::optional<Problem> first_problem(MemberReader& reader) {
    auto problem = reader.problem();
    if (problem && problem->code == ProblemCode::unknown_member) {
        problem.reset();
    }
    return problem;
}

std::string required_text(MemberReader& reader, std::string_view name, std::size_t bytes_max) {
    auto text = reader.text(name, 1, bytes_max);
    reader.require(name, text.has_value());
    return std::move(text).value_or("");
}

// Returns the text unchanged, because the signature covers the text.
std::optional<std::string> read_hash(MemberReader& reader, std::string_view name) {
    auto text = reader.text(name, 1, kNameBytesMax);
    if (text && !Hash256::parse(*text)) {
        reader.fail(name, "`" + std::string(name) + "` must be 64 hex digits, or null");
    }
    return text;
}

// Reads the signature into `out`. Returns the first problem.
std::optional<Problem> read_signature(json::Value object, SignedReceipt& out) {
    MemberReader reader(object, "/signature");
    const std::string algorithm = required_text(reader, "algorithm", kNameBytesMax);
    if (!algorithm.empty() && algorithm != kSignatureAlgorithm) {
        reader.fail("algorithm", "`algorithm` must be Ed25519: no other is known here");
    }
    out.key_id = required_text(reader, "keyId", kNameBytesMax);
    out.signature = required_text(reader, "value", kSignatureBytesMax);
    return first_problem(reader);
}

}  // namespace

std::string ReceiptStatement::text() const {
    JsonWriter out;
    out.begin_object();
    out.member("effectId", effect_id);
    out.member_or_null("fingerprint", fingerprint);
    out.member("key", key);
    out.member("receipt", receipt.to_hex());
    out.member("sealedAt", sealed_at);
    out.member("tenant", tenant);
    out.member("token", std::to_string(token));
    out.member("type", "semel.receipt.v1");
    const auto document = json::Document::parse(out.end_object().take());
    SEMEL_ASSERT(document.has_value());
    auto canonical = canonicalize(document->root());
    SEMEL_ASSERT(canonical.has_value());  // it has no numbers
    return std::move(*canonical);
}

ReceiptStatement statement_of(const Claim& claim, std::string key) {
    return {.tenant = claim.tenant,
            .key = std::move(key),
            .effect_id = claim.effect->id,
            .fingerprint =
                claim.fingerprint ? std::optional(claim.fingerprint->to_hex()) : std::nullopt,
            .receipt = fingerprint_of(claim.receipt),
            .token = to_int(claim.token),
            .sealed_at = format_rfc3339(*claim.effect->sealed_at)};
}

std::variant<SignedReceipt, Problem> read_signed_receipt(json::Value answer) {
    SignedReceipt read;
    ReceiptStatement& statement = read.statement;
    MemberReader reader(answer, "");
    const auto signature = reader.object("signature");
    reader.require("signature", signature.has_value());
    statement.tenant = required_text(reader, "tenant", kNameBytesMax);
    statement.key = required_text(reader, "key", kNameBytesMax);
    statement.effect_id = required_text(reader, "effectId", kNameBytesMax);
    statement.sealed_at = required_text(reader, "sealedAt", kTimeBytesMax);
    statement.fingerprint = read_hash(reader, "fingerprint");
    const auto token = reader.integer("token", 1, std::numeric_limits<std::int64_t>::max());
    reader.require("token", token.has_value());
    statement.token = token.value_or(0);
    const auto receipt = reader.any("receipt");
    reader.require("receipt", receipt.has_value());
    if (auto problem = first_problem(reader)) {
        return std::move(*problem);
    }
    statement.receipt = content_fingerprint(*receipt);
    if (auto problem = read_signature(*signature, read)) {
        return std::move(*problem);
    }
    return read;
}

std::string signing_key_id(std::string_view public_key) {
    constexpr std::size_t kDigits = 16;
    return sha256(public_key).to_hex().substr(0, kDigits);
}

}  // namespace semel
