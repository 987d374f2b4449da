// What a schedule makes of its occurrences: which slot each has, one at a time, and always a next.
//
// Puts, pauses and deletions are seen in their order. An occurrence that ends, or whose slot is
// moved because it was missed, is seen in the answers and rows that show it.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {
namespace {

using namespace std::chrono_literals;

constexpr Millis kSecondPass = 1h;

std::optional<Time> slot_of(const Job& job) {
    return job.occurrence ? job.occurrence->slot : std::nullopt;
}

Time settled(const SchedulePlan& plan, const PastSlots& past, Time slot, Time now) {
    return settled(plan.rule.slots.without(past.early), plan.missed, slot, now);
}

// No run has so many of them that they are joined.
std::set<Time> had_of(const SpentSlots& spent) {
    std::set<Time> slots;
    for (const SlotRange& range : spent.ranges()) {
        slots.insert({range.first, range.last});
    }
    return slots;
}

}  // namespace

void Checker::begin_lines() {
    edited_.clear();
    removed_.clear();
    reopened_ = retried_;
    for (const Decided& decided : batch_->decided) {
        const auto* operation = std::get_if<DecidedOperation>(&decided.what);
        if (operation != nullptr && operation->command.operation == Operation::retry &&
            std::holds_alternative<ActionView>(operation->reply)) {
            reopened_.insert(operation->command.id);
        }
    }
    for (auto& [key, line] : lines_) {
        line.was_held = line.is_paused;
        line.was_put = false;
    }
}

// A schedule that one batch made and deleted met no other node's on its way into the store: it came
// before that one.
void Checker::end_lines() {
    lines_.merge(made_since_);
    for (const auto& [key, line] : made_since_) {
        fail(Invariant::one_occurrence,
             fmt::format("{} was made, although another node had made it", key.name));
    }
}

// ---- what is asked of schedules -----------------------------------------------------------------

void Checker::check_order(const Decided& decided, const DecidedOrder& order) {
    const ScheduleKey key{decided.tenant, order.order.name};
    context_.trace.line("decided {} of {} {}", to_string(order.order.verb), key.tenant, key.name);
    switch (order.order.verb) {
        case ScheduleVerb::put:
            check_put(key, order.order, std::get<Reply<PutSchedule>>(order.reply));
            break;
        case ScheduleVerb::pause:
        case ScheduleVerb::resume:
            check_pause(key, order.order.verb == ScheduleVerb::pause,
                        std::get<Reply<PutSchedule>>(order.reply));
            break;
        case ScheduleVerb::trigger:
            check_trigger(key, std::get<Reply<TriggerSchedule>>(order.reply));
            break;
        case ScheduleVerb::remove:
            check_remove(key, std::get<Reply<DeleteSchedule>>(order.reply));
            break;
    }
}

// Null: there is none, and rightly so, or something is wrong.
Checker::Line* Checker::line_for(const ScheduleKey& key, const Problem* problem) {
    const auto line = lines_.find(key);
    const bool is_known = line != lines_.end();
    if (problem != nullptr && is_known && line->second.made_by > batch_->began_after) {
        return nullptr;  // another node has made it since this one polled
    }
    if (problem != nullptr && (is_known || problem->code != ProblemCode::not_found)) {
        fail(Invariant::one_occurrence,
             fmt::format("a request for {} was refused: {}", key.name, problem->detail));
    } else if (problem == nullptr && !is_known) {
        fail(Invariant::one_occurrence, fmt::format("{} obeys, and was deleted", key.name));
    }
    return problem == nullptr && is_known ? &line->second : nullptr;
}

void Checker::check_put(const ScheduleKey& key, const ScheduleOrder& order,
                        const Reply<PutSchedule>& reply) {
    const auto* view = std::get_if<ScheduleView>(&reply);
    auto known = lines_.find(key);
    const bool was_made_since =
        known != lines_.end() && known->second.made_by > batch_->began_after;
    if (view != nullptr && view->is_new && was_made_since) {
        // By another node, after this one polled. The save will tell, unless it is deleted again.
        made_since_.insert(lines_.extract(known));
        known = lines_.end();
    }
    if (view == nullptr || !view->current || view->is_new != (known == lines_.end())) {
        fail(Invariant::one_occurrence,
             fmt::format("a put of {} is refused, makes a second one, or leaves it without an "
                         "occurrence",
                         key.name));
        return;
    }
    if (view->is_new) {
        make_line(key, order, *view);
        return;
    }
    Line& line = known->second;
    catch_up(line, view->current->id);
    if (line.plan == order.plan) {
        context_.sometimes.hit(Sometimes::schedule_put_by_several_nodes);
    } else {
        edit_line(line, order, *view->current);
    }
    see_slot(line, *view->current);
}

void Checker::make_line(const ScheduleKey& key, const ScheduleOrder& order,
                        const ScheduleView& view) {
    const SchedulePlan& plan = order.plan;
    Line line;
    line.id = view.schedule.id;
    line.plan = plan;
    line.payload = plan.payload(key.tenant, order.other_bytes);
    const SlotRule& rule = plan.rule.slots;
    const Time first = plan.start_at.value_or(rule.is_cron() ? rule.after(now()) : now());
    line.slot = settled(plan, line.past, first, now());
    line.current = view.current->id;
    line.made_by = commits_;
    learn_occurrence(line.current, line, line.slot);
    if (!violation_) {
        see_slot(line, *view.current);
        lines_.emplace(key, line);
    }
}

// What has not been taken changes in place; otherwise the next one is the first to be otherwise.
void Checker::edit_line(Line& line, const ScheduleOrder& order, const Job& current) {
    const SchedulePlan& plan = order.plan;
    const bool keeps_slot = line.plan.rule.slots == plan.rule.slots;
    if (keeps_slot || current.was_taken()) {
        see_slot(line, current);
    }
    line.plan = plan;
    line.payload = plan.payload(current.tenant, order.other_bytes);
    line.was_put = true;
    Tracked* job = find(line.current);
    if (current.was_taken() || job == nullptr) {
        context_.sometimes.hit(Sometimes::schedule_put_while_running);
        return;
    }
    edited_.insert(line.current);
    job->payload = line.payload;
    if (!keeps_slot) {
        context_.sometimes.hit(Sometimes::schedule_rule_edited);
        move_slot(line, edited(plan.rule.slots, line.past, plan.start_at, now()));
    }
}

void Checker::check_pause(const ScheduleKey& key, bool pause, const Reply<PutSchedule>& reply) {
    Line* line = line_for(key, std::get_if<Problem>(&reply));
    if (line == nullptr) {
        return;
    }
    const auto& view = std::get<ScheduleView>(reply);
    if (!view.current || view.schedule.is_paused != pause) {
        fail(Invariant::one_occurrence, fmt::format("{} is not what it was asked to be", key.name));
        return;
    }
    catch_up(*line, view.current->id);
    if (pause && view.current->status == Status::running) {
        context_.sometimes.hit(Sometimes::schedule_paused_while_running);
    }
    const bool resumes = line->is_paused && !pause;
    if (resumes && !view.current->was_taken()) {
        if (line->plan.rule.slots.without(line->past.early).after(line->slot) <= now()) {
            context_.sometimes.hit(Sometimes::resumed_past_missed_slots);
        }
        const Time slot = settled(line->plan, line->past, line->slot, now());
        if (slot != line->slot) move_slot(*line, slot);
    }
    line->is_paused = pause;
    line->was_held = line->was_held && pause;
    see_slot(*line, *view.current);
}

void Checker::check_trigger(const ScheduleKey& key, const Reply<TriggerSchedule>& reply) {
    const Line* line = line_for(key, std::get_if<Problem>(&reply));
    if (line == nullptr) {
        return;
    }
    const Job& job = std::get<ActionView>(reply).job;
    if (line->is_paused) context_.sometimes.hit(Sometimes::schedule_triggered_while_paused);
    if (slot_of(job) || job.place == Place::paused) {
        fail(Invariant::slots, fmt::format("{} was triggered, and stands in line", name(job.id)));
    }
    learn_occurrence(job.id, *line, now());
}

void Checker::check_remove(const ScheduleKey& key, const Reply<DeleteSchedule>& reply) {
    Line* line = line_for(key, std::get_if<Problem>(&reply));
    if (line == nullptr) {
        return;
    }
    const auto& schedule = std::get<Schedule>(reply);
    catch_up(*line, schedule.current.value_or(line->current));
    const Tracked* job = find(line->current);
    if (job != nullptr && job->row.status == Status::running &&
        ended_attempt(job->row.id) == nullptr) {
        context_.sometimes.hit(Sometimes::schedule_deleted_while_running);
    } else {
        operated_.insert(line->current);  // it is cancelled
    }
    removed_.push_back(line->current);
    lines_.erase(key);
}

// ---- from one occurrence to the next ------------------------------------------------------------

void Checker::catch_up(Line& line, const JobId& current) {
    if (line.current != current) {
        follow(line, current);
    }
}

void Checker::follow(Line& line, const JobId& next) {
    const Job* ended = row_after(line.current);
    const bool is_reopened = reopened_.contains(line.current);
    // One that is cancelled and retried in the same instant is left as it was.
    if (ended == nullptr && is_reopened) ended = &jobs_.at(line.current).row;
    if (ended == nullptr || (!is_final(ended->status) && !is_reopened)) {
        fail(Invariant::one_occurrence, fmt::format("{} has {} as its next, and has not ended",
                                                    name(line.current), name(next)));
        return;
    }
    end_slot(line, *ended);
    count_end(line, *ended);
    const SlotRule& rule = line.plan.rule.slots;
    const Time slot = following(rule, line.plan.recurrence, line.slot, line.past, now());
    const Time after_missed = settled(line.plan, line.past, slot, now());
    if (after_missed != slot) {
        context_.sometimes.hit(line.plan.missed == Missed::skip
                                   ? Sometimes::missed_slots_skipped
                                   : Sometimes::missed_slots_to_the_latest);
    } else if (rule.without(line.past.early).after(slot) <= now()) {
        context_.sometimes.hit(Sometimes::missed_slots_run_in_turn);
    }
    if (rule == SlotRule::at_two(10s)) {
        if (slot == kBerlinForward) context_.sometimes.hit(Sometimes::slot_at_the_end_of_a_gap);
        if (line.slot < kBerlinBack && slot > kBerlinBack + kSecondPass) {
            context_.sometimes.hit(Sometimes::slots_of_the_second_pass_left_out);
        }
    }
    line.slot = after_missed;
    line.current = next;
    learn_occurrence(next, line, line.slot);
}

// A rolling occurrence that ends before its time shows when it ended, from then on.
void Checker::end_slot(Line& line, const Job& ended) {
    // Perhaps it became due in this batch too, and its slot was missed and put off: then it ended
    // before that one.
    const Time put_off = settled(line.plan, line.past, line.slot, now());
    const bool may_move = !jobs_.at(line.current).row.was_taken() && !line.was_held;
    if (may_move && put_off > now() && line.slot <= now() && slot_of(ended) != line.slot &&
        slot_of(ended) == PastSlots(line.past).end(line.plan.recurrence, put_off, now())) {
        line.slot = put_off;
    }
    const bool has_come = line.slot <= now();
    if (has_come) see_slot(line, ended);
    const Time kept = line.past.end(line.plan.recurrence, line.slot, now());
    if (!has_come) {
        context_.sometimes.hit(kept == line.slot ? Sometimes::slot_spent_before_its_time
                                                 : Sometimes::slot_given_back);
        line.slot = kept;
        see_slot(line, ended);
    }
}

void Checker::count_end(const Line& line, const Job& ended) {
    if (ended.status == Status::failed) {
        context_.sometimes.hit(Sometimes::successor_after_a_failure);
    }
    if (ended.status == Status::cancelled) {
        context_.sometimes.hit(Sometimes::successor_after_a_cancel);
    }
    const Tracked* job = find(line.current);
    if (job != nullptr && job->born_in != processes_) {
        context_.sometimes.hit(Sometimes::successor_after_a_crash);
    }
}

// The slot that is shown: as it was, or where the missed policy moved it when it became due.
void Checker::see_slot(Line& line, const Job& current) {
    const Tracked* job = find(line.current);
    const auto shown = slot_of(current);
    if (violation_ || job == nullptr || shown == line.slot) {
        return;
    }
    const bool may_move = !job->row.was_taken() && !line.was_held;
    if (!shown || !may_move || *shown != settled(line.plan, line.past, line.slot, now())) {
        fail(Invariant::slots,
             fmt::format("{} has the slot {} at {}, and should have {}", name(current.id),
                         shown ? to_ms(*shown) : 0, to_ms(now()), to_ms(line.slot)));
        return;
    }
    context_.sometimes.hit(line.plan.missed == Missed::skip
                               ? Sometimes::missed_slots_skipped
                               : Sometimes::missed_slots_to_the_latest);
    // In the same batch an operator may have brought it to now, after it was put off.
    const Time not_before = job->not_before;
    move_slot(line, *shown);
    if (operated_.contains(line.current)) {
        Tracked* moved = find(line.current);
        moved->not_before = std::min(moved->not_before, not_before);
    }
}

void Checker::move_slot(Line& line, Time slot) {
    context_.trace.line("slot of {} moves by {} ms", name(line.current),
                        (slot - line.slot).count());
    line.slot = slot;
    if (Tracked* job = find(line.current)) job->not_before = slot;
}

void Checker::learn_occurrence(const JobId& id, const Line& line, Time not_before) {
    const Job* row = row_after(id);
    if (row == nullptr || find(id) != nullptr) {
        fail(Invariant::one_occurrence,
             fmt::format("{} is to be new, and is not saved or was there before", name(id)));
        return;
    }
    Tracked job;
    job.row = *row;
    job.payload = line.payload;
    job.not_before = not_before;
    job.born_in = processes_;
    jobs_.emplace(id, std::move(job));
}

// ---- what a commit leaves -----------------------------------------------------------------------

void Checker::check_lines() {
    for (const auto& change : batch_->changes->schedules) {
        if (change.after && !lines_.contains(change.after->key)) {
            fail(Invariant::one_occurrence,
                 fmt::format("{} is there, and was not asked for", change.after->key.name));
        }
    }
    for (auto& [key, line] : lines_) {
        if (!violation_) check_line(key, line);
    }
    if (!violation_) check_removed();
}

void Checker::check_line(const ScheduleKey& key, Line& line) {
    const auto& changes = batch_->changes->schedules;
    const auto change = std::find_if(changes.begin(), changes.end(), [&](const auto& one) {
        return one.after && one.after->key == key;
    });
    if (change != changes.end()) {
        const Schedule& row = *change->after;
        if (row.current) catch_up(line, *row.current);
        const bool is_right = row.id == line.id && row.current == line.current &&
                              row.is_paused == line.is_paused && row.last_slot == line.past.last &&
                              had_of(row.spent) == line.past.early;
        if (!is_right) {
            fail(
                Invariant::one_occurrence,
                fmt::format("{} is not as it was asked for, or has died: {}", key.name, row.fault));
        }
    }
    const Job* after = row_after(line.current);
    const Tracked* job = find(line.current);
    if (violation_ || after == nullptr || job == nullptr) {
        return;
    }
    if (is_final(after->status)) {
        fail(Invariant::one_occurrence,
             fmt::format("{} of {} has ended, and there is no next", name(after->id), key.name));
        return;
    }
    see_slot(line, *after);
    if (!after->was_taken()) check_made_from(line.plan, after->id);
    const bool becomes_ready = after->place == Place::ready && job->row.place != Place::ready;
    if (becomes_ready && job->row.place == Place::waiting) {
        context_.sometimes.hit(Sometimes::occurrence_waited_for_its_group);
    }
    if (becomes_ready && !after->was_taken() && !line.was_put &&
        settled(line.plan, line.past, line.slot, now()) != line.slot) {
        fail(Invariant::slots,
             fmt::format("{} is due for a slot that was missed", name(after->id)));
    }
}

// A pending occurrence goes with its schedule.
void Checker::check_removed() {
    for (const JobId& id : removed_) {
        const Tracked* job = find(id);
        const Job* after = row_after(id);
        const Status is = after != nullptr ? after->status : job->row.status;
        if (is == Status::pending && ended_attempt(id) == nullptr && !reopened_.contains(id)) {
            fail(Invariant::one_occurrence,
                 fmt::format("{} waits, and its schedule was deleted", name(id)));
        }
    }
}

void Checker::check_made_from(const SchedulePlan& plan, const JobId& id) {
    const Job& job = *row_after(id);
    const bool is_right = job.type == plan.type && job.lock_group == plan.lock_group &&
                          job.max_retries == plan.max_retries && job.timeout == plan.timeout &&
                          job.priority == plan.priority && job.backoff == plan.backoff &&
                          job.occurrence->interval == plan.rule.text &&
                          job.occurrence->type == plan.recurrence;
    if (!is_right) {
        fail(Invariant::last_payload, fmt::format("{} is not as its schedule says", name(id)));
    }
}

void Checker::apply_schedules() {
    for (const auto& change : batch_->changes->schedules) {
        if (change.after) {
            schedules_[change.after->key] = *change.after;
        } else {
            schedules_.erase(change.before->key);
        }
    }
}

}  // namespace semel::sim
