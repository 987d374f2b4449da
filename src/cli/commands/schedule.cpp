// semel schedule TYPE: makes an action.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/api_client.hpp"
#include "cli/commands/request_parts.hpp"
#include "config/durations.hpp"

namespace semel::cli {

namespace {

struct ScheduleOptions {
    CommonOptions common;
    std::string type;
    std::string payload;
    std::string delay;
    std::string at;
    std::string lock_group;
    std::string key;
    std::vector<std::string> key_fields;
    std::string window;
    std::string scope;
    std::string on_duplicate;
    std::string max_wait;
    bool no_deduplication = false;
    std::optional<int> max_retries;
    std::string backoff;
    std::optional<int> priority;
    std::string timeout;
    std::string idempotency_key;
};

Result<void> write_deduplication(JsonWriter& body, const ScheduleOptions& options) {
    if (options.no_deduplication) {
        body.member("deduplication", false);
        return {};
    }
    JsonWriter inner;
    inner.begin_object();
    write_text(inner, "key", options.key);
    if (!options.key_fields.empty()) {
        inner.begin_array("keyFields");
        for (const std::string& field : options.key_fields) {
            inner.value(field);
        }
        inner.end_array();
    }
    if (!options.window.empty()) {
        const auto window = parse_duration(options.window);
        if (!window) {
            return window.error().prefixed("--window");
        }
        if (window->count() % 1000 == 0) {
            inner.member("windowSeconds", window->count() / 1000);
        } else {
            inner.member("windowSeconds", static_cast<double>(window->count()) / 1000.0);
        }
    }
    write_text(inner, "scope", options.scope);
    write_text(inner, "onDuplicate", options.on_duplicate);
    SEMEL_CHECK(write_millis(inner, "maxWaitMs", "--max-wait", options.max_wait));
    const std::string json = inner.end_object().take();
    if (json != "{}") {
        body.member_raw("deduplication", json);
    }
    return {};
}

Result<std::string> make_body(const ScheduleOptions& options) {
    JsonWriter body;
    body.begin_object().member("type", options.type);
    SEMEL_CHECK(write_json(body, "payload", "--payload", options.payload));
    write_text(body, "scheduledAt", options.at);
    SEMEL_CHECK(write_millis(body, "delayMs", "--delay", options.delay));
    write_text(body, "lockGroup", options.lock_group);
    body.member_if("maxRetries", options.max_retries);
    SEMEL_CHECK(write_json(body, "backoff", "--backoff", options.backoff));
    body.member_if("priority", options.priority);
    SEMEL_CHECK(write_millis(body, "timeoutMs", "--timeout", options.timeout));
    SEMEL_CHECK(write_deduplication(body, options));
    return body.end_object().take();
}

void print_outcome(Console& console, json::Value answer) {
    const std::string decision = text_at(answer, "decision");
    console.out() << printable(decision) << "  " << text_at(answer, "id");
    if (const auto action = answer.find("action"); action && action->is_object()) {
        console.out() << "  " << printable(text_at(*action, "type")) << "  "
                      << console.status(text_at(*action, "status")) << ", due "
                      << text_at(*action, "scheduledAt");
    }
    if (text_at(answer, "replaced") == "true") {
        console.out() << "  (its payload was replaced by this one)";
    } else if (text_at(answer, "payloadDiffers") == "true") {
        console.out() << "  (this payload differs and was not taken)";
    }
    if (const std::string before = text_at(answer, "successorOf"); !before.empty()) {
        console.out() << "  (runs after " << before << ")";
    }
    console.out() << "\n";
    if (const auto ignored = answer.find("ignored");
        ignored && ignored->is_array() && ignored->size() > 0) {
        console.complain("ignored, because the action was there already: " +
                         printable(ignored->raw()));
    }
}

int schedule(Session& session, const ScheduleOptions& options) {
    return post(session, options.common, "/v1/actions", make_body(options), options.idempotency_key,
                print_outcome);
}

void add_deduplication_options(CLI::App& command, ScheduleOptions& options) {
    constexpr const char* kGroup = "Deduplication";
    CLI::Option* none =
        command.add_flag("--no-dedup", options.no_deduplication, "Make an action in any case")
            ->group(kGroup);
    const auto text = [&](const char* name, std::string& into, const char* type, const char* help) {
        command.add_option(name, into, help)->type_name(type)->group(kGroup)->excludes(none);
    };
    text("--key", options.key, "KEY", "Deduplicate by this key instead of the payload's entityId");
    command
        .add_option("--key-field", options.key_fields,
                    "JSON pointer that joins the key (repeatable)")
        ->type_name("POINTER")
        ->allow_extra_args(false)
        ->group(kGroup)
        ->excludes(none);
    text("--window", options.window, "TIME", "How long a second request is a duplicate (5s)");
    text("--scope", options.scope, "SCOPE", "pending, incomplete or any");
    text("--on-duplicate", options.on_duplicate, "POLICY", "replace, keep, reject or debounce");
    text("--max-wait", options.max_wait, "TIME", "With debounce: the latest start after the first");
}

}  // namespace

void add_schedule(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("schedule", "Make an action, now or for later");
    command->footer(
        "\nExamples:\n"
        "  semel schedule email:send --payload '{\"entityId\":42}'\n"
        "  semel schedule report:build --delay 15m --lock-group reports --max-retries 5\n"
        "  cat order.json | semel schedule order:ship --payload - --key order-17 --scope any\n");
    auto options = std::make_shared<ScheduleOptions>();
    options->common.connection.if_missing = IfMissing::create;
    command->add_option("TYPE", options->type, "The action's type")->required();
    const auto text = [&](const char* name, std::string& into, const char* type, const char* help) {
        return command->add_option(name, into, help)->type_name(type);
    };
    text("--payload", options->payload, "JSON", "The payload: JSON, @FILE, or - for the input");
    auto* delay = text("--delay", options->delay, "TIME", "Run it so much later, like 5m");
    text("--at", options->at, "TIME", "Run it then, like 2030-01-31T08:00:00Z")->excludes(delay);
    text("--lock-group", options->lock_group, "NAME", "At most one of the group runs at a time");
    command->add_option("--max-retries", options->max_retries, "Attempts in all (3)")
        ->type_name("N");
    text("--backoff", options->backoff, "JSON", "Like {\"kind\":\"fixed\",\"delayMs\":1000}");
    command->add_option("--priority", options->priority, "Higher goes first (0)")->type_name("N");
    text("--timeout", options->timeout, "TIME", "How long an attempt may take");
    text("--idempotency-key", options->idempotency_key, "KEY",
         "The same key again gives the same answer, for 24 h");
    add_deduplication_options(*command, *options);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return schedule(session, *options); };
    });
}

}  // namespace semel::cli
