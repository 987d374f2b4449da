// semel actions show ID: one action, its attempts, and what it waits for.
#include <algorithm>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/url_parts.hpp"
#include "cli/commands/actions.hpp"

namespace semel::cli {

namespace {

constexpr int kNameWidth = 13;  // of "superseded by"

struct ActionShowOptions {
    CommonOptions common;
    std::string id;
};

void print_timeline(Console& console, json::Value action) {
    console.out() << "\nTimeline\n";
    const std::pair<const char*, const char*> steps[] = {{"createdAt", "created"},
                                                         {"scheduledAt", "due"},
                                                         {"startedAt", "started"},
                                                         {"completedAt", "ended"},
                                                         {"uniqueUntil", "its key's window ends"}};
    std::vector<std::pair<std::string, const char*>> times;
    for (const auto& [name, words] : steps) {
        if (std::string at = text_at(action, name); !at.empty()) {
            times.emplace_back(std::move(at), words);
        }
    }
    // All times have the same form and are in UTC, so their text order is their time order.
    std::stable_sort(times.begin(), times.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, words] : times) {
        console.out() << "  " << at << "  " << words << "\n";
    }
}

void print_attempts(Console& console, json::Value action) {
    const auto history = action.find("history");
    if (!history || !history->is_array() || history->size() == 0) {
        return;
    }
    console.out() << "\nAttempts\n";
    Table table({"  #", "OUTCOME", "WORKER", "TOKEN", "STARTED", "ENDED", "ERROR"});
    for (const json::Value attempt : history->elements()) {
        std::string error = text_at(attempt, "error");
        error = error.substr(0, error.find('\n'));
        const std::string ended = text_at(attempt, "endedAt");
        table.add({"  " + text_at(attempt, "attempt"), text_at(attempt, "outcome"),
                   text_at(attempt, "worker"), text_at(attempt, "token"),
                   text_at(attempt, "startedAt"), ended.empty() ? "-" : ended, error});
    }
    table.print(console);
}

void print_action(Console& console, json::Value action) {
    print_member(console, "id", text_at(action, "id"), kNameWidth);
    print_member(console, "type", text_at(action, "type"), kNameWidth);
    console.out() << console.dim(fmt::format("{:<13}", "status"))
                  << console.status(text_at(action, "status")) << "\n";
    print_member(console, "tenant", text_at(action, "tenant"), kNameWidth);
    print_member(console, "attempts", attempts_of(action, " of "), kNameWidth);
    print_member(console, "priority", text_at(action, "priority"), kNameWidth);
    print_member(console, "lock group", text_at(action, "lockGroup"), kNameWidth);
    print_member(console, "superseded by", text_at(action, "supersededBy"), kNameWidth);
    print_member(console, "payload", text_at(action, "payload"), kNameWidth);
    print_member(console, "output", text_at(action, "output"), kNameWidth);
    print_member(console, "error code", text_at(action, "errorCode"), kNameWidth);
    print_member(console, "error", text_at(action, "errorMessage"), kNameWidth);
    if (const auto waiting = action.find("waitingFor"); waiting && waiting->is_object()) {
        print_member(console, "waiting", text_at(*waiting, "detail"), kNameWidth);
    }
    print_timeline(console, action);
    print_attempts(console, action);
}

}  // namespace

void add_action_show(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("show", "One action with all its attempts");
    command->footer("\nExample:\n  semel actions show 0198c5a0-0000-7000-8000-000000000000\n");
    auto options = std::make_shared<ActionShowOptions>();
    command->add_option("ID", options->id, "The action's id")->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] {
            ApiCall call;
            call.target = "/v1/actions/" + percent_encode(options->id);
            ApiClient client(session.console, options->common);
            const Answer answer = client.ask(call);
            if (!answer) {
                return answer.exit_code;
            }
            if (options->common.as_json) {
                session.console.out() << answer.text() << "\n";
            } else {
                print_action(session.console, answer.root());
            }
            return kOk;
        };
    });
}

}  // namespace semel::cli
