#include "core/schedules/recurrence.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "core/schedules/interval.hpp"

namespace semel {
namespace {

std::optional<Time> plus(Time time, Millis interval) {
    const std::int64_t ms = to_ms(time);
    if (ms > kTimeMaxMs - interval.count()) return std::nullopt;
    return time + interval;
}

}  // namespace

Result<Rule> Rule::every(std::string_view text) {
    SEMEL_TRY(interval, parse_interval(text));
    return Rule(interval);
}

Result<Rule> Rule::cron(std::string_view expression, std::shared_ptr<const TimeZone> zone) {
    SEMEL_ASSERT(zone != nullptr);
    SEMEL_TRY(cron, Cron::parse(expression));
    return Rule(InZone{std::move(cron), std::move(zone)});
}

std::optional<Millis> Rule::interval() const {
    const auto* interval = std::get_if<Millis>(&when_);
    return interval == nullptr ? std::nullopt : std::optional(*interval);
}

Rule Rule::without(SpentSlots spent) const {
    Rule rule = *this;
    rule.spent_ = std::move(spent);
    return rule;
}

std::optional<Time> Rule::after(Time slot) const {
    const auto next = step(slot);
    return next ? unless_spent(*next) : next;
}

std::optional<Time> Rule::unless_spent(Time slot) const {
    std::optional<Time> free = slot;
    while (const SlotRange* spent = free ? spent_.around(*free) : nullptr) {
        free = step(last_step(*free, spent->last));
    }
    return free;
}

Time Rule::last_slot(Time slot, Time now) const {
    Time last = last_step(slot, now);
    for (const auto* spent = spent_.around(last); spent != nullptr && slot < spent->first;
         spent = spent_.around(last)) {
        last = last_step(slot, spent->first - Millis(1));
    }
    return last;
}

std::optional<Time> Rule::step(Time slot) const {
    if (const auto* cron = in_zone()) return cron->cron.next_after(slot, *cron->zone);
    return plus(slot, *interval());
}

Time Rule::last_step(Time slot, Time now) const {
    SEMEL_ASSERT(slot <= now);
    if (const auto* cron = in_zone()) {
        // A first slot at `startAt` need not be a match.
        return std::max(slot, cron->cron.last_at_or_before(now, *cron->zone).value_or(slot));
    }
    return slot + (now - slot) / *interval() * *interval();
}

bool Rule::operator==(const Rule& other) const {
    const auto* mine = in_zone();
    const auto* theirs = other.in_zone();
    if (mine == nullptr || theirs == nullptr) {
        return mine == theirs && interval() == other.interval();
    }
    return mine->cron == theirs->cron && mine->zone->name() == theirs->zone->name();
}

std::optional<Time> first_slot(const Rule& rule, std::optional<Time> start_at, Time now) {
    if (start_at) return start_at;
    return rule.in_zone() == nullptr ? now : rule.after(now);
}

std::optional<Time> next_slot(const Rule& rule, RecurrenceType type, Time slot, Time ended,
                              std::optional<Time> last) {
    const auto next = rule.after(type == RecurrenceType::fixed ? slot : ended);
    return next && last && *next <= *last ? rule.after(*last) : next;
}

std::optional<Time> slot_behind(const Rule& rule, std::optional<Time> last,
                                std::optional<Time> start_at, Time now) {
    if (!last && start_at && *start_at > now) return rule.unless_spent(*start_at);
    if (rule.in_zone() != nullptr) return rule.after(std::max(last.value_or(now), now));
    return last ? rule.after(*last) : rule.unless_spent(now);
}

std::optional<Time> apply_missed_policy(const Rule& rule, Missed missed, Time slot, Time now) {
    const auto next = rule.after(slot);
    const bool is_missed = next && *next <= now;
    if (!is_missed || missed == Missed::all) return slot;
    const Time last = rule.last_slot(slot, now);
    return missed == Missed::skip ? rule.after(last) : last;
}

std::optional<Time> slot_after_edit(const std::optional<Rule>& before, const Rule& after,
                                    const SlotEdit& edit, Time now) {
    if (before && *before == after) return edit.pending;
    const auto next = slot_behind(after, edit.last, edit.start_at, now);
    return next && *next < now ? after.unless_spent(now) : next;
}

std::vector<Time> next_runs(const Rule& rule, Time slot, std::size_t count) {
    std::vector<Time> runs;
    for (std::optional<Time> run = slot; run && runs.size() < count; run = rule.after(*run)) {
        runs.push_back(*run);
    }
    return runs;
}

}  // namespace semel
