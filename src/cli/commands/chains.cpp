// semel chains start | list | show | jobs | wait | cancel | delete | complete
#include "cli/commands/chains.hpp"

#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/commands/pages.hpp"
#include "cli/commands/request_parts.hpp"
#include "cli/whole_number.hpp"

namespace semel::cli {

namespace {

constexpr const char* kSomeId = "0198c5a0-0000-7000-8000-000000000000";

struct ChainListOptions {
    CommonOptions common;
    PageOptions pages;
    std::string status;
    std::string type;
    std::string from;
    std::string to;
};

struct IdOptions {
    CommonOptions common;
    PageOptions pages;
    std::string id;
};

struct DeleteOptions {
    CommonOptions common;
    std::string id;
    bool cascade = false;
};

struct CompleteOptions {
    CommonOptions common;
    std::string id;
    int index = 0;
    std::string output;
    std::string continue_with;
};

std::string query_of(const ChainListOptions& options) {
    std::string out;
    const std::pair<const char*, const std::string&> parts[] = {{"status", options.status},
                                                                {"type", options.type},
                                                                {"from", options.from},
                                                                {"to", options.to}};
    for (const auto& [name, value] : parts) {
        if (!value.empty()) {
            out += std::string("&") + name + "=" + percent_encode(value);
        }
    }
    return out;
}

int list(Session& session, const ChainListOptions& options) {
    const ListShape shape{
        .path = "/v1/chains",
        .query = query_of(options),
        .empty = "no chains",
        .header = {"ID", "TYPE", "STATUS", "STEP", "CREATED", "COMPLETED"},
        .row = [](json::Value chain) -> std::vector<std::string> {
            return {text_at(chain, "id"),        text_at(chain, "type"),
                    text_at(chain, "status"),    text_at(chain, "chainIndex"),
                    text_at(chain, "createdAt"), or_dash(text_at(chain, "completedAt"))};
        }};
    return print_list(session, options.common, options.pages, shape);
}

int list_jobs(Session& session, const IdOptions& options) {
    const ListShape shape{.path = chain_path(options.id) + "/jobs",
                          .query = "",
                          .empty = "no jobs",
                          .header = {"STEP", "ID", "TYPE", "STATUS", "ATTEMPTS", "SCHEDULED"},
                          .row = [](json::Value job) -> std::vector<std::string> {
                              return {text_at(job, "chainIndex"), text_at(job, "id"),
                                      text_at(job, "type"),       text_at(job, "status"),
                                      attempts_of(job, "/"),      text_at(job, "scheduledAt")};
                          }};
    return print_list(session, options.common, options.pages, shape);
}

int cancel(Session& session, const IdOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer answer =
        client.ask({.method = "POST", .target = chain_path(options.id) + "/cancel"});
    if (!answer) {
        return answer.exit_code;
    }
    const auto chain = answer.root().find("chain");
    if (options.common.as_json || !chain) {
        session.console.out() << answer.text() << "\n";
    } else {
        print_chain_line(session.console, *chain);
    }
    return kOk;
}

int remove_chain(Session& session, const DeleteOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer answer =
        client.ask({.method = "DELETE",
                    .target = chain_path(options.id) + (options.cascade ? "?cascade=true" : "")});
    if (!answer) {
        return answer.exit_code;
    }
    const auto deleted = answer.root().find("deleted");
    if (options.common.as_json || !deleted || !deleted->is_array()) {
        session.console.out() << answer.text() << "\n";
        return kOk;
    }
    for (const json::Value id : deleted->elements()) {
        session.console.out() << "deleted  " << printable(id.is_string() ? id.as_string() : "?")
                              << "\n";
    }
    return kOk;
}

Result<std::string> completion_body(const CompleteOptions& options) {
    JsonWriter body;
    body.begin_object().member("chainIndex", options.index);
    SEMEL_CHECK(write_json(body, "output", "--output", options.output));
    SEMEL_CHECK(write_json(body, "continueWith", "--continue-with", options.continue_with));
    return body.end_object().take();
}

int complete(Session& session, const CompleteOptions& options) {
    const auto body = completion_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(
        {.method = "POST", .target = chain_path(options.id) + "/complete", .body = *body});
    if (!answer) {
        return answer.exit_code;
    }
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
        return kOk;
    }
    session.console.out() << text_at(answer.root(), "id") << "  "
                          << session.console.status(text_at(answer.root(), "status"));
    if (const std::string next = text_at(answer.root(), "nextId"); !next.empty()) {
        session.console.out() << "  next " << next;
    }
    session.console.out() << "\n";
    return kOk;
}

void add_chain_list(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("list", "List chains, the newest first");
    command->footer("\nExample:\n  semel chains list --status running --type order:fulfil\n");
    auto options = std::make_shared<ChainListOptions>();
    const auto text = [&](const char* name, std::string& into, const char* kind, const char* help) {
        command->add_option(name, into, help)->type_name(kind);
    };
    text("--status", options->status, "STATUS", "Only these: blocked, pending, running, …");
    text("--type", options->type, "TYPE", "Only this type");
    text("--from", options->from, "TIME", "Created then or later, like 2030-01-31T08:00:00Z");
    text("--to", options->to, "TIME", "Created before");
    options->pages.add_to(*command);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return list(session, *options); };
    });
}

void add_jobs(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("jobs", "List a chain's jobs, in order");
    command->footer(std::string("\nExample:\n  semel chains jobs ") + kSomeId + "\n");
    auto options = std::make_shared<IdOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    options->pages.add_to(*command);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return list_jobs(session, *options); };
    });
}

void add_cancel(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand(
        "cancel", "Cancel a chain at its current job; a running one is fenced");
    command->footer(std::string("\nExample:\n  semel chains cancel ") + kSomeId + "\n");
    auto options = std::make_shared<IdOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return cancel(session, *options); };
    });
}

void add_delete(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand(
        "delete", "Delete a chain, unless others wait for it; a running job is fenced");
    command->footer(std::string("\nExample:\n  semel chains delete ") + kSomeId + " --cascade\n");
    auto options = std::make_shared<DeleteOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    command->add_flag("--cascade", options->cascade,
                      "Also the chains that it waits for or waited, and those in turn");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return remove_chain(session, *options); };
    });
}

void add_complete(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("complete", "Complete a chain's current job without a worker");
    command->footer(std::string("\nExamples:\n  semel chains complete ") + kSomeId +
                    " --index 0 --output '{\"approved\":true}'\n  semel chains complete " +
                    kSomeId + " --index 1 --continue-with '{\"type\":\"order:ship\"}'\n");
    auto options = std::make_shared<CompleteOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    command
        ->add_option("--index", options->index,
                     "Which job: its chainIndex, so that a repeat does not complete the next one")
        ->type_name("N")
        ->check(whole_number(0, std::numeric_limits<int>::max()))
        ->required();
    auto* output =
        command
            ->add_option("--output", options->output, "The output: JSON, @FILE, or - for the input")
            ->type_name("JSON");
    command
        ->add_option("--continue-with", options->continue_with,
                     "What follows it: JSON with type, input, …; @FILE, or -")
        ->type_name("JSON")
        ->excludes(output);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return complete(session, *options); };
    });
}

}  // namespace

std::string chain_path(const std::string& id) {
    return "/v1/chains/" + percent_encode(id);
}

void print_chain_line(Console& console, json::Value chain) {
    console.out() << text_at(chain, "id") << "  ";
    if (const std::string type = text_at(chain, "type"); !type.empty()) {
        console.out() << printable(type) << "  ";
    }
    console.out() << console.status(text_at(chain, "status"));
    if (const std::string output = text_at(chain, "output"); !output.empty()) {
        console.out() << "  " << printable(output);
    }
    if (const std::string error = text_at(chain, "errorMessage"); !error.empty()) {
        console.out() << "  " << printable(error);
    }
    console.out() << "\n";
}

void add_chains(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("chains", "Start, follow and steer chains of jobs");
    command->require_subcommand(0, 1);
    command->footer(
        "\nExamples:\n"
        "  semel chains start order:fulfil --input '{\"order\":17}' --key order-17\n"
        "  semel chains show ID\n"
        "  semel chains wait ID --timeout 10m\n");
    add_chain_start(*command, session);
    add_chain_list(*command, session);
    add_chain_show(*command, session);
    add_jobs(*command, session);
    add_chain_wait(*command, session);
    add_cancel(*command, session);
    add_delete(*command, session);
    add_complete(*command, session);
}

}  // namespace semel::cli
