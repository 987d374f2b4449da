#include "store/redis/layout.hpp"

#include "base/hash.hpp"
#include "store/packed.hpp"
#include "store/row_pack.hpp"

namespace semel::redis {
namespace {

//   source   := version presence tenant type id expiresAt highest? (claim token until)?
//   presence := highest, holder
constexpr char kSourceVersion = 1;

// A row that is no hash has no stamp: see scripts/commit.lua.
constexpr const char* kNoRow = "!";

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

// Whether it is a hash's, with as many fields as were asked for. A server that is loading its rows,
// or is away, says so: that is no damage.
Result<bool> is_hash(const Reply& reply, std::size_t count) {
    if (reply.is_error() && !is_wrong_type(reply)) {
        return error_of(reply);
    }
    return reply.kind == Reply::Kind::list && reply.items.size() == count;
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
    return {"HMGET", claim_key(id), "v", "d", "x", kReceiptField};
}

Result<Found<Claim>> read_claim(const ClaimId& id, const Reply& reply) {
    SEMEL_TRY(has_fields, is_hash(reply, 4));
    if (!has_fields) {
        return Found<Claim>{.stamp = kNoRow, .damage = damage_of(id)};
    }
    if (reply.items[0].is_nil()) {
        return Found<Claim>{};
    }
    Claim claim;
    claim.id = id;
    if (!unpack_claim(reply.items[1].text, claim)) {
        return Found<Claim>{.stamp = reply.items[0].text, .damage = damage_of(id)};
    }
    if (const auto at = reply.items[2].as_number()) claim.expires_at = from_ms(*at);
    if (claim.receipt) claim.receipt->body = reply.items[3].text;
    return Found<Claim>{.stamp = reply.items[0].text, .row = std::move(claim)};
}

Command ask_source(const SourceKey& key) {
    return {"HMGET", source_key(key), "v", "d"};
}

Result<Found<Source>> read_source(const SourceKey& key, const Reply& reply) {
    SEMEL_TRY(has_fields, is_hash(reply, 2));
    if (!has_fields) {
        return Found<Source>{.stamp = kNoRow, .damage = damage_of(key)};
    }
    if (reply.items[0].is_nil()) {
        return Found<Source>{};
    }
    Source source;
    if (!unpack_source(reply.items[1].text, source) || source.key != key) {
        return Found<Source>{.stamp = reply.items[0].text, .damage = damage_of(key)};
    }
    return Found<Source>{.stamp = reply.items[0].text, .row = std::move(source)};
}

Fields fields_of(const Claim& claim) {
    return {{"d", pack_claim(claim)},
            {"x", claim.expires_at ? std::to_string(to_ms(*claim.expires_at)) : ""}};
}

Fields fields_of(const Source& source) {
    return {{"d", pack_source(source)}};
}

}  // namespace semel::redis
