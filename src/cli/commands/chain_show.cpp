// semel chains show ID: the chain as a tree, its steps and what each of them waits for.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands/chain_tree.hpp"
#include "cli/commands/chains.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

struct ChainShowOptions {
    CommonOptions common;
    std::string id;
};

void print_chain(Console& console, json::Value chain) {
    print_member(console, "id", text_at(chain, "id"));
    print_member(console, "type", text_at(chain, "type"));
    console.out() << console.dim(fmt::format("{:<11}", "status"))
                  << console.status(text_at(chain, "status")) << "\n";
    print_member(console, "tenant", text_at(chain, "tenant"));
    print_member(console, "created", text_at(chain, "createdAt"));
    print_member(console, "completed", text_at(chain, "completedAt"));
    print_member(console, "input", text_at(chain, "input"));
    print_member(console, "output", text_at(chain, "output"));
    print_member(console, "error", text_at(chain, "errorMessage"));
}

// Reads the steps from the API. Returns the exit code.
int read_steps(ApiClient& client, const std::string& id, std::vector<json::Document>& steps) {
    return for_each_item(client, chain_path(id) + "/jobs", [&](json::Value step) {
        if (auto parsed = parse_answer(std::string(step.raw()))) {
            steps.push_back(*std::move(parsed));
        }
    });
}

int show(Session& session, const ChainShowOptions& options) {
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask({.target = chain_path(options.id)});
    if (!answer) {
        return answer.exit_code;
    }
    std::vector<json::Document> steps;
    if (const int code = read_steps(client, options.id, steps); code != kOk) {
        return code;
    }
    const auto chain = answer.root().find("chain");
    if (options.common.as_json) {
        JsonWriter out;
        out.begin_object().member_raw("chain", chain ? chain->raw() : "null").begin_array("jobs");
        for (const json::Document& step : steps) {
            out.raw(step.root().raw());
        }
        session.console.out() << out.end_array().end_object().take() << "\n";
        return kOk;
    }
    if (chain) {
        print_chain(session.console, *chain);
    }
    session.console.out() << "\n";
    print_chain_tree(session.console, steps);
    return kOk;
}

}  // namespace

void add_chain_show(CLI::App& parent, Session& session) {
    CLI::App* command =
        parent.add_subcommand("show", "Show a chain: its steps, and what they wait for");
    command->footer("\nExample:\n  semel chains show 0198c5a0-0000-7000-8000-000000000000\n");
    auto options = std::make_shared<ChainShowOptions>();
    command->add_option("ID", options->id, "The chain's id")->required();
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return show(session, *options); };
    });
}

}  // namespace semel::cli
