// semel chains wait ID: waits for the end of a chain. The exit code shows how the chain ended.
#include <algorithm>
#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands/chains.hpp"
#include "config/durations.hpp"

namespace semel::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Millis kWaitMax = std::chrono::seconds(60);  // what the API waits at most
constexpr Millis kMargin = std::chrono::seconds(30);   // for its answer

struct WaitOptions {
    CommonOptions common;
    std::string id;
    std::string timeout = "60s";
};

// Waits once, up to the API's limit.
Answer wait_once(ApiClient& client, const std::string& id, Millis patience) {
    ApiCall call;
    call.target = chain_path(id) + "/wait?timeoutMs=" + std::to_string(patience.count());
    call.timeout = patience + kMargin;
    return client.ask_quietly(call);
}

int print_end(Session& session, const WaitOptions& options, const Answer& answer) {
    const auto chain = answer.root().find("chain");
    if (!chain || !chain->is_object()) {
        session.console.complain("the server's answer has no chain");
        return kUnavailable;
    }
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        print_chain_line(session.console, *chain);
    }
    return text_at(*chain, "status") == "completed" ? kOk : kRefused;
}

int wait(Session& session, const WaitOptions& options) {
    const auto patience = parse_duration(options.timeout);
    if (!patience) {
        session.console.complain(patience.error().prefixed("--timeout").message());
        return kUsage;
    }
    ApiClient client(session.console, options.common);
    const auto deadline = Clock::now() + *patience;
    while (true) {
        const Millis left =
            std::max(Millis(0), std::chrono::duration_cast<Millis>(deadline - Clock::now()));
        const Answer answer = wait_once(client, options.id, std::min(left, kWaitMax));
        if (answer) {
            return print_end(session, options, answer);
        }
        if (!answer.is_timeout || left <= kWaitMax) {
            session.console.err() << answer.complaint << std::flush;
            return answer.is_timeout ? kUnavailable : answer.exit_code;
        }
    }
}

}  // namespace

void add_chain_wait(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("wait", "Wait for a chain's end; exit code 0 if it completed");
    command->footer(
        "\nExit codes: 0 it completed, 1 it ended otherwise, 3 it has not ended in time.\n"
        "\nExample:\n"
        "  semel chains wait 0198c5a0-0000-7000-8000-000000000000 --timeout 10m\n");
    auto options = std::make_shared<WaitOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    command->add_option("--timeout", options->timeout, "How long at most")
        ->type_name("TIME")
        ->capture_default_str();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return wait(session, *options); };
    });
}

}  // namespace semel::cli
