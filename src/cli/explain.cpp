// semel explain KEY: who has a key, by which rule, how many duplicates followed, until when.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/api_client.hpp"

namespace semel::cli {

namespace {

struct ExplainOptions {
    CommonOptions common;
    std::string key;
    std::string space;
    std::string claim_id;
};

void line(Console& console, const std::string& name, const std::string& value) {
    if (!value.empty()) {
        console.out() << console.dim(fmt::format("{:<11}", name)) << printable_lines(value) << "\n";
    }
}

void print_story(Console& console, json::Value claim) {
    line(console, "key", text_at(claim, "key"));
    line(console, "space", text_at(claim, "space"));
    line(console, "claim", text_at(claim, "claimId"));
    line(console, "state", text_at(claim, "state"));
    line(console, "effect", text_at(claim, "effectId"));
    line(console, "first seen", text_at(claim, "firstSeenAt"));
    line(console, "since", text_at(claim, "since"));
    line(console, "rule", text_at(claim, "rule"));
    line(console, "duplicates", text_at(claim, "duplicates"));
    line(console, "until", text_at(claim, "until"));
    console.out() << "\n" << printable(text_at(claim, "summary")) << "\n";
    const auto decisions = claim.find("decisions");
    if (!decisions || !decisions->is_array() || decisions->size() == 0) {
        return;
    }
    console.out() << "\n";
    for (const json::Value decision : decisions->elements()) {
        console.out() << text_at(decision, "at") << "  "
                      << fmt::format("{:<10}", text_at(decision, "decision")) << "  "
                      << fmt::format("{:>5}", text_at(decision, "count")) << " ×  "
                      << printable(text_at(decision, "rule"));
        if (const std::string reason = text_at(decision, "reason"); !reason.empty()) {
            console.out() << "  " << printable(reason);
        }
        console.out() << "\n";
    }
}

int explain(Session& session, const ExplainOptions& options) {
    if (options.key.empty() == options.claim_id.empty()) {
        session.console.complain("give a KEY, or --claim-id");
        return kUsage;
    }
    ApiCall call;
    call.target = options.key.empty() ? "/v1/explain?claimId=" + escape(options.claim_id)
                                      : "/v1/explain?key=" + escape(options.key);
    if (!options.space.empty()) {
        call.target += "&space=" + escape(options.space);
    }
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    const auto items = answer.root().find("items");
    const bool is_empty = !items || !items->is_array() || items->size() == 0;
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
        return is_empty ? kNotFound : kOk;
    }
    if (is_empty) {
        session.console.complain("nobody has claimed this key, or it is forgotten");
        return kNotFound;
    }
    bool is_first = true;
    for (const json::Value claim : items->elements()) {
        session.console.out() << (is_first ? "" : "\n");
        print_story(session.console, claim);
        is_first = false;
    }
    if (text_at(answer.root(), "complete") == "false") {
        session.console.out() << "\n"
                              << session.console.dim("The log has more lines than were searched.")
                              << "\n";
    }
    return kOk;
}

}  // namespace

void add_explain(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand(
        "explain", "Tell the story of a key: who won, by which rule, how many duplicates since");
    command->footer(
        "\nThe key is what the caller wrote: a fence's key, a deduplication key, an entityId, an\n"
        "Idempotency-Key. All claims that have it are shown.\n"
        "\nExamples:\n  semel explain invoice-17\n  semel explain invoice-17 --space fences\n");
    auto options = std::make_shared<ExplainOptions>();
    command->add_option("KEY", options->key, "The key, as its caller wrote it");
    command->add_option("--space", options->space, "Only this one: actions, chains, fences, api")
        ->type_name("SPACE");
    command->add_option("--claim-id", options->claim_id, "The claim, by its id instead")
        ->type_name("ID");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return explain(session, *options); };
    });
}

}  // namespace semel::cli
