// semel actions list | show | tail | run | retry | cancel
#include "cli/commands/actions.hpp"

#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/commands/pages.hpp"

namespace semel::cli {

namespace {

struct ActionListOptions {
    CommonOptions common;
    ActionFilterOptions filter;
    PageOptions pages;
};

struct VerbOptions {
    CommonOptions common;
    std::string id;
    bool force = false;
};

int list(Session& session, const ActionListOptions& options) {
    const ListShape shape{.path = "/v1/actions",
                          .query = options.filter.query(),
                          .empty = "no actions",
                          .header = {"ID", "TYPE", "STATUS", "ATTEMPTS", "SCHEDULED", "LOCK GROUP"},
                          .row = [](json::Value action) -> std::vector<std::string> {
                              const std::string group = text_at(action, "lockGroup");
                              return {text_at(action, "id"),          text_at(action, "type"),
                                      text_at(action, "status"),      attempts_of(action, "/"),
                                      text_at(action, "scheduledAt"), group.empty() ? "-" : group};
                          }};
    return print_list(session, options.common, options.pages, shape);
}

int operate(Session& session, const VerbOptions& options, const std::string& verb) {
    ApiCall call;
    call.method = "POST";
    call.target = "/v1/actions/" + percent_encode(options.id) + "/" + verb;
    if (options.force) {
        call.body = R"({"force":true})";
    }
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
        return kOk;
    }
    const auto nested = answer.root().find("action");
    const json::Value action = nested && nested->is_object() ? *nested : answer.root();
    session.console.out() << text_at(action, "id") << "  " << printable(text_at(action, "type"))
                          << "  " << session.console.status(text_at(action, "status")) << "\n";
    return kOk;
}

void add_action_list(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("list", "List actions, the newest first");
    command->footer(
        "\nExamples:\n"
        "  semel actions list --status failed --type email:send\n"
        "  semel actions list --all --json\n");
    auto options = std::make_shared<ActionListOptions>();
    options->filter.add_to(*command);
    options->pages.add_to(*command);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return list(session, *options); };
    });
}

void add_verb(CLI::App& parent, Session& session, const std::string& verb,
              const std::string& help) {
    CLI::App* command = parent.add_subcommand(verb, help);
    command->footer("\nExample:\n  semel actions " + verb +
                    " 0198c5a0-0000-7000-8000-000000000000\n");
    auto options = std::make_shared<VerbOptions>();
    command->add_option("ID", options->id, "The action's id")->required();
    if (verb == "retry") {
        command->add_flag("--force", options->force, "Although its key has a newer action");
    }
    add_common_options(*command, options->common);
    command->callback([&session, options, verb] {
        session.run = [&session, options, verb] { return operate(session, *options, verb); };
    });
}

}  // namespace

void ActionFilterOptions::add_to(CLI::App& command) {
    const auto text = [&](const char* name, std::string& into, const char* kind, const char* help) {
        command.add_option(name, into, help)->type_name(kind);
    };
    text("--status", status, "STATUS", "Only these: pending, running, completed, failed, …");
    text("--type", type, "TYPE", "Only this type");
    text("--lock-group", lock_group, "NAME", "Only this lock group");
    text("--from", from, "TIME", "Created then or later, like 2030-01-31T08:00:00Z");
    text("--to", to, "TIME", "Created before");
}

std::string ActionFilterOptions::query() const {
    std::string out;
    const std::pair<const char*, const std::string&> parts[] = {
        {"status", status}, {"type", type}, {"lockGroup", lock_group}, {"from", from}, {"to", to}};
    for (const auto& [name, value] : parts) {
        if (!value.empty()) {
            out += std::string("&") + name + "=" + percent_encode(value);
        }
    }
    return out;
}

void add_actions(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("actions", "List, show, follow and steer actions");
    command->require_subcommand(0, 1);
    command->footer(
        "\nExamples:\n"
        "  semel actions list --status failed\n"
        "  semel actions show ID\n"
        "  semel actions tail --type email:send\n");
    add_action_list(*command, session);
    add_action_show(*command, session);
    add_action_tail(*command, session);
    add_verb(*command, session, "run", "Make it due now; ends a backoff");
    add_verb(*command, session, "retry", "Open a new round for one that failed");
    add_verb(*command, session, "cancel", "Cancel it; a running one is fenced");
}

}  // namespace semel::cli
