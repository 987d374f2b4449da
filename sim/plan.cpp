#include "sim/plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/json/json_writer.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

constexpr int kFaultlessSeeds = 12;  // one in so many runs without faults

const std::vector<std::string> kTypes = {std::string(kLocalType), std::string(kPulledType),
                                         std::string(kSharedType)};
// Names that run together when they are written one after another.
const std::vector<std::pair<std::string, std::string>> kEntities = {
    {"a", "bc"}, {"ab", "c"}, {"", "abc"}, {"a", "1"}, {"order", "7"}};
const std::vector<std::string> kKeys = {"k", "kk", "key"};
const std::vector<std::string> kGroups = {"g", "h"};

class Planner {
public:
    explicit Planner(std::uint64_t seed) : random_(seed) { plan_.seed = seed; }

    Plan make() {
        choose_settings();
        choose_faults();
        choose_habits();
        const int requests = random_.between(5, random_.one_in(4) ? 60 : 25);
        for (int i = 0; i < requests; ++i) {
            plan_.requests.push_back(request());
            if (plan_.requests.back().operation == Operation::cancel && random_.one_in(2)) {
                plan_.requests.push_back(second_thoughts(plan_.requests.back()));
            }
        }
        plan_schedules(plan_);
        plan_chains(plan_);
        std::stable_sort(plan_.requests.begin(), plan_.requests.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
        add_workers();
        choose_nodes();
        plan_users(plan_);
        plan_fences(plan_);
        plan_receipts(plan_);
        return std::move(plan_);
    }

private:
    void choose_settings() {
        plan_.duration = Millis(random_.any_of(std::vector{3'000, 10'000, 30'000, 120'000}));
        plan_.network_delay = Millis(random_.any_of(std::vector{0, 2, 20, 400}));
        plan_.store_delay = Millis(random_.any_of(std::vector{0, 0, 1, 20}));
        plan_.concurrency = random_.between(1, 4);
        plan_.settings.zones = &sim_zones();
        plan_.settings.decision_retention.reset();  // all of it is counted at the end
        plan_.settings.default_timeout = Millis(random_.between(1'000, 6'000));
        if (random_.one_in(2)) {
            plan_.settings.job_retention =
                Millis(random_.one_in(2) ? 0 : random_.between(0, 20'000));
        }
        if (random_.one_in(3)) {
            plan_.settings.key_retention = Millis(random_.between(10'000, 60'000));
        } else if (random_.one_in(4)) {
            plan_.settings.key_retention.reset();
        }
    }

    void choose_faults() {
        if (random_.one_in(kFaultlessSeeds)) {
            return;
        }
        const std::vector<double> rates = {0.01, 0.05, 0.2};
        for (const FaultName& fault : kFaults) {
            const double rate = random_.any_of(rates);
            if (random_.one_in(3)) {
                plan_.faults.set(fault.fault, rate);
            }
        }
    }

    // What this seed's clients like to do; other seeds like other things.
    void choose_habits() {
        keys_per_seed_ = random_.between(1, static_cast<int>(kEntities.size()));
        keyed_ = random_.between(1, 10);
        grouped_ = random_.between(0, 10);
        guarded_ = random_.one_in(2) ? 0 : random_.between(1, 5);
        operators_ = random_.one_in(3) ? 0 : random_.between(1, 4);
        backoff_max_ = random_.any_of(std::vector{1, 500, 3'000});
        window_max_ = random_.any_of(std::vector{200, 3'000, 9'000, 60'000});
        if (plan_.settings.key_retention) {
            const auto longest = plan_.settings.key_retention->count();
            window_max_ = static_cast<int>(std::min<std::int64_t>(window_max_, longest));
        }
        is_hot_ = random_.one_in(4);
        repeats_ = random_.between(0, 3);
    }

    bool in_ten(int times) { return random_.below(10) < times; }

    RequestPlan request() {
        RequestPlan request;
        // Bursts: requests that come together meet in one batch.
        last_at_ = random_.one_in(2)
                       ? last_at_
                       : Millis(random_.below(static_cast<int>(plan_.duration.count())));
        request.at = last_at_;
        request.tenant = random_.one_in(3) ? kTenants[1] : kTenants[0];
        request.sends_max = 1 + repeats_;
        if (in_ten(operators_)) {
            request.operation = static_cast<Operation>(random_.below(3));
            request.force = random_.one_in(2);
            request.foreign = random_.one_in(8);
            request.target = random_.below(random_.one_in(2) ? 2 : 10);
            request.sends_max = 1;
            // Soon after something was asked for.
            request.at += Millis(random_.below(random_.one_in(2) ? 100 : 2'000));
            return request;
        }
        const int items = random_.one_in(5) ? random_.between(2, 5) : 1;
        for (int i = 0; i < items; ++i) {
            request.items.push_back(item());
        }
        request.guarded = in_ten(guarded_);
        if (request.items.front().key && random_.one_in(6)) {
            request.edge_ms = random_.between(-1, 1);
        }
        return request;
    }

    // What was cancelled is wanted after all.
    RequestPlan second_thoughts(RequestPlan cancelled) {
        cancelled.operation = Operation::retry;
        cancelled.force = random_.one_in(2);
        cancelled.at += Millis(random_.below(random_.one_in(2) ? 10 : 2'000));
        return cancelled;
    }

    ItemPlan item() {
        ItemPlan item;
        item.number = ++numbers_;
        item.type = is_hot_ ? kTypes[plan_.seed % kTypes.size()] : random_.any_of(kTypes);
        if (in_ten(keyed_)) item.key = key();
        if (random_.one_in(4)) item.delay = Millis(random_.below(5'000));
        if (in_ten(grouped_)) item.lock_group = random_.any_of(kGroups);
        item.max_retries = random_.between(1, random_.one_in(5) ? 8 : 3);
        item.backoff = backoff();
        if (random_.one_in(3)) item.timeout = Millis(random_.between(50, 4'000));
        if (random_.one_in(3)) item.priority = random_.between(-2, 2);
        return item;
    }

    Backoff backoff() {
        Backoff backoff;
        backoff.kind = static_cast<Backoff::Kind>(random_.below(4));
        backoff.base = Millis(random_.below(backoff_max_ + 1));
        backoff.max = Millis(backoff_max_ * 4);
        return backoff;
    }

    KeyPlan key() {
        KeyPlan key;
        key.is_explicit = !is_hot_ && random_.one_in(4);
        if (key.is_explicit) {
            key.first = random_.any_of(kKeys);
        } else {
            const auto& entity =
                kEntities[static_cast<std::size_t>(random_.below(is_hot_ ? 1 : keys_per_seed_))];
            key.first = entity.first;
            key.second = entity.second;
        }
        key.with_field = !is_hot_ && random_.one_in(6);
        key.field = random_.one_in(2) ? "x" : "y";
        // Half of them at the one length that everybody likes, so that ends of windows meet.
        key.window = Millis(random_.one_in(2) ? window_max_ : 1 + random_.below(window_max_));
        key.scope = random_.one_in(2) ? Scope::pending : static_cast<Scope>(random_.below(3));
        key.on_duplicate =
            random_.one_in(2) ? OnDuplicate::replace : static_cast<OnDuplicate>(random_.below(4));
        if (random_.one_in(3)) key.max_wait = Millis(1 + random_.below(window_max_ * 2));
        return key;
    }

    void add_workers() {
        for (const std::string& tenant : kTenants) {
            for (int i = random_.between(1, 2); i > 0; --i) {
                WorkerPlan worker;
                worker.tenant = tenant;
                worker.types = {std::string(kPulledType), std::string(kSharedType)};
                worker.max = random_.between(1, 3);
                worker.lease = Millis(random_.between(300, 5'000));
                worker.wait = Millis(random_.any_of(std::vector{0, 1'000, 20'000}));
                worker.heartbeats = !random_.one_in(4);
                plan_.workers.push_back(std::move(worker));
            }
        }
    }

    // A third has one node with one committer, as on SQLite.
    void choose_nodes() {
        plan_.nodes = random_.one_in(2) ? 1 : random_.between(2, 3);
        plan_.committers = plan_.nodes == 1 && !random_.one_in(3) ? 1 : random_.between(1, 3);
    }

    Random random_;
    Plan plan_;
    int numbers_ = 0;
    Millis last_at_{0};
    int keys_per_seed_ = 1;
    int keyed_ = 0;  // these: times in ten
    int grouped_ = 0;
    int guarded_ = 0;
    int operators_ = 0;
    int backoff_max_ = 0;
    int window_max_ = 0;
    bool is_hot_ = false;  // everybody wants the same
    int repeats_ = 0;
};

void write_deduplication(JsonWriter& json, const std::optional<KeyPlan>& key) {
    if (!key) {
        json.key("deduplication").boolean(false);
        return;
    }
    json.key("deduplication").begin_object();
    if (key->is_explicit) json.member("key", key->first);
    if (key->with_field) {
        json.key("keyFields").begin_array().string("/kind").end_array();
    }
    json.key("windowSeconds").number(static_cast<double>(key->window.count()) / 1000);
    json.member("scope", to_string(key->scope));
    json.member("onDuplicate", to_string(key->on_duplicate));
    if (key->max_wait) json.member("maxWaitMs", key->max_wait->count());
    json.end_object();
}

}  // namespace

std::optional<KeyTuple> ItemPlan::tuple(const std::string& tenant) const {
    if (!key) {
        return std::nullopt;
    }
    return KeyTuple{tenant,
                    type,
                    key->is_explicit ? "key" : "entity",
                    key->first,
                    key->is_explicit ? "" : key->second,
                    key->with_field ? "kind=" + key->field : ""};
}

std::string ItemPlan::payload(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object().member("n", number).member("tenant", tenant);
    if (key && !key->is_explicit) {
        json.member("entityType", key->first).member("entityId", key->second);
    }
    if (key && key->with_field) json.member("kind", key->field);
    return json.end_object().take();
}

std::string ItemPlan::to_json(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object().member("type", type);
    json.key("payload").raw(payload(tenant));
    if (delay) json.member("delayMs", delay->count());
    if (!lock_group.empty()) json.member("lockGroup", lock_group);
    json.member("maxRetries", max_retries);
    json.key("backoff").raw(backoff.to_json());
    if (timeout) json.member("timeoutMs", timeout->count());
    json.member("priority", priority);
    write_deduplication(json, key);
    return json.end_object().take();
}

Plan make_plan(std::uint64_t seed) {
    return seed < kFirstPassSeed ? Planner(seed).make() : make_pass_plan(seed);
}

std::string to_text(const Plan& plan) {
    std::string text = fmt::format(
        "seed {}: {} nodes with {} committers, {} requests, {} workers, {} s, network {} ms, store "
        "{} ms, {} handlers, {} in ten settle in transactions of up to {} ms\n",
        plan.seed, plan.nodes, plan.committers, plan.requests.size(), plan.workers.size(),
        plan.duration.count() / 1000, plan.network_delay.count(), plan.store_delay.count(),
        plan.concurrency, plan.settles_in_ten, plan.user_delay.count());
    for (const FaultName& fault : kFaults) {
        if (plan.faults.of(fault.fault) > 0) {
            text += fmt::format("  fault {} {}\n", fault.name, plan.faults.of(fault.fault));
        }
    }
    for (const RequestPlan& request : plan.requests) {
        text += fmt::format("  {:>8.3f} {}", static_cast<double>(request.at.count()) / 1000,
                            request.tenant);
        for (const ItemPlan& item : request.items) text += " " + item.to_json(request.tenant);
        if (request.operation) {
            text += fmt::format(" operation {} on {}{}", static_cast<int>(*request.operation),
                                request.target, request.force ? " force" : "");
        }
        if (request.order) {
            text += fmt::format(" {} {}", to_string(request.order->verb), request.order->name);
            if (request.order->verb == ScheduleVerb::put) {
                text += " " + request.order->plan.to_json(request.tenant, false);
            }
        }
        if (request.bulk) {
            text += fmt::format(" {}{} all of {}", request.bulk->dry_run ? "would " : "",
                                to_string(request.bulk->operation), request.bulk->filter.to_json());
        }
        if (request.chain) text += " " + request.chain->to_text(request.tenant);
        text += "\n";
    }
    for (const UserPlan& user : plan.users) {
        text += fmt::format("  {:>8.3f} {} in a transaction{}{}",
                            static_cast<double>(user.at.count()) / 1000, user.tenant,
                            user.rolls_back ? " that is rolled back" : "",
                            user.is_unreadable ? ", unreadably" : "");
        for (const ItemPlan& item : user.items) text += " " + item.to_json(user.tenant);
        for (const ChainPlan& chain : user.chains) text += " chain " + chain.to_json(user.tenant);
        text += "\n";
    }
    return text + to_text(plan.fences) + to_text(plan.passes);
}

}  // namespace semel::sim
