// semel schedules list | show | put | pause | resume | trigger | delete
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/commands/request_parts.hpp"

namespace semel::cli {

namespace {

struct SchedulesOptions {
    CommonOptions common;
    std::string name;
};

struct PutOptions {
    CommonOptions common;
    std::string name;
    std::string type;
    std::string payload;
    std::string every;
    std::string cron;
    std::string timezone;
    std::string recurrence_type;
    std::string missed;
    std::string lock_group;
    std::string start_at;
    std::string backoff;
    std::optional<int> max_retries;
    std::optional<int> priority;
    std::optional<std::int64_t> timeout_ms;
};

std::string path_of(const std::string& name) {
    return "/v1/schedules/" + percent_encode(name);
}

std::string state_of(json::Value schedule) {
    if (!text_at(schedule, "fault").empty()) {
        return "failed";
    }
    return text_at(schedule, "paused") == "true" ? "paused" : "active";
}

std::vector<std::string> runs_of(json::Value schedule) {
    std::vector<std::string> times;
    const auto runs = schedule.find("nextRuns");
    if (runs && runs->is_array()) {
        for (const json::Value run : runs->elements()) {
            times.emplace_back(run.as_string());
        }
    }
    return times;
}

std::string next_of(json::Value schedule) {
    const auto runs = runs_of(schedule);
    return runs.empty() ? "-" : runs.front();
}

// Prints a schedule with its rule in words and its next runs, to check a change.
void print(Session& session, json::Value schedule) {
    auto& out = session.console.out();
    const auto line = [&](const char* label, const std::string& value) {
        out << session.console.dim(label) << printable(value) << "\n";
    };
    line("name      ", text_at(schedule, "name"));
    line("type      ", text_at(schedule, "type"));
    line("rule      ", text_at(schedule, "description"));
    line("counts    ",
         text_at(schedule, "recurrenceType") + ", missed slots: " + text_at(schedule, "missed"));
    line("state     ", state_of(schedule));
    if (const std::string fault = text_at(schedule, "fault"); !fault.empty()) {
        line("fault     ", fault);
    }
    line("current   ", or_dash(text_at(schedule, "currentActionId")));
    const char* label = "next runs ";
    for (const std::string& run : runs_of(schedule)) {
        line(label, run);
        label = "          ";
    }
}

int show_answer(Session& session, const CommonOptions& common, const Answer& answer) {
    if (!answer) {
        return answer.exit_code;
    }
    if (common.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        print(session, answer.root());
    }
    return kOk;
}

int show(Session& session, const SchedulesOptions& options) {
    ApiClient client(session.console, options.common);
    return show_answer(session, options.common, client.ask({.target = path_of(options.name)}));
}

int list(Session& session, const CommonOptions& common) {
    ApiClient client(session.console, common);
    JsonWriter json;
    json.begin_object().begin_array("items");
    Table table({"NAME", "TYPE", "RULE", "STATUS", "NEXT"});
    const int code = for_each_item(client, "/v1/schedules", [&](json::Value item) {
        json.raw(item.raw());
        table.add({text_at(item, "name"), text_at(item, "type"), text_at(item, "description"),
                   state_of(item), next_of(item)});
    });
    if (code != kOk) {
        return code;
    }
    if (common.as_json) {
        json.end_array().member_null("nextCursor").end_object();
        session.console.out() << json.take() << "\n";
    } else if (table.empty()) {
        session.console.out() << "no schedules\n";
    } else {
        table.print(session.console);
    }
    return kOk;
}

Result<std::string> make_body(const PutOptions& options) {
    JsonWriter body;
    body.begin_object().member("type", options.type);
    SEMEL_CHECK(write_json(body, "payload", "--payload", options.payload));
    write_text(body, "every", options.every);
    write_text(body, "cron", options.cron);
    write_text(body, "timezone", options.timezone);
    write_text(body, "recurrenceType", options.recurrence_type);
    write_text(body, "missed", options.missed);
    write_text(body, "lockGroup", options.lock_group);
    write_text(body, "startAt", options.start_at);
    SEMEL_CHECK(write_json(body, "backoff", "--backoff", options.backoff));
    body.member_if("maxRetries", options.max_retries);
    body.member_if("priority", options.priority);
    body.member_if("timeoutMs", options.timeout_ms);
    return body.end_object().take();
}

int put(Session& session, const PutOptions& options) {
    auto body = make_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiCall call{.method = "PUT", .target = path_of(options.name)};
    call.body = std::move(*body);
    ApiClient client(session.console, options.common);
    return show_answer(session, options.common, client.ask(call));
}

int post(Session& session, const SchedulesOptions& options, const std::string& verb) {
    ApiClient client(session.console, options.common);
    const Answer answer =
        client.ask({.method = "POST", .target = path_of(options.name) + "/" + verb});
    if (verb != "trigger" || !answer || options.common.as_json) {
        return show_answer(session, options.common, answer);
    }
    session.console.out() << text_at(answer.root(), "id") << "\n";
    return kOk;
}

int remove_schedule(Session& session, const SchedulesOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask({.method = "DELETE", .target = path_of(options.name)});
    if (answer && !options.common.as_json) {
        session.console.out() << "deleted\n";
    }
    return answer.exit_code;
}

template <typename Run>
void add_named(CLI::App& parent, Session& session, const char* name, const char* help, Run run) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->footer(std::string("\nExample:\n  semel schedules ") + name + " nightly-report\n");
    auto options = std::make_shared<SchedulesOptions>();
    command->add_option("NAME", options->name, "The schedule's name")->required();
    add_common_options(*command, options->common);
    command->callback([&session, options, run] {
        session.run = [&session, options, run] { return run(session, *options); };
    });
}

void add_schedule_list(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("list", "List schedules: their rules in words, their next runs");
    command->footer("\nExample:\n  semel schedules list\n");
    auto common = std::make_shared<CommonOptions>();
    add_common_options(*command, *common);
    command->callback([&session, common] {
        session.run = [&session, common] { return list(session, *common); };
    });
}

void add_put(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("put", "Make a schedule, or change it");
    command->footer(
        "\nExamples:\n"
        "  semel schedules put nightly --type report --cron '0 2 * * *' --timezone Europe/Berlin\n"
        "  semel schedules put sync --type sync --every PT15M\n");
    auto options = std::make_shared<PutOptions>();
    options->common.connection.if_missing = IfMissing::create;
    const auto text = [&](const char* name, std::string& into, const char* kind, const char* help) {
        return command->add_option(name, into, help)->type_name(kind);
    };
    command->add_option("NAME", options->name, "The schedule's name")->required();
    text("--type", options->type, "TYPE", "The type of its actions")->required();
    text("--payload", options->payload, "JSON",
         "Their payload: JSON, @FILE, or - for the input; {} where none is given");
    auto* every =
        text("--every", options->every, "INTERVAL",
             "hourly, daily, weekly, every-30-minutes, or an ISO 8601 duration like PT15M");
    auto* cron = text("--cron", options->cron, "EXPRESSION", "Five fields, or six with seconds");
    text("--timezone", options->timezone, "ZONE", "Of the expression, like Europe/Berlin")
        ->needs(cron);
    every->excludes(cron);
    text("--recurrence-type", options->recurrence_type, "TYPE",
         "fixed: counts from the slot (default); rolling: from the end");
    text("--missed", options->missed, "POLICY", "latest (default), skip or all");
    text("--lock-group", options->lock_group, "NAME", "At most one of a group runs");
    text("--start-at", options->start_at, "TIME", "The first slot, like 2030-01-31T08:00:00Z");
    text("--backoff", options->backoff, "JSON", R"(Like {"kind":"fixed","delayMs":60000})");
    command->add_option("--max-retries", options->max_retries, "Attempts in all (3)")
        ->type_name("N");
    command->add_option("--priority", options->priority, "Higher goes first (0)")->type_name("N");
    command->add_option("--timeout-ms", options->timeout_ms, "How long an attempt may take")
        ->type_name("MS");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return put(session, *options); };
    });
}

}  // namespace

void add_schedules(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("schedules", "Work that recurs");
    command->require_subcommand(0, 1);
    command->footer(
        "\nExamples:\n"
        "  semel schedules list\n"
        "  semel schedules put sync --type sync --every PT15M\n"
        "  semel schedules pause sync\n");
    add_schedule_list(*command, session);
    add_named(*command, session, "show", "Show one: its rule in words, its next five runs", show);
    add_put(*command, session);
    for (const auto& [verb, help] :
         {std::pair("pause", "Hold its next occurrence"),
          std::pair("resume", "Let it go on; slots that went by are judged by --missed"),
          std::pair("trigger", "Make an extra action now, outside the line")}) {
        add_named(*command, session, verb, help,
                  [verb = std::string(verb)](Session& each, const SchedulesOptions& options) {
                      return post(each, options, verb);
                  });
    }
    add_named(*command, session, "delete", "Delete it; its pending occurrence is cancelled",
              remove_schedule);
}

}  // namespace semel::cli
