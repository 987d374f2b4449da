// semel chains start TYPE: starts a chain, or finds the chain that has its key.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands/chains.hpp"
#include "cli/commands/request_parts.hpp"

namespace semel::cli {

namespace {

struct StartOptions {
    CommonOptions common;
    std::string type;
    std::string id;
    std::string input;
    std::string delay;
    std::string at;
    std::vector<std::string> blockers;
    std::string on_blocker_failed;
    std::string key;
    std::string scope;
    std::string window;
    std::vector<std::string> excluded;
    std::string lock_group;
    std::optional<int> max_retries;
    std::string backoff;
    std::optional<int> priority;
    std::string timeout;
    std::string idempotency_key;
};

// Writes the blockers: each is an id, or a chain to start as JSON.
Result<void> write_blockers(JsonWriter& body, const std::vector<std::string>& blockers) {
    if (blockers.empty()) {
        return {};
    }
    body.begin_array("blockers");
    for (const std::string& blocker : blockers) {
        if (blocker.starts_with("{") || blocker.starts_with("@")) {
            SEMEL_TRY(json, json_argument("--blocker", blocker));
            body.raw(json);
        } else {
            body.string(blocker);
        }
    }
    body.end_array();
    return {};
}

Result<void> write_deduplication(JsonWriter& body, const StartOptions& options) {
    if (options.key.empty()) {
        return {};
    }
    body.begin_object("deduplication").member("key", options.key);
    write_text(body, "scope", options.scope);
    SEMEL_CHECK(write_millis(body, "windowMs", "--window", options.window));
    if (!options.excluded.empty()) {
        body.begin_array("excludeChainIds");
        for (const std::string& id : options.excluded) {
            body.string(id);
        }
        body.end_array();
    }
    body.end_object();
    return {};
}

Result<std::string> make_body(const StartOptions& options) {
    JsonWriter body;
    body.begin_object().member("type", options.type);
    write_text(body, "id", options.id);
    SEMEL_CHECK(write_json(body, "input", "--input", options.input));
    if (!options.at.empty() || !options.delay.empty()) {
        body.begin_object("schedule");
        write_text(body, "at", options.at);
        SEMEL_CHECK(write_millis(body, "afterMs", "--delay", options.delay));
        body.end_object();
    }
    SEMEL_CHECK(write_blockers(body, options.blockers));
    write_text(body, "onBlockerFailed", options.on_blocker_failed);
    SEMEL_CHECK(write_deduplication(body, options));
    write_text(body, "lockGroup", options.lock_group);
    body.member_if("maxRetries", options.max_retries);
    SEMEL_CHECK(write_json(body, "backoff", "--backoff", options.backoff));
    body.member_if("priority", options.priority);
    SEMEL_CHECK(write_millis(body, "timeoutMs", "--timeout", options.timeout));
    return body.end_object().take();
}

void print_outcome(Console& console, json::Value answer) {
    const bool was_there = text_at(answer, "deduplicated") == "true";
    console.out() << (was_there ? "deduplicated  " : "new  ");
    if (const auto chain = answer.find("chain"); chain && chain->is_object()) {
        print_chain_line(console, *chain);
    }
    if (text_at(answer, "inputDiffers") == "true") {
        console.complain("it was started with another input; this one was not taken");
    }
}

int start(Session& session, const StartOptions& options) {
    return post(session, options.common, "/v1/chains", make_body(options), options.idempotency_key,
                print_outcome);
}

void add_deduplication_options(CLI::App& command, StartOptions& options) {
    constexpr const char* kGroup = "Deduplication";
    CLI::Option* key = command.add_option("--key", options.key, "Start it once for this key")
                           ->type_name("KEY")
                           ->group(kGroup);
    const auto text = [&](const char* name, std::string& into, const char* type, const char* help) {
        command.add_option(name, into, help)->type_name(type)->group(kGroup)->needs(key);
    };
    text("--scope", options.scope, "SCOPE", "incomplete (default) or any: also ended ones");
    text("--window", options.window, "TIME", "How long after its start a chain counts");
    command.add_option("--exclude", options.excluded, "A chain that does not count (repeatable)")
        ->type_name("ID")
        ->allow_extra_args(false)
        ->group(kGroup)
        ->needs(key);
}

}  // namespace

void add_chain_start(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("start", "Start a chain, now or for later");
    command->footer(
        "\nExamples:\n"
        "  semel chains start order:fulfil --input '{\"order\":17}' --key order-17\n"
        "  semel chains start report:merge --blocker '{\"type\":\"report:part\",\"input\":1}' \\\n"
        "      --blocker '{\"type\":\"report:part\",\"input\":2}'\n");
    auto options = std::make_shared<StartOptions>();
    options->common.connection.if_missing = IfMissing::create;
    command->add_option("TYPE", options->type, "The type of its first job")->required();
    const auto text = [&](const char* name, std::string& into, const char* type, const char* help) {
        return command->add_option(name, into, help)->type_name(type);
    };
    text("--input", options->input, "JSON", "The input: JSON, @FILE, or - for the input");
    text("--id", options->id, "ID", "The chain's id; one of your own makes a repeat harmless");
    auto* delay = text("--delay", options->delay, "TIME", "Run it so much later, like 5m");
    text("--at", options->at, "TIME", "Run it then, like 2030-01-31T08:00:00Z")->excludes(delay);
    command
        ->add_option("--blocker", options->blockers,
                     "A chain to wait for: its id, or as JSON one to start (repeatable)")
        ->type_name("ID|JSON")
        ->allow_extra_args(false);
    text("--on-blocker-failed", options->on_blocker_failed, "WORD", "fail (default) or wait");
    text("--lock-group", options->lock_group, "NAME", "At most one of the group runs at a time");
    command->add_option("--max-retries", options->max_retries, "Attempts in all (no limit)")
        ->type_name("N");
    text("--backoff", options->backoff, "JSON", "Like {\"kind\":\"fixed\",\"delayMs\":1000}");
    command->add_option("--priority", options->priority, "Higher goes first (0)")->type_name("N");
    text("--timeout", options->timeout, "TIME", "How long an attempt may take");
    text("--idempotency-key", options->idempotency_key, "KEY",
         "The same key again gives the same answer, for 24 h");
    add_deduplication_options(*command, *options);
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return start(session, *options); };
    });
}

}  // namespace semel::cli
