// semel demo: shows the gateway in a terminal, without any set-up.
#include <CLI/CLI.hpp>

#include "cli/api_client.hpp"
#include "cli/demo/run.hpp"
#include "cli/signals.hpp"

namespace semel::cli {

namespace {

int demo(Session& session) {
    Console& console = session.console;
    Signals signals;  // before the first thread
    const auto shown = run_demo(console);
    if (const auto signal = signals.wait(Millis(0))) {
        console.complain("stopped; the temporary folder is deleted");
        return 128 + *signal;
    }
    if (!shown) {
        console.complain(shown.error().message());
        return shown.error().code() == ErrorCode::refused ? kRefused : exit_code_of(shown.error());
    }
    return kOk;
}

}  // namespace

void add_demo(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("demo", "Show what the gateway does, without any set-up");
    command->allow_extras();
    command->footer(
        "\nStarts a toy payment service and a gateway in front of it. Sends a payment twice, "
        "kills\n"
        "the gateway during another one, and resolves what that leaves open. Takes seconds, uses\n"
        "free ports of 127.0.0.1 and a temporary folder in TMPDIR, and deletes the folder.\n"
        "Exit code 1: a step did not end as the text says.\n"
        "\nExample:\n"
        "  semel demo\n");
    command->callback([&session] { session.run = [&session] { return demo(session); }; });
}

}  // namespace semel::cli
