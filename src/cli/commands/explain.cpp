// semel explain KEY: the owner of a key, the rule, the number of duplicates, and the end.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "cli/commands/log_words.hpp"

namespace semel::cli {

namespace {

struct ExplainOptions {
    CommonOptions common;
    std::string key;
    std::string space;
    std::string claim_id;
};

// Refuses an unknown space. A misspelt one would look like a space without claims.
Result<void> check_space(const std::string& space) {
    const std::vector<std::string> known = {"actions", "chains", "fences", "api"};
    const bool is_of_gateway =
        space.starts_with("key.") || space.starts_with("guard.") || space.starts_with("intake.");
    if (space.empty() || is_of_gateway ||
        std::find(known.begin(), known.end(), space) != known.end()) {
        return {};
    }
    const auto near = nearest(space, known);
    return Error(ErrorCode::invalid, "--space: there is no `" + printable(space) + "`; " +
                                         (near ? "did you mean `" + *near + "`?"
                                               : "it is actions, chains, fences or api"));
}

// Returns the job, the chain or the effect. Before a seal, the owner that may seal.
std::string winner_of(json::Value claim) {
    const std::string effect = text_at(claim, "effectId");
    const std::string state = text_at(claim, "state");
    if (state == "free") {
        return "nobody";
    }
    if (!effect.empty()) {
        return effect;
    }
    if (state == "sealed") {
        return "the first request, whose answer everyone is given";
    }
    const std::string token = text_at(claim, "token");
    return (token.empty() ? "an owner" : "the owner with the token " + token) +
           (state == "uncertain" ? ", which could not tell whether it happened"
                                 : ", which has not sealed it");
}

std::string until_of(json::Value claim) {
    const std::string until = text_at(claim, "until");
    const std::string state = text_at(claim, "state");
    if (!until.empty() || state == "free") {
        return until;
    }
    return state == "uncertain" ? "somebody resolves it" : "its owner is remembered no longer";
}

// Returns the end of the window of an action or a chain: from then on an equal request is new.
// Empty: it has no window, or its rows are deleted.
std::string window_of(ApiClient& client, json::Value claim) {
    const std::string space = text_at(claim, "space");
    if (space != "actions" && space != "chains") {
        return "";
    }
    const Answer job =
        client.ask_quietly({.target = "/v1/actions/" + percent_encode(text_at(claim, "effectId"))});
    return job ? text_at(job.root(), "uniqueUntil") : "";
}

void print_story(Console& console, json::Value claim, const std::string& window) {
    print_member(console, "key", text_at(claim, "key"));
    print_member(console, "space", text_at(claim, "space"));
    print_member(console, "claim", text_at(claim, "claimId"));
    print_member(console, "state", text_at(claim, "state"));
    print_member(console, "winner", winner_of(claim));
    print_member(console, "first seen", text_at(claim, "firstSeenAt"));
    print_member(console, "since",
                 text_at(claim, "state") == "free" ? "" : text_at(claim, "since"));
    print_member(console, "rule", rule_with_words(text_at(claim, "rule")));
    print_member(console, "duplicates", text_at(claim, "duplicates"));
    print_member(console, "window to", window);
    print_member(console, "until", until_of(claim));
    console.out() << "\n" << printable(text_at(claim, "summary")) << "\n";
}

void print_lines(Console& console, json::Value claim) {
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
        if (const std::string note = note_of(decision); !note.empty()) {
            console.out() << "  " << printable(note);
        }
        console.out() << "\n";
    }
}

int explain(Session& session, const ExplainOptions& options) {
    if (options.key.empty() == options.claim_id.empty()) {
        session.console.complain("give a KEY, or --claim-id");
        return kUsage;
    }
    if (const auto known = check_space(options.space); !known) {
        session.console.complain(known.error().message());
        return kUsage;
    }
    ApiCall call;
    call.target = options.key.empty() ? "/v1/explain?claimId=" + percent_encode(options.claim_id)
                                      : "/v1/explain?key=" + percent_encode(options.key);
    if (!options.space.empty()) {
        call.target += "&space=" + percent_encode(options.space);
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
        session.console.complain(
            "nobody has claimed this key, or it is forgotten\nsemel: a key is what a caller gave "
            "as "
            "one; `semel decisions` shows the latest. A schedule has none: `semel schedules show "
            "NAME`. For an id: `semel why ID`");
        return kNotFound;
    }
    bool is_first = true;
    for (const json::Value claim : items->elements()) {
        session.console.out() << (is_first ? "" : "\n");
        print_story(session.console, claim, window_of(client, claim));
        print_lines(session.console, claim);
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
        "Idempotency-Key. All claims that have it are shown, each with who won it, by which rule,\n"
        "how many duplicates came since, until when it holds, and what the log says of it, with\n"
        "near misses: the same content under another key. Exit code 4: nobody has claimed it.\n"
        "\nExamples:\n"
        "  semel explain invoice-17\n"
        "  semel explain invoice-17 --space fences\n"
        "  semel explain --claim-id "
        "31cdb7b506cdea81da79ae21f21bf30e7360a8a854f9f2481dc3de9a57d46aaa\n");
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
