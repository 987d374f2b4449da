#include "core/fences/fence_request.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/fences/providers.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"
#include "core/passes/found_answer.hpp"

namespace semel {
namespace {

constexpr std::int64_t kExactMax = (std::int64_t{1} << 53) - 1;  // JSON's readers agree up to here
constexpr std::int64_t kSecondsMax =
    std::chrono::duration_cast<std::chrono::seconds>(kDelayMax).count();
constexpr Millis kRunWindowSlack = std::chrono::hours(24);

// Reads a part of a key: a string, or a number in its shortest form.
std::string read_part(MemberReader& reader, std::string_view name) {
    const auto value = reader.any(name);
    if (!value || value->is_null()) {
        return {};
    }
    if (!value->is_string() && !value->is_number()) {
        reader.fail(name, fmt::format("`{}` must be a string or a number", name));
        return {};
    }
    if (value->is_number() && !std::isfinite(value->as_double())) {
        reader.fail(name,
                    fmt::format("`{}` is too large for a number; write it as a string", name));
        return {};
    }
    std::string part = entity_name(value);
    if (part.size() > kPartBytesMax) {
        reader.fail(name, fmt::format("`{}` must have at most {} bytes, this has {}", name,
                                      kPartBytesMax, part.size()));
    }
    if (has_control_character(part)) {
        reader.fail(name, fmt::format("`{}` must not contain control characters", name));
    }
    return part;
}

std::optional<FenceParts> read_parts(MemberReader& outer) {
    const auto object = outer.object("parts");
    if (!object) {
        return std::nullopt;
    }
    MemberReader reader(*object, outer.pointer_to("parts"));
    FenceParts parts;
    parts.source_type = read_part(reader, "sourceType");
    parts.source_id = read_part(reader, "sourceId");
    parts.revision = read_part(reader, "revision");
    parts.index_hash = read_part(reader, "indexHash");
    parts.action = read_part(reader, "action");
    if (auto problem = reader.problem()) {
        outer.fail(std::move(*problem));
    } else if (parts.source_type.empty() && parts.source_id.empty() && parts.revision.empty() &&
               parts.index_hash.empty() && parts.action.empty()) {
        outer.fail("parts",
                   "`parts` must have at least one of sourceType, sourceId, revision, indexHash "
                   "and action");
    }
    return parts;
}

// Returns the given key, or the key of the given parts. Empty: neither can be used.
std::string read_key(MemberReader& reader, FenceRequest& request) {
    const auto key = reader.name("key");
    const auto parts = read_parts(reader);
    if (key && parts) {
        reader.fail("parts", "give `key` or `parts`, not both");
    }
    if (!key && !parts) {
        reader.fail("key", "`key` or `parts` is required: it says what must happen once");
    }
    if (parts) {
        request.source_type = parts->source_type;
        request.source_id = parts->source_id;
        request.action = parts->action;
        return key_of_parts(*parts);
    }
    return key.value_or("");
}

// Returns the hash of a given fingerprint. 64 hex digits are the SHA-256 of a content themselves.
Hash256 hash_of_fingerprint(const std::string& text) {
    if (const auto hash = Hash256::parse(text)) {
        return *hash;
    }
    return FieldHasher("semel.fence.fingerprint.v1").field(text).finish();
}

void set_content(json::Value content, FenceRequest& request) {
    request.fingerprint = content_fingerprint(content);
    if (content.raw().size() <= kContentBytesMax) {
        request.content = std::string(content.raw());
    }
}

void read_content(MemberReader& reader, FenceRequest& request) {
    const auto content = reader.any("content");
    const auto fingerprint = reader.text("fingerprint", 1, kNameBytesMax);
    if (content) {  // null is content too
        if (fingerprint) {
            reader.fail("fingerprint", "give `content` or `fingerprint`, not both");
        }
        set_content(*content, request);
    } else if (fingerprint) {
        request.fingerprint = hash_of_fingerprint(*fingerprint);
    }
}

void read_version(MemberReader& reader, FenceRequest& request) {
    request.version = reader.integer("version", 0, kExactMax);
    if (request.version && (request.source_type.empty() || request.source_id.empty())) {
        reader.fail("version",
                    "`version` needs `parts` with sourceType and sourceId: it is theirs");
    }
}

std::optional<Millis> read_seconds(MemberReader& reader, std::string_view name) {
    const auto seconds = reader.integer(name, 1, kSecondsMax);
    return seconds ? std::optional(Millis(std::chrono::seconds(*seconds))) : std::nullopt;
}

void read_times(MemberReader& reader, const FencePolicy& policy, FenceRequest& request) {
    const auto lease = reader.milliseconds("leaseMs", kLeaseMin, kLeaseMax);
    const auto ttl = read_seconds(reader, "ttlSeconds");
    const auto run_window = read_seconds(reader, "runWindowSeconds");
    if (run_window && request.fence_class != FenceClass::batch) {
        reader.fail("runWindowSeconds", "`runWindowSeconds` is for the class batch");
    }
    request.lease = lease.value_or(policy.rule_of(request.fence_class).lease);
    request.ttl =
        ttl.value_or(fence_ttl(request.fence_class, policy, request.source_type, run_window));
    request.wait = reader.milliseconds("waitMs", Millis(0), kWaitMax).value_or(Millis(0));
}

void set_claim(std::string_view tenant, FenceRequest& request) {
    Key made = fence_key(tenant, request.key);
    request.claim = made.claim;
    request.full_key = std::move(made.full_key);
}

std::optional<Problem> check(const FenceAsk& ask) {
    const auto lease = ask.lease.value_or(kLeaseMin).count();
    const auto ttl = ask.ttl.value_or(std::chrono::seconds(1)).count();
    if (auto fault = fault_of_name("key", ask.key); !fault.empty()) {
        return invalid(std::move(fault), "/key");
    }
    if (!is_valid_utf8(ask.key)) {
        return invalid("`key` must be UTF-8", "/key");
    }
    if (auto fault = fault_of_integer("leaseMs", lease, kLeaseMin.count(), kLeaseMax.count());
        !fault.empty()) {
        return invalid(std::move(fault), "/leaseMs");
    }
    if (auto fault = fault_of_integer("ttlSeconds", ttl, 1, kSecondsMax); !fault.empty()) {
        return invalid(std::move(fault), "/ttlSeconds");
    }
    return std::nullopt;
}

Token read_token(MemberReader& reader) {
    const auto token = reader.integer("token", 1, kExactMax);
    reader.require("token", token.has_value());
    return Token{token.value_or(0)};
}

// An absent receipt and null are equal.
std::optional<std::string> read_receipt(MemberReader& reader) {
    const auto receipt = reader.any("receipt");
    if (!receipt || receipt->is_null()) {
        return std::nullopt;
    }
    if (receipt->raw().size() > kOutputBytesMax) {
        reader.fail({.code = ProblemCode::too_large,
                     .detail = fmt::format("`receipt` has {} bytes, at most {} are kept",
                                           receipt->raw().size(), kOutputBytesMax),
                     .pointer = reader.pointer_to("receipt")});
        return std::nullopt;
    }
    return std::string(receipt->raw());
}

std::string read_reason(MemberReader& reader) {
    return reader.text("reason", 1, kErrorBytesMax).value_or("");
}

}  // namespace

std::string key_of_parts(const FenceParts& parts) {
    FieldHasher hasher("semel.fence.parts.v1");
    hasher.field(parts.source_type).field(parts.source_id).field(parts.revision);
    hasher.field(parts.index_hash).field(parts.action);
    return hasher.finish().to_hex();
}

Key fence_key(std::string_view tenant, std::string_view key) {
    return make_key(tenant, "fences", {std::string(key)});
}

Hash256 content_fingerprint(json::Value content) {
    const auto canonical = canonicalize(content);
    return sha256(canonical ? std::string_view(*canonical) : content.raw());
}

Millis fence_ttl(FenceClass fence_class, const FencePolicy& policy, std::string_view source_type,
                 std::optional<Millis> run_window) {
    const Millis usual = policy.rule_of(fence_class).ttl;
    switch (fence_class) {
        case FenceClass::webhook:
            if (const Provider* provider = find_provider(source_type)) {
                return remembered_for(usual, provider->horizon);
            }
            return usual;
        case FenceClass::batch:
            return run_window ? std::max(usual, *run_window + kRunWindowSlack) : usual;
        case FenceClass::api: return usual;
    }
    return usual;
}

Item<FenceRequest> read_fence_request(json::Value object, std::string_view tenant,
                                      const Settings& settings) {
    MemberReader reader(object, "");
    FenceRequest request;
    request.key = read_key(reader, request);
    reader.word("class", parse_fence_class, "webhook, api or batch", request.fence_class);
    read_content(reader, request);
    read_version(reader, request);
    read_times(reader, settings.fences, request);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    set_claim(tenant, request);
    return request;
}

Item<FenceRequest> make_fence_request(const FenceAsk& ask, std::string_view tenant,
                                      const Settings& settings) {
    if (auto problem = check(ask)) {
        return std::move(*problem);
    }
    FenceRequest request;
    request.key = ask.key;
    request.fence_class = ask.fence_class;
    if (ask.content) {
        set_content(*ask.content, request);
    }
    const FencePolicy& policy = settings.fences;
    request.lease = ask.lease.value_or(policy.rule_of(ask.fence_class).lease);
    request.ttl = ask.ttl ? Millis(*ask.ttl) : fence_ttl(ask.fence_class, policy, {}, {});
    set_claim(tenant, request);
    return request;
}

Item<FenceCall> read_fence_call(json::Value object, FenceVerb verb, const ClaimId& claim) {
    MemberReader reader(object, "");
    FenceCall call{.claim = claim, .token = read_token(reader), .verb = verb};
    switch (verb) {
        case FenceVerb::seal: {
            const auto effect_id = reader.name("effectId");
            reader.require("effectId", effect_id.has_value());
            call.effect_id = effect_id.value_or("");
            call.receipt = read_receipt(reader);
            break;
        }
        case FenceVerb::heartbeat:
            call.lease = reader.milliseconds("leaseMs", kLeaseMin, kLeaseMax);
            break;
        case FenceVerb::uncertain: call.reason = read_reason(reader); break;
        case FenceVerb::release: break;
        case FenceVerb::resolve: SEMEL_ASSERT(false); break;
    }
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    return call;
}

Item<ResolveClaim> read_resolution(json::Value object, std::string_view tenant,
                                   const ClaimId& claim) {
    MemberReader reader(object, "");
    ResolveClaim command;
    command.tenant = tenant;
    command.claim = claim;
    const bool has_outcome =
        reader.word("outcome", parse_claim_outcome, "sealed or released", command.outcome);
    reader.require("outcome", has_outcome);
    command.effect_id = reader.name("effectId").value_or("");
    command.receipt = read_receipt(reader);
    command.answer = read_found_answer(reader);
    command.reason = read_reason(reader);
    reader.require("reason", !command.reason.empty());
    if (command.outcome == ClaimOutcome::released && command.answer) {
        reader.fail("response", "`response` is for the outcome sealed");
    }
    if (command.outcome == ClaimOutcome::released && !command.effect_id.empty()) {
        reader.fail("effectId", "`effectId` is for the outcome sealed");
    }
    if (command.outcome == ClaimOutcome::released && command.receipt) {
        reader.fail("receipt", "`receipt` is for the outcome sealed");
    }
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    return command;
}

}  // namespace semel
