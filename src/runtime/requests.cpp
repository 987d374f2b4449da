#include "runtime/requests.hpp"

#include <fmt/format.h>

#include "core/actions/action_request.hpp"
#include "core/chains/chain_request.hpp"
#include "core/fences/fence_request.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"
#include "core/schedules/schedule_request.hpp"

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

template <typename Spec>
void write_options(JsonWriter& json, const Spec& spec) {
    if (!spec.lock_group.empty()) json.member("lockGroup", spec.lock_group);
    json.member_if("maxRetries", spec.max_retries);
    if (!spec.backoff.empty()) json.member_raw("backoff", spec.backoff);
    if (spec.timeout) json.member("timeoutMs", spec.timeout->count());
    json.member("priority", spec.priority);
}

// Content may be as deep as over HTTP, where it is a member of an object.
constexpr json::Limits kInsideABody{.depth_max = json::kAnyNumbers.depth_max - 1,
                                    .numbers = json::kAnyNumbers.numbers};

// Writes the members that actions and schedules share. Payload and backoff were checked before,
// because raw text could end its member.
template <typename Spec>
void write_work(JsonWriter& json, const Spec& spec) {
    json.member("type", spec.type).member_raw("payload", spec.payload);
    write_options(json, spec);
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

void write_key(JsonWriter& json, const ChainKey& wanted) {
    json.begin_object("deduplication");
    json.member("key", wanted.key).member("scope", to_string(wanted.scope));
    if (wanted.window) json.member("windowMs", wanted.window->count());
    json.begin_array("excludeChainIds");
    for (const Uuid& id : wanted.exclude) {
        json.string(id.to_string());
    }
    json.end_array();
    json.end_object();
}

void write_chain(JsonWriter& json, const ChainSpec& chain) {
    json.member("type", chain.type).member_raw("input", chain.input);
    if (chain.id) json.member("id", chain.id->to_string());
    if (chain.scheduled_at || chain.delay) {
        json.begin_object("schedule");
        if (chain.scheduled_at) json.member("at", format_rfc3339(*chain.scheduled_at));
        if (chain.delay) json.member("afterMs", chain.delay->count());
        json.end_object();
    }
    json.begin_array("blockers");
    for (const BlockerSpec& blocker : chain.blockers) {
        if (blocker.chain() == nullptr) {
            json.string(blocker.id()->to_string());
            continue;
        }
        json.begin_object();
        write_chain(json, *blocker.chain());
        json.end_object();
    }
    json.end_array();
    json.member("onBlockerFailed", to_string(chain.on_blocker_failed));
    if (chain.deduplication) write_key(json, *chain.deduplication);
    write_options(json, chain);
}

std::optional<Problem> check_json(const std::string& text, const std::string& pointer) {
    const auto parsed = json::Document::parse(text);
    if (parsed) {
        return std::nullopt;
    }
    return invalid(parsed.error().message, pointer);
}

// Checks a chain, and the chains that are started with it.
std::optional<Problem> check_raw_parts(const ChainSpec& chain, const std::string& pointer) {
    auto problem = check_json(chain.input, pointer + "/input");
    if (!problem && !chain.backoff.empty()) {
        problem = check_json(chain.backoff, pointer + "/backoff");
    }
    for (std::size_t i = 0; i < chain.blockers.size() && !problem; ++i) {
        if (const ChainSpec* blocker = chain.blockers[i].chain()) {
            problem = check_raw_parts(*blocker, fmt::format("{}/blockers/{}", pointer, i));
        }
    }
    return problem;
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

Item<ChainRequest> to_request(const ChainSpec& chain, const Settings& settings) {
    auto problem = check_tenant(chain.tenant);
    if (!problem) problem = check_raw_parts(chain, "");
    if (problem) {
        return std::move(*problem);
    }
    JsonWriter json;
    json.begin_object();
    write_chain(json, chain);
    const auto parsed = json::Document::parse(json.end_object().take());
    if (!parsed) {
        return invalid(parsed.error().message, parsed.error().pointer);
    }
    return read_chain_request(parsed->root(), chain.tenant, settings, "");
}

Item<FenceRequest> to_request(const OnceSpec& once, const Settings& settings) {
    if (auto problem = check_tenant(once.tenant)) {
        return std::move(*problem);
    }
    const auto content = json::Document::parse(once.content.value_or("null"), kInsideABody);
    if (!content) {
        return invalid(content.error().message, "/content");
    }
    FenceAsk ask{.key = once.key, .fence_class = once.fence_class, .lease = once.lease};
    if (once.content) {
        ask.content = content->root();
    }
    if (once.ttl) {
        ask.ttl = std::chrono::duration_cast<std::chrono::seconds>(*once.ttl);
    }
    auto request = make_fence_request(ask, once.tenant, settings);
    if (auto* read = std::get_if<FenceRequest>(&request)) {
        read->wait = once.wait;  // no limit: the caller blocks its own thread
    }
    return request;
}

std::optional<Problem> check_output(const HandlerResult& result) {
    if (!result.output) {
        return std::nullopt;
    }
    if (result.output->size() > kOutputBytesMax) {
        return Problem{.code = ProblemCode::too_large, .detail = "the output is larger than 1 MiB"};
    }
    return check_json(*result.output, "/output");
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
