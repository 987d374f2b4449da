// semel fence resolve | delete: the operators' calls about a key.
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/commands/fence.hpp"
#include "cli/commands/request_parts.hpp"

namespace semel::cli {

namespace {

struct ResolveOptions {
    CommonOptions common;
    std::string key;
    std::string outcome;
    std::string effect_id;
    std::string receipt;
    std::string reason;
};

Result<std::string> resolution_body(const ResolveOptions& options) {
    JsonWriter body;
    body.begin_object().member("outcome", options.outcome);
    write_text(body, "effectId", options.effect_id);
    SEMEL_CHECK(write_json(body, "receipt", "--receipt", options.receipt));
    write_text(body, "reason", options.reason);
    return body.end_object().take();
}

int resolve(Session& session, const ResolveOptions& options) {
    const auto body = resolution_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiClient client(session.console, options.common);
    return print_fence_answer(
        session, options.common,
        client.ask(
            {.method = "POST", .target = fence_path(options.key, "/resolve"), .body = *body}));
}

// Deletes a claim by its id. The fence shows the id. For a damaged row the problem shows it.
int free_claim(Session& session, const ResolveOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer fence = client.ask_quietly({.target = fence_path(options.key)});
    const std::string claim = fence ? text_at(fence.root(), "claimId") : fence.claim_id;
    if (claim.empty()) {
        session.console.err() << fence.complaint << std::flush;
        return fence.exit_code;
    }
    return print_fence_answer(session, options.common,
                              client.ask({.method = "DELETE",
                                          .target = "/v1/claims/" + percent_encode(claim) +
                                                    "?reason=" + percent_encode(options.reason) +
                                                    "&key=" + percent_encode(options.key)}));
}

void add_fence_delete(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand(
        "delete", "Free a key, whoever has it: the next claim is new, and its owner is fenced");
    command->footer(
        "\nExample:\n  semel fence delete invoice-17 --reason 'sealed by a test of ours'\n");
    auto options = std::make_shared<ResolveOptions>();
    command->add_option("KEY", options->key, "The fence's key")->required();
    command->add_option("--reason", options->reason, "Why; the decision log keeps it")
        ->type_name("TEXT")
        ->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return free_claim(session, *options); };
    });
}

}  // namespace

void add_fence_resolve(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("resolve", "Say what became of an uncertain effect");
    command->footer(
        "\nExamples:\n"
        "  semel fence resolve invoice-17 --outcome sealed --effect-id ch_9 --reason 'the bank has "
        "it'\n"
        "  semel fence resolve invoice-17 --outcome released --reason 'the bank has nothing'\n");
    auto options = std::make_shared<ResolveOptions>();
    command->add_option("KEY", options->key, "The fence's key")->required();
    command->add_option("--outcome", options->outcome, "It happened, or it did not")
        ->type_name("sealed|released")
        ->required();
    command->add_option("--effect-id", options->effect_id, "What it led to; needed with sealed")
        ->type_name("ID");
    command
        ->add_option("--receipt", options->receipt,
                     "What whoever asks again is given: JSON, @FILE, or -")
        ->type_name("JSON");
    command->add_option("--reason", options->reason, "How you know; the decision log keeps it")
        ->type_name("TEXT")
        ->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return resolve(session, *options); };
    });
    add_fence_delete(parent, session);
}

}  // namespace semel::cli
