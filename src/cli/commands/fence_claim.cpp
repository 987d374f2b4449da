// semel fence claim: claims a key. The exit code shows the decision.
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands/fence.hpp"
#include "cli/commands/request_parts.hpp"
#include "cli/whole_number.hpp"
#include "config/durations.hpp"

namespace semel::cli {

namespace {

constexpr Millis kClaimMargin = std::chrono::seconds(30);  // for the answer, after the wait

struct ClaimOptions {
    CommonOptions common;
    std::string key;
    std::string source_type;
    std::string source_id;
    std::string revision;
    std::string index_hash;
    std::string action;
    std::string fence_class;
    std::string content;
    std::string fingerprint;
    std::string version;
    std::string lease;
    std::string ttl;
    std::string run_window;
    std::string wait;
};

bool has_parts(const ClaimOptions& options) {
    return !(options.source_type + options.source_id + options.revision + options.index_hash +
             options.action)
                .empty();
}

Result<void> write_seconds(JsonWriter& body, std::string_view member, const std::string& option,
                           const std::string& duration) {
    if (duration.empty()) {
        return {};
    }
    const auto parsed = parse_duration(duration);
    if (!parsed) {
        return parsed.error().prefixed(option);
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*parsed);
    if (seconds != *parsed || seconds.count() < 1) {
        return Error(ErrorCode::invalid, option + " must be whole seconds, at least one");
    }
    body.member(member, seconds.count());
    return {};
}

// Checks the options before any request is sent.
Result<void> check_key(const ClaimOptions& options) {
    if (options.key.empty() && !has_parts(options)) {
        return Error(
            ErrorCode::invalid,
            "give a KEY, or parts of one, like --source-type and --source-id: it says what "
            "must happen once");
    }
    if (!options.key.empty() && has_parts(options)) {
        return Error(ErrorCode::invalid,
                     "give a KEY or parts of one (--source-type, --source-id, --revision, "
                     "--index-hash, --action), not both");
    }
    if (!options.version.empty() && (options.source_type.empty() || options.source_id.empty())) {
        return Error(ErrorCode::invalid,
                     "--version needs --source-type and --source-id: it is theirs");
    }
    return {};
}

Result<std::string> claim_body(const ClaimOptions& options) {
    SEMEL_CHECK(check_key(options));
    JsonWriter body;
    body.begin_object();
    write_text(body, "key", options.key);
    if (has_parts(options)) {
        body.begin_object("parts");
        write_text(body, "sourceType", options.source_type);
        write_text(body, "sourceId", options.source_id);
        write_text(body, "revision", options.revision);
        write_text(body, "indexHash", options.index_hash);
        write_text(body, "action", options.action);
        body.end_object();
    }
    write_text(body, "class", options.fence_class);
    SEMEL_CHECK(write_json(body, "content", "--content", options.content));
    write_text(body, "fingerprint", options.fingerprint);
    if (!options.version.empty()) {
        body.member_raw("version", options.version);  // checked: a whole number
    }
    SEMEL_CHECK(write_millis(body, "leaseMs", "--lease", options.lease));
    SEMEL_CHECK(write_seconds(body, "ttlSeconds", "--ttl", options.ttl));
    SEMEL_CHECK(write_seconds(body, "runWindowSeconds", "--run-window", options.run_window));
    SEMEL_CHECK(write_millis(body, "waitMs", "--wait", options.wait));
    return body.end_object().take();
}

int exit_code_of_decision(const std::string& decision) {
    if (decision == "new") return kOk;
    return decision == "in_flight" ? kConflict : kNothingToDo;
}

int claim(Session& session, const ClaimOptions& options) {
    const auto body = claim_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiCall call{.method = "POST", .target = "/v1/fences/claim", .body = *body};
    if (const auto wait = parse_duration(options.wait)) {
        call.timeout = *wait + kClaimMargin;
    }
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    const std::string decision = text_at(answer.root(), "decision");
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
    } else {
        session.console.out() << decision << "  ";
        print_fence_line(session.console, answer.root());
    }
    return exit_code_of_decision(decision);
}

}  // namespace

void add_fence_claim(CLI::App& parent, Session& session) {
    CLI::App* command = parent.add_subcommand("claim", "Ask whether you may do something now");
    command->footer(
        "\nExit codes: 0 you own the key, do it; 6 there is nothing to do: it was done "
        "(duplicate)\n"
        "or is out of date (stale); 5 not now: somebody is at it, the content differs, or the\n"
        "effect is uncertain. Whatever else is a failure: 1 refused, 2 usage, 3 no server.\n"
        "\nExamples:\n"
        "  semel fence claim invoice-17 --content '{\"total\":12}'\n"
        "  semel fence claim invoice-17 --content @invoice.json --wait 30s --json\n"
        "  semel fence claim --class webhook --source-type stripe --source-id evt_9 --content -\n"
        "  semel fence claim --source-type doc --source-id 7 --revision 3 --action ingest\n"
        "  semel fence claim --source-type doc --source-id 7 --revision 4 --version 4\n");
    auto options = std::make_shared<ClaimOptions>();
    const auto text = [&](const char* name, std::string& into, const char* kind, const char* help) {
        return command->add_option(name, into, help)->type_name(kind);
    };
    command->add_option("KEY", options->key,
                        "What must happen once; or leave it out and give parts of it");
    text("--source-type", options->source_type, "TEXT",
         "Part: the kind of thing; of a webhook its provider, like stripe");
    text("--source-id", options->source_id, "TEXT", "Part: which one of them");
    text("--revision", options->revision, "TEXT", "Part: which state of it");
    text("--index-hash", options->index_hash, "TEXT", "Part: the hash of an index");
    text("--action", options->action, "TEXT", "Part: what is done with it");
    text("--class", options->fence_class, "CLASS",
         "How long by default: webhook, api (default) or batch");
    auto* content = text("--content", options->content, "JSON",
                         "What it is about: JSON, @FILE, or -; other content is a conflict");
    text("--fingerprint", options->fingerprint, "TEXT",
         "Instead of the content: its SHA-256, or any text that is its own")
        ->excludes(content);
    text("--version", options->version, "N",
         "Of the source: one below the highest that is sealed is stale")
        ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()));
    text("--lease", options->lease, "TIME",
         "For how long nobody takes over from you (60s; batch 10m)");
    text("--ttl", options->ttl, "TIME",
         "For how long the receipt is remembered (api 48h, webhook 14d, batch 3d)");
    text("--run-window", options->run_window, "TIME",
         "With --class batch: how long a run may be repeated; remembered a day longer");
    text("--wait", options->wait, "TIME",
         "How long to wait for an owner that is at work, up to 60s; without it not at all");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return claim(session, *options); };
    });
}

}  // namespace semel::cli
