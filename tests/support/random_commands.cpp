#include "support/random_commands.hpp"

#include <fmt/format.h>

#include "core/keys/dedup_key.hpp"

namespace semel::test {
namespace {

constexpr int kKeys = 20;
constexpr int kHotKeys = 4;
const std::vector<std::string> kTypes = {"mail", "bill"};
const std::vector<std::string> kGroups = {"g", "h"};

Key key_of(const std::string& tenant, int number) {
    return make_key(tenant, "actions", {"any", std::to_string(number)});
}

}  // namespace

std::vector<std::string> RandomCommands::tenants() {
    return {"acme", "zeta"};
}

std::vector<GroupKey> RandomCommands::groups() {
    std::vector<GroupKey> keys;
    for (const auto& tenant : tenants()) {
        for (const auto& name : kGroups) keys.push_back({tenant, name});
    }
    return keys;
}

std::vector<ClaimId> RandomCommands::claims() {
    std::vector<ClaimId> ids;
    for (const auto& tenant : tenants()) {
        for (int number = 0; number < kKeys; ++number) ids.push_back(key_of(tenant, number).claim);
        for (const ClaimId& id : RandomChains::claims(tenant)) ids.push_back(id);
        for (const ClaimId& id : RandomFences::claims(tenant)) ids.push_back(id);
    }
    return ids;
}

std::vector<SourceKey> RandomCommands::sources() {
    std::vector<SourceKey> keys;
    for (const auto& tenant : tenants()) {
        for (SourceKey& key : RandomFences::sources(tenant)) keys.push_back(std::move(key));
    }
    return keys;
}

RandomCommands::RandomCommands(Dice dice)
    : dice_(std::move(dice)),
      schedules_(tenants(), kTypes, kGroups),
      bulk_(tenants(), kTypes, kGroups),
      chains_(tenants(), kTypes, kGroups),
      fences_(tenants()) {}

Millis RandomCommands::pause() {
    if (dice_.one_in(3)) return Millis(0);
    if (dice_.one_in(12)) return Millis(dice_.below(5'400'000));  // past slots of schedules
    return Millis(dice_.below(dice_.one_in(20) ? 60'000 : 1'500));
}

std::vector<AnyCommand> RandomCommands::next_batch(BulkSource& source) {
    std::vector<AnyCommand> batch;
    for (int i = dice_.below(4); i >= 0; --i) {
        batch.push_back(next(source));
    }
    return batch;
}

AnyCommand RandomCommands::next(BulkSource& source) {
    const int chance = dice_.below(112);
    if (chance >= 100) return fences_.next(dice_);
    if (chance < 22) return schedule();
    if (chance < 34) return schedules_.next(dice_);
    if (chance < 39) return bulk_.next(dice_, source);
    if (chance < 51) return chains_.next(dice_);
    if (chance < 67) return take();
    if (chance < 82) return settle();
    if (chance < 88) return operate();
    return upkeep();
}

AnyCommand RandomCommands::upkeep() {
    const int chance = dice_.below(15);
    if (chance < 5) return PromoteDue{.limit = 1 + dice_.below(5)};
    if (chance < 8) return RescueExpired{.limit = 1 + dice_.below(5)};
    if (chance < 11) {
        return PruneJobs{.retention = Millis(dice_.one_in(3) ? dice_.below(20'000) : 0),
                         .limit = 1 + dice_.below(20)};
    }
    if (chance < 12) return PruneBulkRuns{.retention = Millis(0), .limit = 1 + dice_.below(3)};
    if (chance < 14) return FailDependants{.limit = 1 + dice_.below(2)};
    return PruneClaims{.limit = 1 + dice_.below(5)};
}

ScheduleActions RandomCommands::schedule() {
    ScheduleActions command{dice_.any_of(tenants()), {}};
    for (int i = dice_.below(3); i >= 0; --i) {
        command.items.emplace_back(request(command.tenant));
    }
    return command;
}

ActionRequest RandomCommands::request(const std::string& tenant) {
    ActionRequest request;
    request.type = dice_.any_of(kTypes);
    request.payload = fmt::format("{{\"n\":{}}}", dice_.one_in(3) ? 0 : ++payloads_);
    request.max_retries = 1 + dice_.below(3);
    request.backoff = Backoff{dice_.one_in(2) ? Backoff::Kind::fixed : Backoff::Kind::jitter,
                              Millis(dice_.below(3'000)), 2.0, Millis(10'000)};
    if (dice_.one_in(3)) request.delay = Millis(dice_.below(4'000));
    if (dice_.one_in(2)) request.lock_group = dice_.any_of(kGroups);
    if (dice_.one_in(3)) request.priority = dice_.below(5) - 2;
    if (dice_.one_in(3)) request.timeout = Millis(dice_.below(3'000));
    if (!dice_.one_in(3)) request.deduplication = deduplication(tenant);
    return request;
}

Deduplication RandomCommands::deduplication(const std::string& tenant) {
    const Key key = key_of(tenant, dice_.below(dice_.one_in(2) ? kHotKeys : kKeys));
    Deduplication wanted;
    wanted.claim = key.claim;
    wanted.full_key = key.full_key;
    wanted.window = Millis(1 + dice_.below(dice_.one_in(4) ? 60'000 : 6'000));
    wanted.scope = static_cast<Scope>(dice_.below(3));
    wanted.on_duplicate = static_cast<OnDuplicate>(dice_.below(4));
    wanted.max_wait = wanted.window * 3;
    return wanted;
}

TakeJobs RandomCommands::take() {
    TakeJobs command;
    if (dice_.one_in(2)) command.query.tenant = dice_.any_of(tenants());
    command.query.types = dice_.one_in(2) ? kTypes : std::vector{dice_.any_of(kTypes)};
    command.query.limit = 1 + dice_.below(4);
    command.query.after_tenant = dice_.one_in(2) ? "" : dice_.any_of(tenants());
    command.worker = fmt::format("w{}", dice_.below(3));
    command.lease = Millis(100 + dice_.below(5'000));
    return command;
}

SettleJobs RandomCommands::settle() {
    SettleJobs command{dice_.any_of(tenants()), {}};
    for (int i = dice_.below(3); i >= 0 && !taken_.empty(); --i) {
        const Job& job = dice_.any_of(taken_);
        command.tenant = dice_.one_in(20) ? command.tenant : job.tenant;
        command.calls.emplace_back(call(job));
    }
    return command;
}

JobCall RandomCommands::call(const Job& job) {
    JobCall call;
    call.id = job.id;
    call.token = dice_.one_in(10) ? Token{to_int(job.token) - 1} : job.token;
    call.verb = static_cast<Verb>(dice_.below(4));
    call.lease = Millis(100 + dice_.below(5'000));
    if (call.verb == Verb::complete && dice_.one_in(3)) {
        call.continue_with = chains_.continuation(dice_, job.tenant);
    } else if (dice_.one_in(2)) {
        call.output = "[1, 2]";
    }
    if (dice_.one_in(2)) call.error = "no";
    if (dice_.one_in(4)) call.retry_after = Millis(dice_.below(2'000));
    call.final = dice_.one_in(6);
    return call;
}

AnyCommand RandomCommands::operate() {
    if (seen_.empty()) {
        return PromoteDue{};
    }
    const Job& job = dice_.any_of(seen_);
    if (dice_.one_in(8)) {
        return ResolveAction{.tenant = job.tenant,
                             .id = job.id,
                             .resolution = static_cast<Resolution>(dice_.below(3)),
                             .reason = "seen"};
    }
    return OperateAction{.tenant = job.tenant,
                         .id = job.id,
                         .operation = static_cast<Operation>(dice_.below(3)),
                         .force = dice_.one_in(2)};
}

void RandomCommands::learn(const Job& job) {
    seen_.push_back(job);
    chains_.learn(job.tenant, job.chain);
}

void RandomCommands::learn(const ChainView& chain) {
    learn(chain.last);
}

void RandomCommands::learn(const AnyReply& reply) {
    if (const auto* scheduled = outcome_of<ScheduleActions::Outcome>(reply)) {
        for (const auto& item : *scheduled) {
            const auto* answer = std::get_if<ScheduledAction>(&item);
            if (answer != nullptr && !answer->purged) learn(answer->action.job);
        }
    }
    if (const auto* started = outcome_of<StartChains::Outcome>(reply)) {
        for (const auto& item : *started) {
            const auto* answer = std::get_if<StartedChain>(&item);
            if (answer != nullptr && !answer->purged) learn(answer->chain);
        }
    }
    if (const auto* chain = outcome_of<ChainView>(reply)) learn(*chain);
    if (const auto* jobs = outcome_of<TakeJobs::Outcome>(reply)) {
        for (const TakenJob& one : *jobs) taken_.push_back(one.job);
    }
    if (const auto* action = outcome_of<ActionView>(reply)) seen_.push_back(action->job);
    if (const auto* schedule = outcome_of<ScheduleView>(reply)) {
        if (schedule->current) seen_.push_back(*schedule->current);
    }
    if (const auto* run = outcome_of<BulkRun>(reply)) bulk_.learn(*run);
    fences_.learn(reply);
    // The young are the interesting ones; an old one now and then.
    constexpr std::size_t kRemembered = 25;
    for (auto* jobs : {&seen_, &taken_}) {
        while (jobs->size() > kRemembered) {
            jobs->erase(jobs->begin() + dice_.below(10));
        }
    }
}

}  // namespace semel::test
