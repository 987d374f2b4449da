// semel claims: resolves or deletes the claim of a request that passed the gateway.
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/commands/request_parts.hpp"
#include "cli/exit_codes.hpp"

namespace semel::cli {

namespace {

struct RequestClaimOptions {
    CommonOptions common;
    std::string claim;
    std::string outcome;
    std::string reason;
};

int print(Session& session, const RequestClaimOptions& options, const Answer& answer) {
    if (!answer) {
        return answer.exit_code;
    }
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        session.console.out() << "claim " << options.claim << " is "
                              << text_at(answer.root(), "state") << "\n";
    }
    return kOk;
}

std::string claim_path(const RequestClaimOptions& options) {
    return "/v1/claims/" + percent_encode(options.claim);
}

int resolve(Session& session, const RequestClaimOptions& options) {
    JsonWriter body;
    body.begin_object().member("outcome", options.outcome);
    write_text(body, "reason", options.reason);
    ApiClient client(session.console, options.common);
    return print(session, options,
                 client.ask({.method = "POST",
                             .target = claim_path(options) + "/resolve",
                             .body = body.end_object().take()}));
}

int free_claim(Session& session, const RequestClaimOptions& options) {
    ApiClient client(session.console, options.common);
    return print(
        session, options,
        client.ask({.method = "DELETE",
                    .target = claim_path(options) + "?reason=" + percent_encode(options.reason)}));
}

std::shared_ptr<RequestClaimOptions> add_options(CLI::App& command) {
    auto options = std::make_shared<RequestClaimOptions>();
    command.add_option("CLAIM", options->claim, "The id, as the header Semel-Claim has it")
        ->required();
    command.add_option("--reason", options->reason, "How you know; the decision log keeps it")
        ->type_name("TEXT")
        ->required();
    add_common_options(command, options->common);
    return options;
}

void add_resolve(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("resolve", "Say what became of an uncertain request");
    command->footer(
        "\nExamples:\n"
        "  semel claims resolve CLAIM --outcome sealed --reason 'the bank has it'\n"
        "  semel claims resolve CLAIM --outcome released --reason 'the bank has nothing'\n");
    const auto options = add_options(*command);
    command->add_option("--outcome", options->outcome, "It happened, or it did not")
        ->type_name("sealed|released")
        ->required();
    command->callback([&session, options] {
        session.run = [&session, options] { return resolve(session, *options); };
    });
}

void add_free(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("free", "Free a claim, whoever has it: the next request is sent");
    command->footer("\nExample:\n  semel claims free CLAIM --reason 'to be sent again'\n");
    const auto options = add_options(*command);
    command->callback([&session, options] {
        session.run = [&session, options] { return free_claim(session, *options); };
    });
}

}  // namespace

void add_claims(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("claims", "Resolve and free what requests have claimed");
    command->require_subcommand(1);
    add_resolve(*command, session);
    add_free(*command, session);
}

}  // namespace semel::cli
