#include "store/packing/packed.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

// Numbers that are stored must never change their meaning.
static_assert(static_cast<int>(ClaimState::owned) == 0);
static_assert(static_cast<int>(ClaimState::sealed) == 1);
static_assert(static_cast<int>(ClaimState::uncertain) == 2);
static_assert(static_cast<int>(ClaimState::free) == 3);
static_assert(static_cast<int>(FenceVerb::seal) == 0);
static_assert(static_cast<int>(FenceVerb::release) == 1);
static_assert(static_cast<int>(FenceVerb::heartbeat) == 2);
static_assert(static_cast<int>(FenceVerb::uncertain) == 3);
static_assert(static_cast<int>(FenceVerb::resolve) == 4);

//   claim    := version presence tenant space full_key state token createdAt
//               owners (count, then job, windowFrom and whether it is a successor each)
//               purgedAs? fingerprint? receiptStatus? effect? repeats?
//   presence := purgedAs, fingerprint, receipt, effect, repeats
//   effect   := presence id rule leaseUntil lease ttl sealedAt? (sourceType sourceId)? version?
//               (verb content)? (previous effectId, sealedAt, until)? pass?
//   presence := sealedAt, source, version, endedBy, previous, whether there is content, pass
//   pass     := presence effect attempt rememberedUntil sentKey principal admittedBy? dispatchedAt?
//               (twin token)? answer?
//   presence := admittedBy (if it is not the effect), dispatchedAt, twin, answer, and of the answer
//               whether it has a body, whether it is borrowed, and its note
//   answer   := status response size headers (count, then name and value each) note?
// New fields can be added at the end of each part, with their own presence bits. Stored rows have
// these bits unset.
//
// Version 2 has neither effect nor repeats and only two states. Claims that fit it are still
// written in it, so that an older node can read them. Version 1 had one owner at most: `windowFrom
// owner?` instead of the owners, and the first presence bit for it.
constexpr char kClaimVersion = 3;
constexpr char kClaimVersionPlain = 2;
constexpr char kClaimVersionFirst = 1;

bool is_plain(const Claim& claim) {
    return !claim.effect && claim.repeats == 0 &&
           (claim.state == ClaimState::owned || claim.state == ClaimState::sealed);
}

std::vector<Owner> unpack_single_owner(Unpacker& unpacker, Presence& presence) {
    const Time window_from = unpacker.time();
    if (!presence.next()) {
        return {};
    }
    return {{.job = unpacker.id(), .window_from = window_from}};
}

std::vector<Owner> unpack_owners(Unpacker& unpacker) {
    std::vector<Owner> owners;
    for (std::int64_t left = unpacker.number(); left > 0 && !unpacker.is_short(); --left) {
        Owner owner;
        owner.job = unpacker.id();
        owner.window_from = unpacker.time();
        owner.is_successor = unpacker.number() != 0;
        owners.push_back(owner);
    }
    return owners;
}

void pack_answer(Packer& packer, const KeptAnswer& answer) {
    packer.number(answer.status);
    packer.id(answer.response);
    packer.number(answer.size);
    packer.number(static_cast<std::int64_t>(answer.headers.size()));
    for (const AnswerHeader& header : answer.headers) {
        packer.bytes(header.name);
        packer.bytes(header.value);
    }
    if (!answer.note.empty()) packer.bytes(answer.note);
}

KeptAnswer unpack_answer(Unpacker& unpacker, Presence& presence) {
    KeptAnswer answer;
    answer.has_body = presence.next();
    answer.is_borrowed = presence.next();
    answer.status = unpacker.integer();
    answer.response = unpacker.id();
    answer.size = unpacker.number();
    for (std::int64_t left = unpacker.number(); left > 0 && !unpacker.is_short(); --left) {
        AnswerHeader header;
        header.name = unpacker.string();
        header.value = unpacker.string();
        answer.headers.push_back(std::move(header));
    }
    if (presence.next()) answer.note = unpacker.string();
    return answer;
}

void pack_pass(Packer& packer, const Pass& pass) {
    Presence presence;
    presence.add(pass.admitted_by != pass.effect);
    presence.add(pass.dispatched_at.has_value());
    presence.add(pass.twin.has_value());
    presence.add(pass.answer.has_value());
    presence.add(pass.answer && pass.answer->has_body);
    presence.add(pass.answer && pass.answer->is_borrowed);
    presence.add(pass.answer && !pass.answer->note.empty());
    packer.number(presence.bits());
    packer.id(pass.effect);
    packer.number(pass.attempt);
    packer.time(pass.remembered_until);
    packer.bytes(pass.sent_key);
    packer.hash(pass.principal);
    if (pass.admitted_by != pass.effect) packer.id(pass.admitted_by);
    if (pass.dispatched_at) packer.time(*pass.dispatched_at);
    if (pass.twin) {
        packer.hash(pass.twin->claim);
        packer.number(to_int(pass.twin->token));
    }
    if (pass.answer) pack_answer(packer, *pass.answer);
}

Pass unpack_pass(Unpacker& unpacker) {
    Pass pass;
    Presence presence(unpacker.number());
    pass.effect = unpacker.id();
    pass.attempt = unpacker.integer();
    pass.remembered_until = unpacker.time();
    pass.sent_key = unpacker.string();
    pass.principal = unpacker.hash();
    pass.admitted_by = presence.next() ? unpacker.id() : pass.effect;
    if (presence.next()) pass.dispatched_at = unpacker.time();
    if (presence.next()) {
        Twin& twin = pass.twin.emplace();
        twin.claim = unpacker.hash();
        twin.token = Token{unpacker.number()};
    }
    if (presence.next()) pass.answer = unpack_answer(unpacker, presence);
    return pass;
}

void pack_effect(Packer& packer, const Effect& effect) {
    const bool has_source = !effect.source_type.empty() || !effect.source_id.empty();
    Presence presence;
    presence.add(effect.sealed_at.has_value());
    presence.add(has_source);
    presence.add(effect.version.has_value());
    presence.add(effect.ended_by.has_value());
    presence.add(effect.previous.has_value());
    presence.add(effect.has_content);
    presence.add(effect.pass.has_value());
    packer.number(presence.bits());
    packer.bytes(effect.id);
    packer.bytes(effect.rule);
    packer.time(effect.lease_until);
    packer.number(effect.lease.count());
    packer.number(effect.ttl.count());
    if (effect.sealed_at) packer.time(*effect.sealed_at);
    if (has_source) {
        packer.bytes(effect.source_type);
        packer.bytes(effect.source_id);
    }
    if (effect.version) packer.number(*effect.version);
    if (effect.ended_by) {
        packer.number(static_cast<int>(effect.ended_by->verb));
        packer.hash(effect.ended_by->content);
    }
    if (effect.previous) {
        packer.bytes(effect.previous->effect_id);
        packer.time(effect.previous->sealed_at);
        packer.time(effect.previous->until);
    }
    if (effect.pass) pack_pass(packer, *effect.pass);
}

Effect unpack_effect(Unpacker& unpacker) {
    Effect effect;
    Presence presence(unpacker.number());
    effect.id = unpacker.string();
    effect.rule = unpacker.string();
    effect.lease_until = unpacker.time();
    effect.lease = Millis(unpacker.number());
    effect.ttl = Millis(unpacker.number());
    if (presence.next()) effect.sealed_at = unpacker.time();
    if (presence.next()) {
        effect.source_type = unpacker.string();
        effect.source_id = unpacker.string();
    }
    if (presence.next()) effect.version = unpacker.number();
    if (presence.next()) {
        EndedBy& ended_by = effect.ended_by.emplace();
        ended_by.verb = static_cast<FenceVerb>(unpacker.integer());
        ended_by.content = unpacker.hash();
    }
    if (presence.next()) {
        Previous& previous = effect.previous.emplace();
        previous.effect_id = unpacker.string();
        previous.sealed_at = unpacker.time();
        previous.until = unpacker.time();
    }
    effect.has_content = presence.next();
    if (presence.next()) effect.pass = unpack_pass(unpacker);
    return effect;
}

}  // namespace

std::string pack_claim(const Claim& claim) {
    Presence presence;
    presence.add(claim.purged_as.has_value());
    presence.add(claim.fingerprint.has_value());
    presence.add(claim.receipt.has_value());
    presence.add(claim.effect.has_value());
    presence.add(claim.repeats != 0);
    Packer packer(is_plain(claim) ? kClaimVersionPlain : kClaimVersion);
    packer.number(presence.bits());
    packer.bytes(claim.tenant);
    packer.bytes(claim.space);
    packer.bytes(claim.full_key);
    packer.number(static_cast<int>(claim.state));
    packer.number(to_int(claim.token));
    packer.time(claim.created_at);
    packer.number(static_cast<std::int64_t>(claim.owners.size()));
    for (const Owner& owner : claim.owners) {
        packer.id(owner.job);
        packer.time(owner.window_from);
        packer.number(owner.is_successor ? 1 : 0);
    }
    if (claim.purged_as) packer.number(static_cast<int>(*claim.purged_as));
    if (claim.fingerprint) packer.hash(*claim.fingerprint);
    if (claim.receipt) packer.number(claim.receipt->status);
    if (claim.effect) pack_effect(packer, *claim.effect);
    if (claim.repeats != 0) packer.number(claim.repeats);
    return packer.take();
}

// The head is the version and the presence bits, in one byte or two.
std::string packed_claim_names(const std::string& tenant, const std::optional<std::string>& space) {
    Packer packer(kClaimVersion);
    packer.bytes(tenant);
    if (space) packer.bytes(*space);
    return packer.take().substr(1);
}

bool unpack_claim(std::string_view bytes, Claim& claim) {
    Unpacker unpacker(bytes, kClaimVersionFirst, kClaimVersion);
    Presence presence(unpacker.number());
    claim.tenant = unpacker.string();
    claim.space = unpacker.string();
    claim.full_key = unpacker.string();
    claim.state = static_cast<ClaimState>(unpacker.integer());
    claim.token = Token{unpacker.number()};
    claim.created_at = unpacker.time();
    claim.owners = unpacker.version() == kClaimVersionFirst
                       ? unpack_single_owner(unpacker, presence)
                       : unpack_owners(unpacker);
    if (presence.next()) claim.purged_as = static_cast<Status>(unpacker.integer());
    if (presence.next()) claim.fingerprint = unpacker.hash();
    if (presence.next()) claim.receipt = Receipt{unpacker.integer(), {}};
    if (presence.next()) claim.effect = unpack_effect(unpacker);
    if (presence.next()) claim.repeats = unpacker.number();
    return !unpacker.is_damaged();
}

}  // namespace semel
