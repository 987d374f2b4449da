#include "support/random_commands.hpp"

#include <fmt/format.h>

#include "core/dedup_key.hpp"
#include "support/rows.hpp"

namespace semel::test {
namespace {

constexpr int kKeys = 20;
constexpr int kHotKeys = 4;
const std::vector<std::string> kTypes = {"mail", "bill"};
const std::vector<std::string> kGroups = {"g", "h"};

Key key_of(const std::string& tenant, int number) {
    return make_key(tenant, "actions", {"any", std::to_string(number)});
}

std::string problem_text(const Problem& problem) {
    return fmt::format("{} '{}' {} {} {}", to_string(problem.code), problem.detail,
                       problem.existing_id ? problem.existing_id->to_string() : "-",
                       problem.state ? to_string(*problem.state) : "-", problem.diff_json);
}

std::string item_text(const ScheduledAction& answer) {
    std::string text =
        fmt::format("{} replaced {} differs {} purged {} {}", to_string(answer.decision),
                    answer.replaced, answer.payload_differs, answer.purged, to_text(answer.action));
    for (const std::string& name : answer.ignored) text += " ignored " + name;
    if (answer.successor_of) text += " successor of " + answer.successor_of->to_string();
    return text;
}

std::string item_text(const JobAnswer& answer) {
    return fmt::format("{} {} {} {}", answer.id.to_string(), to_string(answer.status),
                       to_int(answer.token), answer.lease_until ? to_ms(*answer.lease_until) : 0);
}

std::string item_text(const TakenJob& taken) {
    return to_text(taken.job) + taken.payload;
}

template <typename T>
std::string item_text(const Item<T>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    return problem != nullptr ? problem_text(*problem) : item_text(std::get<T>(item));
}

template <typename T>
std::string outcome_text(const std::vector<T>& items) {
    std::string text;
    for (const auto& item : items) text += "\n    " + item_text(item);
    return text;
}

std::string outcome_text(const ActionView& view) {
    return to_text(view);
}

std::string outcome_text(const UpkeepOutcome& outcome) {
    return fmt::format("{} more {} next {}", outcome.count, outcome.more,
                       outcome.next_at ? to_ms(*outcome.next_at) : 0);
}

}  // namespace

std::string to_text(const AnyReply& reply) {
    return std::visit(
        [](const auto& one) {
            const auto* problem = std::get_if<Problem>(&one);
            return problem != nullptr ? problem_text(*problem) : outcome_text(std::get<0>(one));
        },
        reply);
}

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
    }
    return ids;
}

int RandomCommands::below(int limit) {
    return static_cast<int>(engine_() % static_cast<std::uint64_t>(limit));
}

Millis RandomCommands::pause() {
    return one_in(3) ? Millis(0) : Millis(below(one_in(20) ? 60'000 : 1'500));
}

std::vector<AnyCommand> RandomCommands::next_batch() {
    std::vector<AnyCommand> batch;
    for (int i = below(4); i >= 0; --i) {
        batch.push_back(next());
    }
    return batch;
}

AnyCommand RandomCommands::next() {
    const int dice = below(100);
    if (dice < 40) return schedule();
    if (dice < 58) return take();
    if (dice < 76) return settle();
    if (dice < 84) return operate();
    if (dice < 88) return PromoteDue{.limit = 1 + below(5)};
    if (dice < 92) return RescueExpired{.limit = 1 + below(5)};
    if (dice < 99) {
        return PruneJobs{.retention = Millis(one_in(3) ? below(20'000) : 0),
                         .limit = 1 + below(20)};
    }
    return PruneClaims{.limit = 1 + below(5)};
}

ScheduleActions RandomCommands::schedule() {
    ScheduleActions command{any_of(tenants()), {}};
    for (int i = below(3); i >= 0; --i) {
        command.items.emplace_back(request(command.tenant));
    }
    return command;
}

ActionRequest RandomCommands::request(const std::string& tenant) {
    ActionRequest request;
    request.type = any_of(kTypes);
    request.payload = fmt::format("{{\"n\":{}}}", one_in(3) ? 0 : ++payloads_);
    request.max_retries = 1 + below(3);
    request.backoff = Backoff{one_in(2) ? Backoff::Kind::fixed : Backoff::Kind::jitter,
                              Millis(below(3'000)), 2.0, Millis(10'000)};
    if (one_in(3)) request.delay = Millis(below(4'000));
    if (one_in(2)) request.lock_group = any_of(kGroups);
    if (one_in(3)) request.priority = below(5) - 2;
    if (one_in(3)) request.timeout = Millis(below(3'000));
    if (!one_in(3)) request.deduplication = deduplication(tenant);
    return request;
}

Deduplication RandomCommands::deduplication(const std::string& tenant) {
    const Key key = key_of(tenant, below(one_in(2) ? kHotKeys : kKeys));
    Deduplication wanted;
    wanted.claim = key.claim;
    wanted.full_key = key.full_key;
    wanted.window = Millis(1 + below(one_in(4) ? 60'000 : 6'000));
    wanted.scope = static_cast<Scope>(below(3));
    wanted.on_duplicate = static_cast<OnDuplicate>(below(4));
    wanted.max_wait = wanted.window * 3;
    return wanted;
}

TakeJobs RandomCommands::take() {
    TakeJobs command;
    if (one_in(2)) command.query.tenant = any_of(tenants());
    command.query.types = one_in(2) ? kTypes : std::vector{any_of(kTypes)};
    command.query.limit = 1 + below(4);
    command.query.after_tenant = one_in(2) ? "" : any_of(tenants());
    command.worker = fmt::format("w{}", below(3));
    command.lease = Millis(100 + below(5'000));
    return command;
}

SettleJobs RandomCommands::settle() {
    SettleJobs command{any_of(tenants()), {}};
    for (int i = below(3); i >= 0 && !taken_.empty(); --i) {
        const Job& job = any_of(taken_);
        command.tenant = one_in(20) ? command.tenant : job.tenant;
        command.calls.emplace_back(call(job));
    }
    return command;
}

JobCall RandomCommands::call(const Job& job) {
    JobCall call;
    call.id = job.id;
    call.token = one_in(10) ? Token{to_int(job.token) - 1} : job.token;
    call.verb = static_cast<Verb>(below(4));
    call.lease = Millis(100 + below(5'000));
    if (one_in(2)) call.output = "[1, 2]";
    if (one_in(2)) call.error = "no";
    if (one_in(4)) call.retry_after = Millis(below(2'000));
    call.final = one_in(6);
    return call;
}

AnyCommand RandomCommands::operate() {
    if (seen_.empty()) {
        return PromoteDue{};
    }
    const Job& job = any_of(seen_);
    return OperateAction{.tenant = job.tenant,
                         .id = job.id,
                         .operation = static_cast<Operation>(below(3)),
                         .force = one_in(2)};
}

void RandomCommands::learn(const AnyReply& reply) {
    if (const auto* scheduled = std::get_if<Reply<ScheduleActions>>(&reply)) {
        for (const auto& item : std::get<0>(*scheduled)) {
            const auto* answer = std::get_if<ScheduledAction>(&item);
            if (answer != nullptr && !answer->purged) seen_.push_back(answer->action.job);
        }
    }
    if (const auto* jobs = std::get_if<Reply<TakeJobs>>(&reply)) {
        for (const TakenJob& one : std::get<0>(*jobs)) taken_.push_back(one.job);
    }
    // The young are the interesting ones; an old one now and then.
    constexpr std::size_t kRemembered = 25;
    for (auto* jobs : {&seen_, &taken_}) {
        while (jobs->size() > kRemembered) {
            jobs->erase(jobs->begin() + below(10));
        }
    }
}

}  // namespace semel::test
