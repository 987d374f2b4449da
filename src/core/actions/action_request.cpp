#include "core/actions/action_request.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/actions/work_options.hpp"
#include "core/json/json_pointer.hpp"
#include "core/json/member_reader.hpp"
#include "core/keys/dedup_key.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

// The caller's options for deduplication, before the key is made from the payload.
struct DeduplicationOptions {
    bool enabled = true;
    std::optional<std::string> key;
    std::vector<std::string> key_fields;
    Millis window{0};
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    std::optional<Millis> max_wait;
};

constexpr int kDebounceWindowsMax = 10;  // maxWaitMs, where none is given, in windows

void read_key_fields(MemberReader& reader, DeduplicationOptions& options) {
    const auto fields = reader.array("keyFields", kKeyFieldsMax);
    if (!fields) {
        return;
    }
    for (const json::Value field : fields->elements()) {
        if (!field.is_string() || !json::is_valid_pointer(field.as_string())) {
            reader.fail("keyFields", "`keyFields` must hold JSON pointers, like /eventType");
            return;
        }
        options.key_fields.emplace_back(field.as_string());
    }
}

void read_window(MemberReader& reader, const Settings& settings, DeduplicationOptions& options) {
    // A century: far above every retention, and far below an overflow.
    constexpr double kSecondsMax = 3.2e9;
    options.window = settings.window;
    if (const auto seconds = reader.number("windowSeconds", -kSecondsMax, kSecondsMax)) {
        options.window = Millis(std::llround(*seconds * 1000));
    }
    if (settings.key_retention && options.window > *settings.key_retention) {
        reader.fail(
            "windowSeconds",
            fmt::format("`windowSeconds` is longer than keys are remembered ({} s); shorten "
                        "it or raise keys.retention",
                        settings.key_retention->count() / 1000));
    }
}

std::optional<Problem> read_deduplication(json::Value value, const Settings& settings,
                                          const std::string& pointer,
                                          DeduplicationOptions& options) {
    if (value.is_boolean() && !value.as_bool()) {
        options.enabled = false;
        return std::nullopt;
    }
    if (!value.is_object()) {
        return invalid("`deduplication` must be an object, or false", pointer);
    }
    MemberReader reader(value, pointer);
    options.key = reader.text("key", 1, kKeyBytesMax);
    read_key_fields(reader, options);
    read_window(reader, settings, options);
    reader.word("scope", parse_scope, "pending, incomplete or any", options.scope);
    reader.word("onDuplicate", parse_on_duplicate, "replace, keep, reject or debounce",
                options.on_duplicate);
    options.max_wait = reader.milliseconds("maxWaitMs", Millis(1), kDelayMax);
    if (options.on_duplicate == OnDuplicate::debounce && options.window <= Millis(0)) {
        reader.fail("windowSeconds", "`windowSeconds` must be above 0 to debounce");
    }
    return reader.problem();
}

std::optional<Deduplication> resolve(const DeduplicationOptions& options, std::string_view tenant,
                                     std::string_view type, json::Value payload) {
    if (!options.enabled || options.window <= Millis(0)) {
        return std::nullopt;
    }
    auto key = action_key(tenant, type, payload, options.key, options.key_fields);
    if (!key) {
        return std::nullopt;
    }
    Deduplication deduplication;
    deduplication.claim = key->claim;
    deduplication.full_key = std::move(key->full_key);
    deduplication.window = options.window;
    deduplication.scope = options.scope;
    deduplication.on_duplicate = options.on_duplicate;
    deduplication.max_wait = options.max_wait.value_or(options.window * kDebounceWindowsMax);
    return deduplication;
}

void read_options(MemberReader& reader, ActionRequest& request) {
    const auto type = reader.name("type");
    reader.require("type", type.has_value());
    request.type = type.value_or("");
    request.scheduled_at = reader.time("scheduledAt");
    request.delay = reader.milliseconds("delayMs", Millis(0), kDelayMax);
    if (request.scheduled_at && request.delay) {
        reader.fail("delayMs", "give `scheduledAt` or `delayMs`, not both");
    }
    WorkOptions options = read_work_options(reader);
    request.lock_group = std::move(options.lock_group);
    request.max_retries = options.max_retries;
    request.backoff = options.backoff;
    request.timeout = options.timeout;
    request.priority = options.priority;
}

}  // namespace

Item<ActionRequest> read_action_request(json::Value object, std::string_view tenant,
                                        const Settings& settings, const std::string& pointer) {
    MemberReader reader(object, pointer);
    ActionRequest request;
    read_options(reader, request);
    const auto payload = reader.any("payload");
    const auto deduplication = reader.any("deduplication");
    if (auto problem = reader.problem()) {
        return std::move(*problem);
    }
    DeduplicationOptions options;
    options.window = settings.window;
    if (deduplication && !deduplication->is_null()) {
        if (auto problem = read_deduplication(*deduplication, settings,
                                              reader.pointer_to("deduplication"), options)) {
            return std::move(*problem);
        }
    }
    static const json::Document kEmptyObject = *json::Document::parse("{}");
    const json::Value content = payload ? *payload : kEmptyObject.root();
    request.payload = std::string(content.raw());
    request.source_type = entity_name(content.find("entityType"));
    request.source_id = entity_name(content.find("entityId"));
    request.deduplication = resolve(options, tenant, request.type, content);
    return request;
}

}  // namespace semel
