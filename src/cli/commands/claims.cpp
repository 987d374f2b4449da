// semel claims list | resolve | free: lists uncertain claims, and ends claims for an operator.
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/commands/pages.hpp"
#include "cli/commands/request_parts.hpp"
#include "cli/exit_codes.hpp"

namespace semel::cli {

namespace {

struct ClaimListOptions {
    CommonOptions common;
    PageOptions pages;
    std::string space;
};

struct RequestClaimOptions {
    CommonOptions common;
    std::string claim;
    std::string outcome;
    std::string response;
    std::string reason;
};

// Returns the part of a key that the client wrote. A guard has none: its parts are hashes.
std::string client_key(json::Value claim) {
    const std::string space = text_at(claim, "space");
    if (space.starts_with("guard.")) {
        return "";
    }
    const auto parts = claim.find("keyParts");
    std::string last;
    if (parts && parts->is_array()) {
        for (const json::Value part : parts->elements()) {
            last = part.is_string() ? std::string(part.as_string()) : std::string(part.raw());
        }
    }
    return last;
}

// A request of the gateway has left at a time. A fence has only its creation.
std::string sent_at(json::Value claim) {
    const std::string sent = text_at(claim, "dispatchedAt");
    return sent.empty() ? text_at(claim, "createdAt") : sent;
}

int list(Session& session, const ClaimListOptions& options) {
    const ListShape shape{
        .path = "/v1/claims",
        .query = "&state=uncertain" +
                 (options.space.empty() ? "" : "&space=" + percent_encode(options.space)),
        .empty = "no uncertain claims",
        .header = {"CLAIM", "SPACE", "KEY", "STATE", "SENT", "UNTIL"},
        .row = [](json::Value claim) -> std::vector<std::string> {
            return {text_at(claim, "claimId"),
                    text_at(claim, "space"),
                    or_dash(client_key(claim)),
                    text_at(claim, "state"),
                    sent_at(claim),
                    or_dash(text_at(claim, "expiresAt"))};
        }};
    return print_list(session, options.common, options.pages, shape);
}

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
    if (auto read = write_json(body, "response", "--response", options.response); !read) {
        session.console.complain(read.error().message());
        return kUsage;
    }
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

void add_list(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("list", "List the claims that are uncertain, the newest first");
    command->footer(
        "\nA request of the gateway has up to two: `key.ROUTE` for its Idempotency-Key and\n"
        "`guard.ROUTE` for its content. To resolve one of them is to resolve both.\n"
        "\nExamples:\n"
        "  semel claims list\n"
        "  semel claims list --space key.message.api --json\n");
    auto options = std::make_shared<ClaimListOptions>();
    command->add_option("--space", options->space, "Only these: key.ROUTE, guard.ROUTE or fences")
        ->type_name("SPACE");
    options->pages.add_to(*command);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return list(session, *options); };
    });
}

void add_resolve(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("resolve", "Say what became of an uncertain request");
    command->footer(
        "\nExamples:\n"
        "  semel claims resolve CLAIM --outcome sealed --reason 'the bank has it' \\\n"
        "    --response '{\"status\":201,\"body\":{\"id\":\"ch_9\"}}'\n"
        "  semel claims resolve CLAIM --outcome released --reason 'the bank has nothing'\n");
    const auto options = add_options(*command);
    command->add_option("--outcome", options->outcome, "It happened, or it did not")
        ->type_name("sealed|released")
        ->required();
    command
        ->add_option("--response", options->response,
                     "The answer for repeats, with status, headers and body: JSON, @FILE, or -")
        ->type_name("JSON");
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
        root.add_subcommand("claims", "List, resolve and free what requests have claimed");
    command->require_subcommand(1);
    add_list(*command, session);
    add_resolve(*command, session);
    add_free(*command, session);
}

}  // namespace semel::cli
