#include "sim/chain_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/uuid.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "sim/chain_steps.hpp"
#include "sim/plan.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kOtherDice = 0xC4A1ULL << 24;
constexpr int kFirstNumber = 30'000'000;  // of what clients ask for; workers count on from 40 M
const std::vector<std::string> kKeys = {"k", "kk"};

class ChainPlanner {
public:
    explicit ChainPlanner(Plan& plan)
        : random_(plan.seed ^ kOtherDice), plan_(plan), ids_([this] { return random_.next(); }) {}

    void add() {
        if (!random_.one_in(2)) {
            return;
        }
        plan_.chains = habits();
        for (int i = random_.between(3, random_.one_in(3) ? 40 : 15); i > 0; --i) add_order();
        if (random_.one_in(3)) add_ring();
        if (random_.one_in(4)) add_crowd();
        if (random_.one_in(3)) add_late_waits();
    }

private:
    ChainHabits habits() {
        ChainHabits habits;
        habits.any = true;
        habits.blocked = random_.between(0, 7);
        habits.inlined = random_.between(0, 6);
        habits.keyed = random_.between(0, 8);
        habits.longest = random_.between(0, random_.one_in(3) ? 6 : 2);
        habits.grouped = random_.one_in(3) ? random_.between(1, 5) : 0;
        habits.removes = random_.one_in(2);
        // What an action's key remembers of it is another matter: these are not deleted.
        habits.blocked_by_actions = !habits.removes && random_.one_in(2);
        habits.keys = random_.between(1, static_cast<int>(kKeys.size()));
        return habits;
    }

    bool in_ten(int times) { return random_.below(10) < times; }

    // ---- one by one -----------------------------------------------------------------------

    void add_order() {
        // Bursts: what comes together meets in one batch.
        if (!random_.one_in(3)) {
            last_at_ = Millis(random_.below(static_cast<int>(plan_.duration.count())));
        }
        RequestPlan& request = this->request(last_at_);
        ChainOrder& order = request.chain.emplace();
        const int chance = random_.below(20);
        if (chance < 11) {
            order.chains = chains();
            if (order.chains.front().key && random_.one_in(2)) again(request);
            return;
        }
        order.verb = chance < 16            ? ChainVerb::complete
                     : chance < 17          ? ChainVerb::await
                     : chance < 19          ? ChainVerb::cancel
                     : plan_.chains.removes ? ChainVerb::remove
                                            : ChainVerb::complete;
        // Soon after something was started.
        request.at += Millis(random_.below(random_.one_in(2) ? 100 : 2'000));
        order.target = random_.below(random_.one_in(2) ? 2 : 8);
        order.number = ++numbers_;
        order.cascade = random_.one_in(2);
        order.patience = Millis(random_.any_of(std::vector{0, 2'000, 20'000}));
        if (order.verb == ChainVerb::complete) complete(order);
        if (order.verb == ChainVerb::cancel && random_.one_in(2)) second_thoughts(request);
    }

    // What was cancelled is wanted after all: it waits again for what it waited for.
    void second_thoughts(const RequestPlan& cancelled) {
        RequestPlan retry;
        retry.at = cancelled.at + Millis(random_.below(random_.one_in(2) ? 10 : 2'000));
        retry.tenant = cancelled.tenant;
        retry.operation = Operation::retry;
        retry.target = cancelled.chain->target;
        plan_.requests.push_back(std::move(retry));
    }

    void complete(ChainOrder& order) {
        if (random_.one_in(5)) order.off_by = random_.one_in(2) ? -1 : 1;
        if (random_.one_in(3)) order.next = step(0);
        if (random_.one_in(6)) order.number = 0;  // no output
    }

    // Somebody else wants the same, at about that time.
    void again(const RequestPlan& first) {
        RequestPlan& request = plan_.requests.emplace_back(first);
        request.at += Millis(random_.below(random_.one_in(2) ? 20 : 4'000));
        ChainPlan chain = request.chain->chains.front();
        chain.first.number = ++numbers_;
        chain.first.blockers.clear();
        if (!random_.one_in(4)) chain.id.reset();
        chain.key->excludes = random_.one_in(3) ? random_.between(1, 2) : 0;
        request.chain->chains = {chain};
    }

    std::vector<ChainPlan> chains() {
        std::vector<ChainPlan> chains;
        for (int i = random_.one_in(4) ? random_.between(2, 3) : 1; i > 0; --i) {
            chains.push_back(chain(0));
        }
        return chains;
    }

    ChainPlan chain(int depth) {
        ChainPlan chain;
        chain.first = step(depth);
        chain.first.left = random_.between(0, plan_.chains.longest);
        if (in_ten(plan_.chains.keyed)) {
            ChainKeyPlan& key = chain.key.emplace();
            key.key = kKeys[static_cast<std::size_t>(random_.below(plan_.chains.keys))];
            if (random_.one_in(3)) key.scope = Scope::any;
            if (random_.one_in(4)) key.window = window();
            if (random_.one_in(4)) key.excludes = random_.between(1, 2);
        }
        if (random_.one_in(6)) chain.id = new_id();
        return chain;
    }

    Millis window() {
        const Millis window(1 + random_.below(8'000));
        const auto& longest = plan_.settings.key_retention;
        return longest ? std::min(window, *longest) : window;
    }

    StepPlan step(int depth) {
        StepPlan step = any_step(random_, plan_.chains, ++numbers_);
        if (!in_ten(plan_.chains.blocked)) {
            return step;
        }
        for (int i = random_.between(1, 3); i > 0; --i) {
            BlockerPlan& blocker = step.blockers.emplace_back();
            blocker.target = random_.below(random_.one_in(2) ? 2 : 8);
            if (depth < 2 && in_ten(plan_.chains.inlined)) {
                blocker.chain = std::make_shared<const ChainPlan>(chain(depth + 1));
            }
        }
        return step;
    }

    // ---- together -------------------------------------------------------------------------

    // Chains that wait for one another, all but the last two links of the ring, which two clients
    // want to close at the same moment.
    void add_ring() {
        const std::string& tenant = kTenants[0];
        const Millis at = Millis(random_.below(static_cast<int>(plan_.duration.count()) / 2));
        const int size = random_.one_in(3) ? 2 : 4;
        std::vector<ChainPlan> ring;
        for (int i = 0; i < size; ++i) {
            ChainPlan& chain = ring.emplace_back();
            chain.first = any_step(random_, plan_.chains, ++numbers_);
            chain.first.lock_group.clear();
            chain.first.delay = Millis(15'000);  // nobody works on it until then
            chain.id = new_id();
        }
        if (size == 4) {
            ring[1].first.blockers.push_back({.id = ring[2].id});
            ring[3].first.blockers.push_back({.id = ring[0].id});
        }
        start(at, tenant, {ring[0], ring[static_cast<std::size_t>(size) / 2]});
        if (size == 4) start(at + Millis(1'500), tenant, {ring[1], ring[3]});
        close(at + Millis(3'000), tenant, ring[0], ring[1]);
        const auto half = static_cast<std::size_t>(size) / 2;
        close(at + Millis(3'000 + random_.below(3)), tenant, ring[half],
              ring[(half + 1) % ring.size()]);
    }

    void start(Millis at, const std::string& tenant, std::vector<ChainPlan> chains) {
        RequestPlan& request = this->request(at);
        request.tenant = tenant;
        request.chain.emplace().chains = std::move(chains);
    }

    void close(Millis at, const std::string& tenant, const ChainPlan& from, const ChainPlan& to) {
        RequestPlan& request = this->request(at);
        request.tenant = tenant;
        ChainOrder& order = request.chain.emplace();
        order.verb = ChainVerb::complete;
        order.id = from.id;
        order.index = 0;
        order.next = any_step(random_, plan_.chains, ++numbers_);
        order.next->blockers = {{.id = to.id}};
    }

    // Many wait for one chain, and come while it ends.
    void add_crowd() {
        const std::string& tenant = kTenants[1];
        const Millis at = Millis(random_.below(static_cast<int>(plan_.duration.count()) / 2));
        ChainPlan wanted;
        wanted.first = any_step(random_, plan_.chains, ++numbers_);
        wanted.first.delay = Millis(4'000);
        wanted.id = new_id();
        start(at, tenant, {wanted});
        const Millis end = at + Millis(random_.one_in(2) ? 1'000 : 4'000);
        for (int i = random_.between(2, 6); i > 0; --i) {
            ChainPlan waiting;
            waiting.first = any_step(random_, plan_.chains, ++numbers_);
            waiting.first.blockers = {{.id = wanted.id}};
            start(end - Millis(random_.below(random_.one_in(2) ? 4 : 400)), tenant, {waiting});
        }
        if (random_.one_in(3)) {
            return;  // its workers end it
        }
        RequestPlan& request = this->request(end);
        request.tenant = tenant;
        ChainOrder& order = request.chain.emplace();
        order.verb = random_.one_in(4) ? ChainVerb::cancel : ChainVerb::complete;
        order.id = wanted.id;
        order.index = 0;
        order.number = ++numbers_;
    }

    // When no fault can come between any more, whoever waits must hear of it.
    void add_late_waits() {
        for (int i = 0; i < 3; ++i) {
            RequestPlan& request = this->request(plan_.duration + Millis(1 + random_.below(3'000)));
            request.sends_max = 1;
            ChainOrder& order = request.chain.emplace();
            order.verb = ChainVerb::await;
            order.target = i;
            order.patience = Millis(20'000);
        }
    }

    // ---------------------------------------------------------------------------------------

    JobId new_id() { return ids_.next(plan_.begin); }

    RequestPlan& request(Millis at) {
        RequestPlan& request = plan_.requests.emplace_back();
        request.at = at;
        request.tenant = random_.one_in(3) ? kTenants[1] : kTenants[0];
        request.sends_max = random_.between(1, 3);
        return request;
    }

    Random random_;
    Plan& plan_;
    UuidGenerator ids_;
    Millis last_at_{0};
    int numbers_ = kFirstNumber;
};

void write_blockers(JsonWriter& json, const std::string& tenant, const StepPlan& step) {
    if (step.blockers.empty()) {
        return;
    }
    json.key("blockers").begin_array();
    for (const BlockerPlan& blocker : step.blockers) {
        if (blocker.chain) {
            json.raw(blocker.chain->to_json(tenant));
        } else {
            json.string(blocker.id.value_or(JobId{}).to_string());
        }
    }
    json.end_array();
    json.member("onBlockerFailed", to_string(step.on_blocker_failed));
}

void write_options(JsonWriter& json, const std::string& tenant, const StepPlan& step) {
    if (step.delay) {
        json.key("schedule").begin_object().member("afterMs", step.delay->count()).end_object();
    }
    if (!step.lock_group.empty()) json.member("lockGroup", step.lock_group);
    if (step.max_retries) json.member("maxRetries", *step.max_retries);
    if (step.backoff) json.key("backoff").raw(step.backoff->to_json());
    if (step.timeout) json.member("timeoutMs", step.timeout->count());
    write_blockers(json, tenant, step);
}

void write_step(JsonWriter& json, const std::string& tenant, const StepPlan& step) {
    json.member("type", step.type);
    json.key("input").raw(step.input(tenant));
    write_options(json, tenant, step);
}

int member_of(const std::string& input, std::string_view name) {
    const auto document = json::Document::parse(input);
    const auto value =
        document && document->root().is_object() ? document->root().find(name) : std::nullopt;
    return value && value->is_number() ? std::stoi(std::string(value->raw())) : 0;
}

}  // namespace

std::string StepPlan::input(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object().member("n", number).member("tenant", tenant).member("left", left);
    return json.end_object().take();
}

std::string StepPlan::to_json(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object();
    write_step(json, tenant, *this);
    return json.end_object().take();
}

std::string StepPlan::options(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object();
    write_options(json, tenant, *this);
    return json.end_object().take();
}

std::optional<ChainTuple> ChainPlan::tuple(const std::string& tenant) const {
    return key ? std::optional(ChainTuple{tenant, first.type, key->key}) : std::nullopt;
}

std::string ChainPlan::to_json(const std::string& tenant) const {
    JsonWriter json;
    json.begin_object();
    write_step(json, tenant, first);
    if (id) json.member("id", id->to_string());
    if (key) {
        json.key("deduplication").begin_object().member("key", key->key);
        json.member("scope", to_string(key->scope));
        if (key->window) json.member("windowMs", key->window->count());
        json.key("excludeChainIds").begin_array();
        for (const JobId& chain : key->excluded) json.string(chain.to_string());
        json.end_array().end_object();
    }
    return json.end_object().take();
}

std::string_view to_string(ChainVerb verb) {
    switch (verb) {
        case ChainVerb::start: return "start";
        case ChainVerb::complete: return "complete";
        case ChainVerb::cancel: return "cancel";
        case ChainVerb::remove: return "remove";
        case ChainVerb::await: return "await";
    }
    return "";
}

std::optional<std::string> ChainOrder::output() const {
    return next || number == 0
               ? std::nullopt
               : std::optional(fmt::format("{{\"by\":\"client\",\"n\":{}}}", number));
}

std::string ChainOrder::to_text(const std::string& tenant) const {
    std::string text = fmt::format("{} chain", to_string(verb));
    for (const ChainPlan& chain : chains) text += " " + chain.to_json(tenant);
    if (verb != ChainVerb::start) {
        text += id ? " " + id->to_string() : fmt::format(" seen {}", target);
        text += fmt::format(" off by {}{}", off_by, cascade ? " cascade" : "");
    }
    if (next) text += " " + next->to_json(tenant);
    return text;
}

void change_content(ChainOrder& order, int by) {
    for (ChainPlan& chain : order.chains) chain.first.number += by;
    order.number += by;
    if (order.next) order.next->number += by;
}

int left_in(const std::string& input) {
    return member_of(input, "left");
}

int number_in(const std::string& input) {
    return member_of(input, "n");
}

void plan_chains(Plan& plan) {
    ChainPlanner(plan).add();
}

}  // namespace semel::sim
