#include "store/packing/packed.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

// Numbers that are stored must never change their meaning.
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
static_assert(static_cast<int>(Decision::uncertain) == 7);
static_assert(static_cast<int>(Decision::near_miss) == 8);
static_assert(static_cast<int>(Operation::run_now) == 0);
static_assert(static_cast<int>(Operation::retry) == 1);
static_assert(static_cast<int>(Operation::cancel) == 2);

//   decision := version presence at surface type key decision rule effectId token count
//               source_type source_id claim? reason? effect? otherClaim?
//   presence := claim, whether it was replaced, reason, effect, otherClaim
// Version 1 has no effect, version 2 no otherClaim. An entry gets the oldest version that fits it,
// so that an older node can read it.
constexpr char kDecisionVersion = 3;
constexpr char kDecisionVersionEffect = 2;
constexpr char kDecisionVersionFirst = 1;

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

char version_of(const DecisionEntry& entry) {
    if (entry.other_claim) return kDecisionVersion;
    return entry.effect.empty() ? kDecisionVersionFirst : kDecisionVersionEffect;
}

}  // namespace

std::string pack_decision(const DecisionEntry& entry) {
    Presence presence;
    presence.add(entry.claim.has_value());
    presence.add(entry.replaced);
    presence.add(!entry.reason.empty());
    presence.add(!entry.effect.empty());
    presence.add(entry.other_claim.has_value());
    Packer packer(version_of(entry));
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
    if (!entry.effect.empty()) packer.bytes(entry.effect);
    if (entry.other_claim) packer.hash(*entry.other_claim);
    return packer.take();
}

bool unpack_decision(std::string_view bytes, DecisionEntry& entry) {
    Unpacker unpacker(bytes, kDecisionVersionFirst, kDecisionVersion);
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
    if (presence.next()) entry.effect = unpacker.string();
    if (presence.next()) entry.other_claim = unpacker.hash();
    return !unpacker.is_damaged();
}

std::string pack_bulk_run(const BulkRun& bulk_run) {
    Presence presence;
    presence.add(bulk_run.cursor.has_value());
    presence.add(bulk_run.dry_run);
    Packer packer(kBulkRunVersion);
    packer.number(presence.bits());
    packer.number(static_cast<int>(bulk_run.operation));
    pack_filter(packer, bulk_run.filter);
    packer.time(bulk_run.created_at);
    packer.number(bulk_run.matched);
    packer.number(bulk_run.done);
    if (bulk_run.cursor) packer.id(*bulk_run.cursor);
    packer.number(static_cast<std::int64_t>(bulk_run.skipped.size()));
    for (const auto& [reason, count] : bulk_run.skipped) {
        packer.bytes(reason);
        packer.number(count);
    }
    return packer.take();
}

bool unpack_bulk_run(std::string_view bytes, BulkRun& bulk_run) {
    Unpacker unpacker(bytes, kBulkRunVersion);
    Presence presence(unpacker.number());
    bulk_run.operation = static_cast<Operation>(unpacker.integer());
    bulk_run.filter = unpack_filter(unpacker);
    bulk_run.created_at = unpacker.time();
    bulk_run.matched = unpacker.number();
    bulk_run.done = unpacker.number();
    if (presence.next()) bulk_run.cursor = unpacker.id();
    bulk_run.dry_run = presence.next();
    for (std::int64_t left = unpacker.number(); left > 0 && !unpacker.is_short(); --left) {
        std::string reason = unpacker.string();
        bulk_run.skipped[std::move(reason)] = unpacker.number();
    }
    return !unpacker.is_damaged();
}

}  // namespace semel
