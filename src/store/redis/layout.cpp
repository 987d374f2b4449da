#include "store/redis/layout.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "core/json/json.hpp"
#include "store/packing/packed.hpp"
#include "store/packing/row_pack.hpp"

namespace semel::redis {
namespace {

//   claim    := id packed_claim: the id so that what was copied to another key is known as such
//   source   := version presence tenant type id expiresAt highest? (claim token until)?
//   presence := highest, holder
constexpr char kSourceVersion = 1;

// Replaces the stamp of a key that has a value without a stamp: see scripts/commit.lua.
constexpr const char* kNoRow = "!";

// The positions of a row's fields in a reply. A source has only the first two. The others are read
// too, so that this code and scripts/commit.lua agree on which row is absent.
constexpr std::size_t kStamp = 0;
constexpr std::size_t kPacked = 1;
constexpr std::size_t kExpiry = 2;
constexpr std::size_t kReceipt = 3;
constexpr std::size_t kFields = 4;

Command ask_row(std::string key) {
    return {"HMGET", std::move(key), "v", "d", "x", kReceiptField};
}

std::string damage_of(const std::string& key) {
    return "what Redis has under " + key +
           " is not what Semel wrote there: somebody else did, or a part of it is lost. ";
}

std::string damage_of(const ClaimId& id) {
    return damage_of(claim_key(id)) +
           "Find out whether its effect happened, then remove it: `semel fence delete KEY --reason "
           "TEXT`, or DELETE /v1/claims/" +
           id.to_hex() + "?key=KEY&reason=TEXT; the key is new then";
}

std::string damage_of(const SourceKey& key) {
    return damage_of(source_key(key)) + "Remove it in Redis: `DEL " + source_key(key) +
           "`; what comes first then is its highest version";
}

std::string pack_source(const Source& source) {
    Presence presence;
    presence.add(source.highest.has_value());
    presence.add(source.holder.has_value());
    Packer packer(kSourceVersion);
    packer.number(presence.bits());
    packer.bytes(source.key.tenant);
    packer.bytes(source.key.type);
    packer.bytes(source.key.id);
    packer.time(source.expires_at);
    if (source.highest) packer.number(*source.highest);
    if (source.holder) {
        packer.hash(source.holder->claim);
        packer.number(to_int(source.holder->token));
        packer.time(source.holder->until);
    }
    return packer.take();
}

bool unpack_source(std::string_view bytes, Source& source) {
    Unpacker unpacker(bytes, kSourceVersion);
    Presence presence(unpacker.number());
    source.key.tenant = unpacker.string();
    source.key.type = unpacker.string();
    source.key.id = unpacker.string();
    source.expires_at = unpacker.time();
    if (presence.next()) source.highest = unpacker.number();
    if (presence.next()) {
        SourceHolder& holder = source.holder.emplace();
        holder.claim = unpacker.hash();
        holder.token = Token{unpacker.number()};
        holder.until = unpacker.time();
    }
    return !unpacker.is_damaged();
}

// Returns true if the reply is a hash with all requested fields. Any error reply except a wrong
// type is returned as an error, for example while the server loads its rows. It is no damage.
Result<bool> is_hash(const Reply& reply) {
    if (reply.is_error() && !is_wrong_type(reply)) {
        return error_of(reply);
    }
    return reply.kind == Reply::Kind::list && reply.items.size() == kFields;
}

// Returns true if the reply has none of the fields. A row with other fields but no stamp is not
// absent.
bool is_absent(const Reply& reply) {
    return std::ranges::all_of(reply.items, &Reply::is_nil);
}

std::string stamp_of(const Reply& reply) {
    const bool has_stamp = !reply.items.empty() && !reply.items[kStamp].text.empty();
    return has_stamp ? reply.items[kStamp].text : kNoRow;
}

std::string bytes_of(const ClaimId& id) {
    return {id.bytes.begin(), id.bytes.end()};
}

// Reads the expiry that `fields_of` writes: a time, or "".
bool read_expiry(const Reply& field, std::optional<Time>& expires_at) {
    const auto at = field.as_number();
    if (at) expires_at = from_ms(*at);
    return at || (!field.is_nil() && field.text.empty());
}

// Reads the body of a receipt. That of a fence must be JSON, because the answer includes it
// unchanged.
bool read_receipt(const Reply& field, Claim& claim) {
    if (!claim.receipt) {
        return true;
    }
    claim.receipt->body = field.text;
    const bool is_json =
        claim.space != "fences" || json::Document::parse(field.text, json::kAnyNumbers).has_value();
    return !field.is_nil() && is_json;
}

std::string pack_with_id(const Claim& claim) {
    return bytes_of(claim.id) + pack_claim(claim);
}

// REQUIRES: the claim has the requested id. Returns false if the bytes are damaged or another
// claim's.
bool unpack_with_id(std::string_view bytes, Claim& claim) {
    const std::string id = bytes_of(claim.id);
    return bytes.starts_with(id) && unpack_claim(bytes.substr(id.size()), claim);
}

// Returns nullopt if the row is damaged, or if it is a copy of another claim's row.
std::optional<Claim> claim_in(const std::vector<Reply>& fields, const ClaimId& id) {
    Claim claim;
    claim.id = id;
    const bool is_whole =
        !fields[kStamp].text.empty() && unpack_with_id(fields[kPacked].text, claim) &&
        read_expiry(fields[kExpiry], claim.expires_at) && read_receipt(fields[kReceipt], claim);
    return is_whole ? std::optional(std::move(claim)) : std::nullopt;
}

std::optional<Source> source_in(const std::vector<Reply>& fields, const SourceKey& key) {
    Source source;
    const bool is_whole = !fields[kStamp].text.empty() &&
                          unpack_source(fields[kPacked].text, source) && source.key == key;
    return is_whole ? std::optional(std::move(source)) : std::nullopt;
}

}  // namespace

std::string mark_key(const std::string& stamp) {
    return "semel:mark:" + stamp;
}

std::string claim_key(const ClaimId& id) {
    return kClaimPrefix + id.to_hex();
}

std::string source_key(const SourceKey& key) {
    FieldHasher hasher("semel.redis.source.v1");
    hasher.field(key.tenant).field(key.type).field(key.id);
    return kSourcePrefix + hasher.finish().to_hex();
}

std::string source_member(const SourceKey& key) {
    Packer packer(kSourceVersion);
    packer.bytes(key.tenant);
    packer.bytes(key.type);
    packer.bytes(key.id);
    return packer.take();
}

std::optional<SourceKey> read_source_member(std::string_view member) {
    Unpacker unpacker(member, kSourceVersion);
    SourceKey key;
    key.tenant = unpacker.string();
    key.type = unpacker.string();
    key.id = unpacker.string();
    return unpacker.is_damaged() ? std::nullopt : std::optional(std::move(key));
}

Command ask_claim(const ClaimId& id) {
    return ask_row(claim_key(id));
}

Result<Found<Claim>> read_claim(const ClaimId& id, const Reply& reply) {
    SEMEL_TRY(has_fields, is_hash(reply));
    if (has_fields && is_absent(reply)) {
        return Found<Claim>{};
    }
    auto claim = has_fields ? claim_in(reply.items, id) : std::nullopt;
    std::string damage = claim ? "" : damage_of(id);
    return Found<Claim>{stamp_of(reply), std::move(claim), std::move(damage)};
}

Command ask_source(const SourceKey& key) {
    return ask_row(source_key(key));
}

Result<Found<Source>> read_source(const SourceKey& key, const Reply& reply) {
    SEMEL_TRY(has_fields, is_hash(reply));
    if (has_fields && is_absent(reply)) {
        return Found<Source>{};
    }
    auto source = has_fields ? source_in(reply.items, key) : std::nullopt;
    std::string damage = source ? "" : damage_of(key);
    return Found<Source>{stamp_of(reply), std::move(source), std::move(damage)};
}

Fields fields_of(const Claim& claim) {
    return {{"d", pack_with_id(claim)},
            {"x", claim.expires_at ? std::to_string(to_ms(*claim.expires_at)) : ""}};
}

Fields fields_of(const Source& source) {
    return {{"d", pack_source(source)}};
}

}  // namespace semel::redis
