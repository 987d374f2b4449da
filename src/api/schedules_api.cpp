// Schedules: put, show, list, pause, resume, trigger, delete.
#include "api/action_json.hpp"
#include "api/page_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/json/member_reader.hpp"
#include "core/names.hpp"
#include "core/schedules/rule_words.hpp"
#include "core/schedules/schedule_request.hpp"

namespace semel {
namespace {

constexpr std::size_t kNextRuns = 5;

void write_text_or_null(JsonWriter& out, std::string_view name, const std::string& text) {
    out.key(name);
    text.empty() ? out.null() : out.string(text);
}

void write_spec(JsonWriter& out, const ScheduleSpec& spec) {
    out.member("type", spec.type);
    out.member_raw("payload", spec.payload);
    write_text_or_null(out, "every", spec.every);
    write_text_or_null(out, "cron", spec.cron);
    write_text_or_null(out, "timezone", spec.timezone);
    out.member("recurrenceType", to_string(spec.recurrence_type));
    out.member("missed", to_string(spec.missed));
    write_text_or_null(out, "lockGroup", spec.lock_group);
    out.member("maxRetries", spec.max_retries);
    out.member_raw("backoff", spec.backoff.to_json());
    out.key("timeoutMs");
    spec.timeout ? out.integer(spec.timeout->count()) : out.null();
    out.member("priority", spec.priority);
    write_time(out, "startAt", spec.start_at);
}

// Returns the latest used slot up to the slot of the current occurrence.
std::optional<Time> last_slot(const ScheduleView& view) {
    const Time until = view.current ? *view.current->occurrence->slot : from_ms(kTimeMaxMs);
    return view.schedule.last_come(until);
}

// Returns why the schedule has no current occurrence, or why it will have no next one.
std::string fault(const ScheduleView& view, const Result<Rule>& rule) {
    const bool is_lost = view.schedule.current && !view.current;
    if (is_lost) {
        return "the store has lost the current occurrence; put or resume the schedule to make "
               "another";
    }
    return rule || !view.schedule.fault.empty() ? view.schedule.fault : rule.error().message();
}

// Returns the next runs, without the slot of a running occurrence.
std::vector<Time> runs_to_come(const ScheduleView& view, const Rule& rule) {
    if (!view.current) {
        return {};
    }
    const Time slot = *view.current->occurrence->slot;
    const auto from =
        view.current->status == Status::pending ? std::optional(slot) : rule.after(slot);
    return from ? next_runs(rule, *from, kNextRuns) : std::vector<Time>();
}

// Writes the rule in words and its next runs.
void write_outlook(JsonWriter& out, const ScheduleView& view, const Result<Rule>& rule, Time now) {
    out.member("description", rule ? rule_in_words(*rule, now) : rule.error().message());
    out.begin_array("nextRuns");
    for (const Time run : rule ? runs_to_come(view, *rule) : std::vector<Time>()) {
        out.string(format_rfc3339(run));
    }
    out.end_array();
}

void write_schedule(JsonWriter& out, const ScheduleView& view, ZoneSource& zones, Time now) {
    const Schedule& schedule = view.schedule;
    const auto rule = schedule.rule(zones);
    out.begin_object();
    out.member("name", schedule.key.name);
    out.member("id", schedule.id.to_string());
    out.member("tenant", schedule.key.tenant);
    write_spec(out, schedule.spec);
    out.member("paused", schedule.is_paused);
    out.key("currentActionId");
    view.current ? out.string(view.current->id.to_string()) : out.null();
    write_time(out, "slot", view.current ? view.current->occurrence->slot : std::nullopt);
    write_time(out, "lastSlot", last_slot(view));
    write_text_or_null(out, "fault", fault(view, rule));
    write_outlook(out, view, rule, now);
    write_time(out, "createdAt", schedule.created_at);
    write_time(out, "updatedAt", schedule.updated_at);
    out.end_object();
}

std::string schedule_json(const ScheduleView& view, ZoneSource& zones, Time now) {
    JsonWriter out;
    write_schedule(out, view, zones, now);
    return out.take();
}

// Reads the name in the path. Returns nullopt after it has answered the problem.
std::optional<ScheduleKey> read_key(const Call& call) {
    auto name = net::percent_decode(call.value);
    if (!name || !is_name(*name)) {
        call.answer.problem(
            invalid("a schedule's name has 1 to 255 bytes of UTF-8, none of them a "
                    "control character; percent-encode it in the path"));
        return std::nullopt;
    }
    return ScheduleKey{call.caller.tenant, std::move(*name)};
}

auto view_receipt(const Call& call) {
    return [services = call.services](const ScheduleView& view) -> Receipt {
        return {.status = view.is_new ? 201 : 200,
                .body = schedule_json(view, *services->node.settings().zones,
                                      services->node.store().now())};
    };
}

// Reads a call without options: its body is {} or absent. Returns nullopt after it has answered the
// problem.
std::optional<ScheduleKey> read_call(Call& call) {
    auto key = read_key(call);
    const auto body = key ? call.read_body() : std::nullopt;
    if (!body) {
        return std::nullopt;
    }
    if (auto problem = MemberReader(body->root(), "").problem()) {
        call.answer.problem(*problem);
        return std::nullopt;
    }
    return key;
}

void set_paused(Call call, bool pause) {
    const auto key = read_call(call);
    if (!key) {
        return;
    }
    auto render = view_receipt(call);
    submit(std::move(call), PauseSchedule{*key, pause}, std::move(render));
}

}  // namespace

void put_schedule(Call&& call) {
    const auto key = read_key(call);
    const auto body = key ? call.read_body() : std::nullopt;
    if (!body) {
        return;
    }
    auto spec = read_schedule_request(body->root(), call.services->node.settings());
    if (auto* problem = std::get_if<Problem>(&spec)) {
        call.answer.problem(*problem);
        return;
    }
    auto render = view_receipt(call);
    submit(std::move(call), PutSchedule{*key, std::get<ScheduleSpec>(std::move(spec))},
           std::move(render));
}

void show_schedule(Call&& call) {
    const auto key = read_key(call);
    if (!key) {
        return;
    }
    call.services->node.store().reads().get_schedule(
        *key, [services = call.services,
               answer = std::move(call.answer)](const Result<std::optional<ScheduleView>>& found) {
            if (!found) {
                answer.error(found.error());
            } else if (!*found) {
                answer.problem(not_found("there is no schedule of this name"));
            } else {
                answer.json(200, schedule_json(**found, *services->node.settings().zones,
                                               services->node.store().now()));
            }
        });
}

void list_schedules(Call&& call) {
    QueryReader reader(call.request.query);
    WalkFields walk = {"schedules", call.caller.tenant};
    const auto read = read_id_page(reader, walk);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    const auto [limit, before] = std::get<IdPage>(read);
    call.services->node.store().reads().list_schedules(
        call.caller.tenant, before, limit + 1,
        [limit = limit, walk = std::move(walk), services = call.services,
         answer = std::move(call.answer)](const Result<std::vector<ScheduleView>>& found) {
            if (!found) {
                answer.error(found.error());
                return;
            }
            const Time now = services->node.store().now();
            const auto write = [&](JsonWriter& out, const ScheduleView& one) {
                write_schedule(out, one, *services->node.settings().zones, now);
            };
            answer.json(200, page_json(*found, limit, walk, write,
                                       [](const ScheduleView& one) { return one.schedule.id; }));
        });
}

void pause_schedule(Call&& call) {
    set_paused(std::move(call), true);
}

void resume_schedule(Call&& call) {
    set_paused(std::move(call), false);
}

void trigger_schedule(Call&& call) {
    const auto key = read_call(call);
    if (!key) {
        return;
    }
    submit(std::move(call), TriggerSchedule{*key}, [](const ActionView& action) -> Receipt {
        JsonWriter out;
        out.begin_object();
        out.member("id", action.job.id.to_string());
        out.key("action");
        write_action(out, action);
        out.end_object();
        return {.status = 201, .body = out.take()};
    });
}

void delete_schedule(Call&& call) {
    const auto key = read_key(call);
    if (!key) {
        return;
    }
    submit(std::move(call), DeleteSchedule{*key},
           [](const Schedule&) -> Receipt { return {.status = 204, .body = ""}; });
}

}  // namespace semel
