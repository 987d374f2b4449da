// semel why ID: one plain sentence on why an action is not running.
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

struct WhyOptions {
    CommonOptions common;
    std::string id;
};

std::string last_worker(json::Value action) {
    std::string worker;
    if (const auto history = action.find("history"); history && history->is_array()) {
        for (const json::Value attempt : history->elements()) {
            worker = text_at(attempt, "worker");
        }
    }
    return worker;
}

// Returns the sentence without its full stop.
std::string sentence(json::Value action) {
    const std::string status = text_at(action, "status");
    const auto waiting = action.find("waitingFor");
    if (waiting && waiting->is_object()) {
        return "It is not running because " + text_at(*waiting, "detail");
    }
    if (status == "running") {
        return "It is running: attempt " + attempts_of(action, " of ") + ", by worker " +
               last_worker(action) + ", since " + text_at(action, "startedAt");
    }
    if (status == "completed") {
        return "It is not running because it completed at " + text_at(action, "completedAt");
    }
    if (status == "failed") {
        const std::string error = text_at(action, "errorMessage");
        return "It is not running because it failed after " + text_at(action, "attempts") +
               " attempts" + (error.empty() ? "" : ": " + error);
    }
    if (status == "superseded") {
        return "It is not running because a newer action took its place: " +
               text_at(action, "supersededBy");
    }
    return "It is not running because it is " + status;
}

int why(Session& session, const WhyOptions& options) {
    ApiCall call;
    call.target = "/v1/actions/" + percent_encode(options.id);
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    const json::Value action = answer.root();
    const auto waiting = action.find("waitingFor");
    if (options.common.as_json) {
        JsonWriter out;
        out.begin_object().member("id", text_at(action, "id"));
        out.member("status", text_at(action, "status")).member("why", sentence(action));
        out.member_raw("waitingFor", waiting ? waiting->raw() : "null");
        session.console.out() << out.end_object().take() << "\n";
        return kOk;
    }
    session.console.out() << printable_lines(sentence(action)) << ".\n";
    if (waiting && waiting->is_object()) {
        for (const char* name : {"until", "heldBy"}) {
            if (const std::string value = text_at(*waiting, name); !value.empty()) {
                session.console.out() << "  " << name << ": " << printable(value) << "\n";
            }
        }
    }
    return kOk;
}

}  // namespace

void add_why(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("why", "Say why an action is not running");
    command->footer("\nExample:\n  semel why 0198c5a0-0000-7000-8000-000000000000\n");
    auto options = std::make_shared<WhyOptions>();
    command->add_option("ID", options->id, "The action's id")->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return why(session, *options); };
    });
}

}  // namespace semel::cli
