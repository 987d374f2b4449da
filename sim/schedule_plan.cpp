#include "sim/schedule_plan.hpp"

#include "base/assert.hpp"
#include "core/json/json_writer.hpp"
#include "sim/plan.hpp"
#include "sim/random.hpp"

namespace semel::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kOtherDice = 0x5C4ED01E5ULL;
constexpr Millis kResumeAfter = 5s;  // after the faults: what is held must be able to go on
// After the faults, when no repeat of a request can be on its way any more, schedules end.
constexpr Millis kRemoveAfter = 14s;

const std::vector<std::string> kNames = {"s", "t"};
const std::vector<std::string> kGroups = {"g", "h"};  // those of other actions
const std::vector<std::string> kTypes = {std::string(kLocalType), std::string(kPulledType),
                                         std::string(kSharedType)};

// Within 50 steps of 25 hours, the longest that the clock steps.
const std::vector<RulePlan> kLongRules = {
    {"every-30-minutes", SlotRule::every(30min)},
    {"hourly", SlotRule::every(60min)},
    {"PT1H", SlotRule::every(60min)},
};
const std::vector<RulePlan> kShortRules = {
    {"PT1S", SlotRule::every(1s)},
    {"PT1.5S", SlotRule::every(1500ms)},
    {"PT2S", SlotRule::every(2s)},
    {"PT5S", SlotRule::every(5s)},
    {"*/2 * * * * *", SlotRule::each(2s), "UTC"},
    {"*/5 * * * * *", SlotRule::each(5s), "Europe/Berlin"},
};
const std::vector<RulePlan> kMiddleRules = {
    {"PT7S", SlotRule::every(7s)},
    {"PT15S", SlotRule::every(15s)},
    {"PT60S", SlotRule::every(60s)},
    {"PT1M", SlotRule::every(60s)},
    {"every-30-minutes", SlotRule::every(30min)},
    {"*/15 * * * * *", SlotRule::each(15s), "UTC"},
    {"* * * * *", SlotRule::each(60s), "Europe/Berlin"},
};

const RulePlan kNightRule = {"*/10 * 2 * * *", SlotRule::at_two(10s), "Europe/Berlin"};

class SchedulePlanner {
public:
    explicit SchedulePlanner(Plan& plan) : random_(plan.seed ^ kOtherDice), plan_(plan) {}

    void add() {
        if (random_.one_in(4)) add_schedules();
        if (random_.one_in(4)) add_bulk_runs();
    }

private:
    // ---- schedules ------------------------------------------------------------------------

    void add_schedules() {
        plan_.begin = random_.any_of(
            std::vector{plan_.begin, plan_.begin, kBerlinForward - 20s, kBerlinBack - 20s});
        const int names = random_.between(1, static_cast<int>(kNames.size()));
        for (const std::string& tenant : kTenants) {
            for (int i = 0; i < names && (tenant == kTenants[0] || random_.one_in(2)); ++i) {
                add_schedule(tenant, kNames[static_cast<std::size_t>(i)]);
            }
        }
    }

    void add_schedule(const std::string& tenant, const std::string& name) {
        ScheduleOrder order{ScheduleVerb::put, name, schedule()};
        Millis at = Millis(random_.below(static_cast<int>(plan_.duration.count()) / 4 + 1));
        // Several nodes start at once, and each makes what it needs.
        for (int nodes = random_.between(1, 4); nodes > 0; --nodes) {
            order.other_bytes = random_.one_in(4);
            request(at, tenant).order = order;
        }
        for (int i = random_.between(0, 7); i > 0; --i) {
            // Often close together, so that they meet in one batch, or with what runs.
            at += Millis(random_.below(
                random_.one_in(2) ? 200 : static_cast<int>(plan_.duration.count()) / 4));
            if (at < plan_.duration) request(at, tenant).order = next_order(order);
        }
        request(plan_.duration + kResumeAfter, tenant).order = {ScheduleVerb::resume, name};
        request(plan_.duration + kRemoveAfter, tenant).order = {ScheduleVerb::remove, name};
    }

    ScheduleOrder next_order(ScheduleOrder& latest) {
        switch (random_.below(10)) {
            case 0:
            case 1: return {ScheduleVerb::pause, latest.name};
            case 2:
            case 3: return {ScheduleVerb::resume, latest.name};
            case 4:
            case 5: return {ScheduleVerb::trigger, latest.name};
            case 6: return {ScheduleVerb::remove, latest.name};
            case 7: return latest;
            default: break;
        }
        if (random_.one_in(2)) {
            latest.plan = schedule();
        } else {
            latest.plan.number = ++numbers_;  // the rule stays
        }
        return latest;
    }

    SchedulePlan schedule() {
        SchedulePlan plan;
        plan.number = ++numbers_;
        plan.missed = static_cast<Missed>(random_.below(3));
        // Each of them in turn, after the clock went on by a day: not too many.
        const bool may_pile_up =
            plan.missed == Missed::all && plan_.faults.of(Fault::clock_step) > 0;
        const bool at_clock_change = plan_.begin >= kBerlinForward - 20s;
        plan.rule = random_.any_of(may_pile_up            ? kLongRules
                                   : plan_.duration > 30s ? kMiddleRules
                                                          : kShortRules);
        if (at_clock_change && random_.one_in(3)) plan.rule = kNightRule;
        plan.recurrence = random_.one_in(3) ? RecurrenceType::rolling : RecurrenceType::fixed;
        plan.type = random_.any_of(kTypes);
        if (random_.one_in(3)) plan.lock_group = random_.any_of(kGroups);
        plan.max_retries = random_.between(1, 3);
        plan.backoff.kind = Backoff::Kind::fixed;
        plan.backoff.base = Millis(random_.below(1'000));
        if (random_.one_in(3)) plan.timeout = Millis(random_.between(50, 4'000));
        if (random_.one_in(3)) plan.priority = random_.between(-2, 2);
        if (random_.one_in(4)) {
            plan.start_at = plan_.begin + Millis(random_.between(-20'000, 10'000));
        }
        if (may_pile_up) plan.start_at.reset();
        return plan;
    }

    // ---- many at once -----------------------------------------------------------------------

    void add_bulk_runs() {
        plan_.bulk_step = random_.any_of(std::vector{1, 2, 5, 200});
        for (int i = random_.between(1, 3); i > 0; --i) {
            // Soon after something was asked for: it is taken while the run comes by.
            const Millis at = random_.any_of(plan_.requests).at + Millis(random_.below(50));
            BulkPlan bulk;
            bulk.operation = static_cast<Operation>(random_.below(3));
            bulk.dry_run = random_.one_in(4);
            bulk.filter = filter(bulk.operation);
            request(at, random_.one_in(3) ? kTenants[1] : kTenants[0]).bulk = bulk;
        }
    }

    ActionFilter filter(Operation operation) {
        ActionFilter filter;
        if (random_.one_in(3)) filter.type = random_.any_of(kTypes);
        if (random_.one_in(4)) filter.lock_group = random_.any_of(kGroups);
        if (random_.one_in(5)) filter.schedule_name = random_.any_of(kNames);
        if (!random_.one_in(3)) {
            filter.status = operation == Operation::retry ? Status::cancelled : Status::pending;
        }
        return filter;
    }

    RequestPlan& request(Millis at, const std::string& tenant) {
        RequestPlan& request = plan_.requests.emplace_back();
        request.at = at;
        request.tenant = tenant;
        request.sends_max = 3;
        return request;
    }

    Random random_;
    Plan& plan_;
    int numbers_ = 0;
};

class SimZones final : public ZoneSource {
public:
    Result<std::shared_ptr<const TimeZone>> find(std::string_view name) override {
        if (name == "UTC") {
            return TimeZone::utc();
        }
        SEMEL_ASSERT(name == "Europe/Berlin");
        return berlin_;
    }

private:
    // A zone file without transitions, whose last line says it all.
    static std::shared_ptr<const TimeZone> read_berlin() {
        std::string header("TZif2");
        header.resize(44, '\0');
        header[39] = 1;  // one type
        const std::string type(6, '\0');
        return *TimeZone::parse("Europe/Berlin",
                                header + type + header + type + "\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    }

    std::shared_ptr<const TimeZone> berlin_ = read_berlin();
};

}  // namespace

std::string_view to_string(ScheduleVerb verb) {
    switch (verb) {
        case ScheduleVerb::put: return "put";
        case ScheduleVerb::pause: return "pause";
        case ScheduleVerb::resume: return "resume";
        case ScheduleVerb::trigger: return "trigger";
        case ScheduleVerb::remove: return "remove";
    }
    return "";
}

std::string SchedulePlan::payload(const std::string& tenant, bool other_bytes) const {
    JsonWriter json;
    std::string bytes =
        json.begin_object().member("s", number).member("tenant", tenant).end_object().take();
    if (other_bytes) bytes.insert(1, " ");
    return bytes;
}

std::string SchedulePlan::to_json(const std::string& tenant, bool other_bytes) const {
    JsonWriter json;
    json.begin_object().member("type", type);
    json.key("payload").raw(payload(tenant, other_bytes));
    json.member(rule.slots.is_cron() ? "cron" : "every", rule.text);
    if (rule.slots.is_cron()) json.member("timezone", rule.timezone);
    json.member("recurrenceType", semel::to_string(recurrence));
    json.member("missed", semel::to_string(missed));
    if (!lock_group.empty()) json.member("lockGroup", lock_group);
    json.member("maxRetries", max_retries);
    json.key("backoff").raw(backoff.to_json());
    if (timeout) json.member("timeoutMs", timeout->count());
    json.member("priority", priority);
    if (start_at) json.member("startAt", format_rfc3339(*start_at));
    return json.end_object().take();
}

ZoneSource& sim_zones() {
    static SimZones zones;
    return zones;
}

void plan_schedules(Plan& plan) {
    SchedulePlanner(plan).add();
}

}  // namespace semel::sim
