// semel fence claim | seal | heartbeat | release | uncertain | resolve | get | verify | key |
// delete
#include "cli/commands/fence.hpp"

#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/url_parts.hpp"
#include "cli/commands/request_parts.hpp"
#include "cli/whole_number.hpp"

namespace semel::cli {

namespace {

// A call of a fence's owner, by its verb.
struct OwnerOptions {
    CommonOptions common;
    std::string verb;
    std::string key;
    std::string token;
    std::string effect_id;
    std::string receipt;
    std::string lease;
    std::string reason;
};

struct GetOptions {
    CommonOptions common;
    std::string key;
    bool sealed = false;
    bool is_signed = false;
};

Result<std::string> call_body(const OwnerOptions& options) {
    JsonWriter body;
    body.begin_object().member_raw("token", options.token);  // checked: a whole number
    write_text(body, "effectId", options.effect_id);
    SEMEL_CHECK(write_json(body, "receipt", "--receipt", options.receipt));
    SEMEL_CHECK(write_millis(body, "leaseMs", "--lease", options.lease));
    write_text(body, "reason", options.reason);
    return body.end_object().take();
}

int call_owner(Session& session, const OwnerOptions& options) {
    const auto body = call_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiClient client(session.console, options.common);
    return print_fence_answer(session, options.common,
                              client.ask({.method = "POST",
                                          .target = fence_path(options.key, "/" + options.verb),
                                          .body = *body}));
}

int get(Session& session, const GetOptions& options) {
    ApiClient client(session.console, options.common);
    std::string query = options.sealed ? "?sealed=true" : "";
    if (options.is_signed) {
        query = "?signed=true";  // only what is sealed can be
    }
    return print_fence_answer(session, options.common,
                              client.ask({.target = fence_path(options.key, query)}));
}

std::shared_ptr<OwnerOptions> add_owner_call(CLI::App& parent, Session& session,
                                             const std::string& verb, const std::string& help,
                                             CLI::App*& command) {
    command = parent.add_subcommand(verb, help);
    auto options = std::make_shared<OwnerOptions>();
    options->verb = verb;
    command->add_option("KEY", options->key, "The key, as the claim's answer has it")->required();
    command
        ->add_option("TOKEN", options->token, "The number in the answer to the claim, as `token`")
        ->type_name("N")
        ->check(whole_number(1, std::numeric_limits<std::int64_t>::max()))
        ->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return call_owner(session, *options); };
    });
    return options;
}

void add_owner_calls(CLI::App& parent, Session& session) {
    CLI::App* command = nullptr;
    const auto seal = add_owner_call(parent, session, "seal",
                                     "It is done: everyone gets this receipt from now on", command);
    command->footer(
        "\nExample:\n  semel fence seal invoice-17 1789 --effect-id ch_9 --receipt "
        "'{\"paid\":true}'\n");
    command
        ->add_option("--effect-id", seal->effect_id,
                     "What it led to, by your own name for it: a charge's or a mail's id")
        ->type_name("ID")
        ->required();
    command
        ->add_option("--receipt", seal->receipt,
                     "What whoever asks again is given: JSON, @FILE, or -")
        ->type_name("JSON");

    const auto beat =
        add_owner_call(parent, session, "heartbeat", "It takes longer: extend the lease", command);
    command->footer("\nExample:\n  semel fence heartbeat invoice-17 1789 --lease 60s\n");
    command
        ->add_option("--lease", beat->lease,
                     "How long from now on; without it as long as the claim said")
        ->type_name("TIME");

    add_owner_call(parent, session, "release", "It has certainly not happened: let the next one in",
                   command);
    command->footer("\nExample:\n  semel fence release invoice-17 1789\n");

    const auto unsure = add_owner_call(
        parent, session, "uncertain",
        "It may or may not have happened: nobody goes on before it is resolved", command);
    command->footer("\nExample:\n  semel fence uncertain invoice-17 1789 --reason 'no answer'\n");
    command->add_option("--reason", unsure->reason, "Why; the decision log keeps it")
        ->type_name("TEXT");
}

void add_get(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("get", "Show a fence");
    command->footer(
        "\nExamples:\n"
        "  semel fence get invoice-17 --sealed\n"
        "  semel fence get invoice-17 --signed --json > invoice-17.json\n");
    auto options = std::make_shared<GetOptions>();
    command->add_option("KEY", options->key, "The fence's key")->required();
    command->add_flag("--sealed", options->sealed, "Only if it is sealed; else exit code 4");
    command->add_flag("--signed", options->is_signed,
                      "With a signature, for `semel fence verify`; print it with --json");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return get(session, *options); };
    });
}

}  // namespace

std::string fence_path(const std::string& key, const std::string& more) {
    return "/v1/fences/" + percent_encode(key) + more;
}

void print_fence_line(Console& console, json::Value fence) {
    console.out() << printable(text_at(fence, "key"));
    constexpr std::pair<const char*, const char*> kShown[] = {{"state", "state"},
                                                              {"token", "token"},
                                                              {"leaseUntil", "lease until"},
                                                              {"takeover", "takeover"},
                                                              {"effectId", "effect"},
                                                              {"receipt", "receipt"},
                                                              {"sealedAt", "sealed"},
                                                              {"expiresAt", "until"},
                                                              {"retryAfterMs", "retry after ms"},
                                                              {"lastVersion", "last version"},
                                                              {"duplicates", "duplicates"},
                                                              {"signature", "signature"}};
    for (const auto& [member, word] : kShown) {
        if (const std::string value = text_at(fence, member); !value.empty()) {
            console.out() << "  " << console.dim(word) << " " << printable(value);
        }
    }
    console.out() << "\n";
}

int print_fence_answer(Session& session, const CommonOptions& common, const Answer& answer) {
    if (!answer) {
        return answer.exit_code;
    }
    if (common.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        print_fence_line(session.console, answer.root());
    }
    return kOk;
}

void add_fence(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("fence", "Make an effect of your own happen once: claim, do, seal");
    command->require_subcommand(0, 1);
    command->footer(
        "\nExamples:\n"
        "  semel fence claim invoice-17 --content '{\"total\":12}' --json     may I? Says the "
        "token\n"
        "  semel fence seal invoice-17 1789 --effect-id ch_9                 it is done\n"
        "  semel fence get invoice-17                                        who has it?\n"
        "  semel explain invoice-17                                          how did it come to "
        "that?\n");
    add_fence_claim(*command, session);
    add_owner_calls(*command, session);
    add_fence_resolve(*command, session);
    add_get(*command, session);
    add_fence_verify(*command, session);
    add_fence_key(*command, session);
}

}  // namespace semel::cli
