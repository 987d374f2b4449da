// semel decisions: the decision log, the newest first.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands/log_words.hpp"
#include "cli/commands/pages.hpp"

namespace semel::cli {

namespace {

struct DecisionOptions {
    CommonOptions common;
    PageOptions pages;
};

int list(Session& session, const DecisionOptions& options) {
    const ListShape shape{
        .path = "/v1/decisions",
        .query = "",
        .empty = "no decisions",
        .header = {"AT", "SURFACE", "TYPE", "DECISION", "RULE", "COUNT", "EFFECT", "KEY", "NOTE"},
        .row = [](json::Value line) -> std::vector<std::string> {
            return {text_at(line, "at"),
                    text_at(line, "surface"),
                    or_dash(text_at(line, "type")),
                    text_at(line, "decision"),
                    or_dash(text_at(line, "rule")),
                    text_at(line, "count"),
                    or_dash(text_at(line, "effectId")),
                    or_dash(shown_key(text_at(line, "key"))),
                    or_dash(note_of(line))};
        }};
    return print_list(session, options.common, options.pages, shape);
}

}  // namespace

void add_decisions(CLI::App& root, Session& session) {
    CLI::App* command =
        root.add_subcommand("decisions", "List what callers were told, the newest first");
    command->footer(
        "\nRepeats of an unchanged answer are one line with their COUNT, which is written up to a\n"
        "second after them. `near_miss`: one content came under several keys, so perhaps one of\n"
        "them has something in it that is new each time.\n"
        "\nExamples:\n  semel decisions --limit 100\n  semel decisions --all --json\n");
    auto options = std::make_shared<DecisionOptions>();
    options->pages.add_to(*command);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return list(session, *options); };
    });
}

}  // namespace semel::cli
