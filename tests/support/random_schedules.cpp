#include "support/random_schedules.hpp"

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kNames = {"s", "t", "u"};

void give_rule(Dice& dice, ScheduleSpec& spec) {
    switch (dice.below(4)) {
        case 0: spec.every = "PT1H"; break;
        case 1:
            spec.every = "PT7M";
            spec.recurrence_type = RecurrenceType::rolling;
            break;
        case 2: spec.every = "PT1M"; break;
        default:
            spec.cron = "*/20 * * * *";
            spec.timezone = "UTC";
            spec.recurrence_type = static_cast<RecurrenceType>(dice.below(2));
            break;
    }
}

}  // namespace

AnyCommand RandomSchedules::next(Dice& dice) {
    const ScheduleKey key{dice.any_of(tenants_), dice.any_of(kNames)};
    const int chance = dice.below(100);
    if (chance < 40) return put(dice, key);
    if (chance < 75) return PauseSchedule{.key = key, .pause = dice.one_in(2)};
    if (chance < 92) return TriggerSchedule{key};
    return DeleteSchedule{key};
}

PutSchedule RandomSchedules::put(Dice& dice, const ScheduleKey& key) {
    const auto sent = sent_.find(key);
    if (sent == sent_.end() || !dice.one_in(3)) {
        return {key, sent_[key] = spec(dice)};
    }
    PutSchedule command{key, sent->second};
    if (dice.one_in(2)) command.spec.payload += " ";  // the same content in other bytes
    return command;
}

ScheduleSpec RandomSchedules::spec(Dice& dice) {
    ScheduleSpec spec;
    give_rule(dice, spec);
    spec.type = dice.any_of(types_);
    spec.payload = fmt::format("{{\"of\":{}}}", dice.below(3));
    spec.missed = static_cast<Missed>(dice.below(3));
    spec.max_retries = 1 + dice.below(3);
    spec.backoff = Backoff{Backoff::Kind::fixed, Millis(dice.below(3'000)), 2.0, Millis(10'000)};
    if (!dice.one_in(3)) spec.lock_group = dice.any_of(groups_);
    if (dice.one_in(3)) spec.timeout = Millis(dice.below(3'000));
    if (dice.one_in(3)) spec.priority = dice.below(5) - 2;
    if (dice.one_in(4)) spec.start_at = kStart + dice.below(600) * 1min;
    return spec;
}

}  // namespace semel::test
