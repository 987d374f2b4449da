#include "core/schedules/schedule_request.hpp"

#include "core/actions/work_options.hpp"
#include "core/json/member_reader.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

constexpr std::size_t kRuleBytesMax = 255;

// Reads `every` or `cron`, not both, and a zone only for cron.
void read_rule(MemberReader& reader, ScheduleSpec& spec) {
    const auto every = reader.text("every", 1, kRuleBytesMax);
    const auto cron = reader.text("cron", 1, kRuleBytesMax);
    const auto timezone = reader.text("timezone", 1, kNameBytesMax);
    if (!every && !cron) {
        reader.fail("every", "a schedule needs a rule: give `every` or `cron`");
    }
    if (every && cron) {
        reader.fail("cron", "give `every` or `cron`, not both");
    }
    if (timezone && !cron) {
        reader.fail("timezone", "`timezone` is for `cron`; intervals are exact in every zone");
    }
    spec.every = every.value_or("");
    spec.cron = cron.value_or("");
    spec.timezone = timezone.value_or(spec.cron.empty() ? "" : "UTC");
}

// Returns the member with the fault of an unusable rule.
std::string_view member_of(const ScheduleSpec& spec, const Error& error) {
    if (!spec.every.empty()) {
        return "every";
    }
    return error.code() == ErrorCode::not_found ? "timezone" : "cron";
}

}  // namespace

std::variant<ScheduleSpec, Problem> read_schedule_request(json::Value object,
                                                          const Settings& settings) {
    MemberReader reader(object, "");
    ScheduleSpec spec;
    const auto type = reader.name("type");
    reader.require("type", type.has_value());
    spec.type = type.value_or("");
    const auto payload = reader.any("payload");
    read_rule(reader, spec);
    reader.word("recurrenceType", parse_recurrence_type, "fixed or rolling", spec.recurrence_type);
    reader.word("missed", parse_missed, "latest, skip or all", spec.missed);
    spec.start_at = reader.time("startAt");
    const WorkOptions options = read_work_options(reader);
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    spec.payload = payload ? std::string(payload->raw()) : "{}";
    spec.lock_group = options.lock_group.value_or("");
    spec.max_retries = options.max_retries.value_or(spec.max_retries);
    spec.backoff = options.backoff.value_or(Backoff{});
    spec.timeout = options.timeout;
    spec.priority = options.priority.value_or(0);
    if (const auto rule = spec.rule(*settings.zones); !rule) {
        const std::string_view member = member_of(spec, rule.error());
        return invalid(rule.error().message(), reader.pointer_to(member));
    }
    return spec;
}

}  // namespace semel
