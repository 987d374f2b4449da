#include "store/packed.hpp"
#include "store/row_pack.hpp"

namespace semel {
namespace {

// Numbers that are stored must never change their meaning.
static_assert(static_cast<int>(ClaimState::owned) == 0);
static_assert(static_cast<int>(ClaimState::sealed) == 1);
static_assert(static_cast<int>(AttemptEnd::completed) == 0);
static_assert(static_cast<int>(AttemptEnd::failed) == 1);
static_assert(static_cast<int>(AttemptEnd::timeout) == 2);
static_assert(static_cast<int>(AttemptEnd::lost) == 3);
static_assert(static_cast<int>(AttemptEnd::released) == 4);
static_assert(static_cast<int>(AttemptEnd::cancelled) == 5);
static_assert(static_cast<int>(Decision::new_) == 0);
static_assert(static_cast<int>(Decision::duplicate) == 1);
static_assert(static_cast<int>(Decision::in_flight) == 2);
static_assert(static_cast<int>(Decision::conflict) == 3);
static_assert(static_cast<int>(Decision::stale) == 4);
static_assert(static_cast<int>(Decision::takeover) == 5);
static_assert(static_cast<int>(Decision::resolved) == 6);
static_assert(static_cast<int>(Operation::run) == 0);
static_assert(static_cast<int>(Operation::retry) == 1);
static_assert(static_cast<int>(Operation::cancel) == 2);

//   claim := version presence tenant space full_key state token createdAt
//            owners (count, then job, windowFrom and whether it is a successor each)
//            purgedAs? fingerprint? receiptStatus?
// Version 1 had one owner at most: `windowFrom owner?` instead, and a bit for it in front.
constexpr char kClaimVersion = 2;
constexpr char kClaimVersionFirst = 1;

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

//   decision := version presence at surface type key decision rule effectId token count
//               source_type source_id claim? reason?
//   presence := claim, whether it was replaced, reason
constexpr char kDecisionVersion = 1;

//   bulk run := version presence operation filter createdAt matched done cursor?
//               skipped (count, then reason and number each)
//   presence := cursor, and whether it is a dry run
//   filter   := presence status? type? lockGroup? chain? from? to? scheduleName?
constexpr char kBulkRunVersion = 1;

void pack_filter(Packer& packer, const ActionFilter& filter) {
    Presence presence;
    presence.add(filter.status.has_value());
    presence.add(filter.type.has_value());
    presence.add(filter.lock_group.has_value());
    presence.add(filter.chain.has_value());
    presence.add(filter.from.has_value());
    presence.add(filter.to.has_value());
    presence.add(filter.schedule_name.has_value());
    packer.number(presence.bits());
    if (filter.status) packer.number(static_cast<int>(*filter.status));
    if (filter.type) packer.bytes(*filter.type);
    if (filter.lock_group) packer.bytes(*filter.lock_group);
    if (filter.chain) packer.id(*filter.chain);
    if (filter.from) packer.time(*filter.from);
    if (filter.to) packer.time(*filter.to);
    if (filter.schedule_name) packer.bytes(*filter.schedule_name);
}

ActionFilter unpack_filter(Unpacker& unpacker) {
    ActionFilter filter;
    Presence presence(unpacker.number());
    if (presence.next()) filter.status = static_cast<Status>(unpacker.integer());
    if (presence.next()) filter.type = unpacker.string();
    if (presence.next()) filter.lock_group = unpacker.string();
    if (presence.next()) filter.chain = unpacker.id();
    if (presence.next()) filter.from = unpacker.time();
    if (presence.next()) filter.to = unpacker.time();
    if (presence.next()) filter.schedule_name = unpacker.string();
    return filter;
}

}  // namespace

std::string pack_claim(const Claim& claim) {
    Presence presence;
    presence.add(claim.purged_as.has_value());
    presence.add(claim.fingerprint.has_value());
    presence.add(claim.receipt.has_value());
    Packer packer(kClaimVersion);
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
    return packer.take();
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
    return !unpacker.is_damaged();
}

std::string pack_decision(const DecisionEntry& entry) {
    Presence presence;
    presence.add(entry.claim.has_value());
    presence.add(entry.replaced);
    presence.add(!entry.reason.empty());
    Packer packer(kDecisionVersion);
    packer.number(presence.bits());
    packer.time(entry.at);
    packer.bytes(entry.surface);
    packer.bytes(entry.type);
    packer.bytes(entry.key);
    packer.number(static_cast<int>(entry.decision));
    packer.bytes(entry.rule);
    packer.id(entry.effect_id);
    packer.number(to_int(entry.token));
    packer.number(entry.count);
    packer.bytes(entry.source_type);
    packer.bytes(entry.source_id);
    if (entry.claim) packer.hash(*entry.claim);
    if (!entry.reason.empty()) packer.bytes(entry.reason);
    return packer.take();
}

bool unpack_decision(std::string_view bytes, DecisionEntry& entry) {
    Unpacker unpacker(bytes, kDecisionVersion);
    Presence presence(unpacker.number());
    entry.at = unpacker.time();
    entry.surface = unpacker.string();
    entry.type = unpacker.string();
    entry.key = unpacker.string();
    entry.decision = static_cast<Decision>(unpacker.integer());
    entry.rule = unpacker.string();
    entry.effect_id = unpacker.id();
    entry.token = Token{unpacker.number()};
    entry.count = unpacker.number();
    entry.source_type = unpacker.string();
    entry.source_id = unpacker.string();
    if (presence.next()) entry.claim = unpacker.hash();
    entry.replaced = presence.next();
    if (presence.next()) entry.reason = unpacker.string();
    return !unpacker.is_damaged();
}

std::string pack_bulk_run(const BulkRun& run) {
    Presence presence;
    presence.add(run.cursor.has_value());
    presence.add(run.dry_run);
    Packer packer(kBulkRunVersion);
    packer.number(presence.bits());
    packer.number(static_cast<int>(run.operation));
    pack_filter(packer, run.filter);
    packer.time(run.created_at);
    packer.number(run.matched);
    packer.number(run.done);
    if (run.cursor) packer.id(*run.cursor);
    packer.number(static_cast<std::int64_t>(run.skipped.size()));
    for (const auto& [reason, count] : run.skipped) {
        packer.bytes(reason);
        packer.number(count);
    }
    return packer.take();
}

bool unpack_bulk_run(std::string_view bytes, BulkRun& run) {
    Unpacker unpacker(bytes, kBulkRunVersion);
    Presence presence(unpacker.number());
    run.operation = static_cast<Operation>(unpacker.integer());
    run.filter = unpack_filter(unpacker);
    run.created_at = unpacker.time();
    run.matched = unpacker.number();
    run.done = unpacker.number();
    if (presence.next()) run.cursor = unpacker.id();
    run.dry_run = presence.next();
    for (std::int64_t left = unpacker.number(); left > 0 && !unpacker.is_short(); --left) {
        std::string reason = unpacker.string();
        run.skipped[std::move(reason)] = unpacker.number();
    }
    return !unpacker.is_damaged();
}

}  // namespace semel
