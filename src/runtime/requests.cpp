#include "runtime/requests.hpp"

#include "core/action_request.hpp"
#include "core/json.hpp"
#include "core/json_writer.hpp"
#include "core/names.hpp"
#include "core/schedule_request.hpp"

namespace semel {
namespace {

void write_deduplication(JsonWriter& json, const DeduplicationSpec& spec) {
    if (!spec.enabled) {
        json.member("deduplication", false);
        return;
    }
    json.begin_object("deduplication");
    json.member_if("key", spec.key);
    json.begin_array("keyFields");
    for (const std::string& pointer : spec.key_fields) {
        json.string(pointer);
    }
    json.end_array();
    if (spec.window) {
        json.member("windowSeconds", static_cast<double>(spec.window->count()) / 1000.0);
    }
    json.member("scope", to_string(spec.scope));
    json.member("onDuplicate", to_string(spec.on_duplicate));
    if (spec.max_wait) {
        json.member("maxWaitMs", spec.max_wait->count());
    }
    json.end_object();
}

// What actions and schedules have in common. Payload and backoff were checked before: as raw text
// they could break out of their members.
template <typename Spec>
void write_work(JsonWriter& json, const Spec& spec) {
    json.member("type", spec.type).member_raw("payload", spec.payload);
    if (!spec.lock_group.empty()) json.member("lockGroup", spec.lock_group);
    json.member_if("maxRetries", spec.max_retries);
    if (!spec.backoff.empty()) json.member_raw("backoff", spec.backoff);
    if (spec.timeout) json.member("timeoutMs", spec.timeout->count());
    json.member("priority", spec.priority);
}

std::string to_json(const ActionSpec& action) {
    JsonWriter json;
    json.begin_object();
    write_work(json, action);
    if (action.scheduled_at) json.member("scheduledAt", format_rfc3339(*action.scheduled_at));
    if (action.delay) json.member("delayMs", action.delay->count());
    write_deduplication(json, action.deduplication);
    return json.end_object().take();
}

std::string to_json(const RecurringSpec& schedule) {
    JsonWriter json;
    json.begin_object();
    write_work(json, schedule);
    if (!schedule.every.empty()) json.member("every", schedule.every);
    if (!schedule.cron.empty()) json.member("cron", schedule.cron);
    if (!schedule.timezone.empty()) json.member("timezone", schedule.timezone);
    json.member("recurrenceType", to_string(schedule.recurrence_type));
    json.member("missed", to_string(schedule.missed));
    if (schedule.start_at) json.member("startAt", format_rfc3339(*schedule.start_at));
    return json.end_object().take();
}

std::optional<Problem> check_json(const std::string& text, const char* pointer) {
    const auto parsed = json::Document::parse(text);
    if (parsed) {
        return std::nullopt;
    }
    return invalid(parsed.error().message, pointer);
}

template <typename Spec>
std::optional<Problem> check_raw_parts(const Spec& spec) {
    auto problem = check_json(spec.payload, "/payload");
    if (!problem && !spec.backoff.empty()) {
        problem = check_json(spec.backoff, "/backoff");
    }
    return problem;
}

}  // namespace

Item<ActionRequest> to_request(const ActionSpec& action, const Settings& settings) {
    auto problem = check_tenant(action.tenant);
    if (!problem) problem = check_raw_parts(action);
    if (problem) {
        return std::move(*problem);
    }
    const auto parsed = json::Document::parse(to_json(action));
    if (!parsed) {
        return invalid(parsed.error().message, parsed.error().pointer);
    }
    return read_action_request(parsed->root(), action.tenant, settings, "");
}

std::variant<PutSchedule, Problem> to_command(const RecurringSpec& schedule,
                                              const Settings& settings) {
    ScheduleKey key{schedule.tenant, schedule.name};
    auto problem = check_key(key);
    if (!problem) problem = check_raw_parts(schedule);
    if (problem) {
        return std::move(*problem);
    }
    const auto parsed = json::Document::parse(to_json(schedule));
    if (!parsed) {
        return invalid(parsed.error().message, parsed.error().pointer);
    }
    auto spec = read_schedule_request(parsed->root(), settings);
    if (auto* refused = std::get_if<Problem>(&spec)) {
        return std::move(*refused);
    }
    return PutSchedule{std::move(key), std::get<ScheduleSpec>(std::move(spec))};
}

std::optional<Problem> check_tenant(const std::string& tenant) {
    if (is_name(tenant)) {
        return std::nullopt;
    }
    return invalid("a tenant has 1 to 255 bytes of UTF-8, none of them a control character",
                   "/tenant");
}

std::optional<Problem> check_key(const ScheduleKey& key) {
    if (!is_name(key.name)) {
        return invalid(
            "a schedule's name has 1 to 255 bytes of UTF-8, none of them a control character",
            "/name");
    }
    return check_tenant(key.tenant);
}

}  // namespace semel
