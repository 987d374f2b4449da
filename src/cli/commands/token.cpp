// semel token create | list | delete: API tokens.
#include <memory>

#include <CLI/CLI.hpp>

#include "base/time.hpp"
#include "base/url_parts.hpp"
#include "cli/api_client.hpp"
#include "config/durations.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

struct TokenOptions {
    CommonOptions common;
    std::string id;
    std::string name;
    std::string scopes = "read,write,work";
    std::string expires;
    bool force = false;
};

Result<std::string> create_body(const TokenOptions& options) {
    JsonWriter body;
    body.begin_object();
    const std::string& tenant = options.common.connection.tenant;
    body.member("tenant", tenant.empty() ? "default" : tenant).member("name", options.name);
    body.begin_array("scopes");
    std::string_view rest = options.scopes;
    while (!rest.empty()) {
        const std::string_view scope = rest.substr(0, rest.find(','));
        body.value(scope);
        rest.remove_prefix(std::min(scope.size() + 1, rest.size()));
    }
    body.end_array();
    if (options.force) {
        body.member("force", true);
    }
    if (!options.expires.empty()) {
        const auto lifetime = parse_duration(options.expires);
        if (lifetime) {
            const auto now = std::chrono::floor<Millis>(
                std::chrono::system_clock::now());  // a wish, not a lease
            body.member("expiresAt", format_rfc3339(add_clamped(now, *lifetime)));
        } else if (parse_rfc3339(options.expires)) {
            body.member("expiresAt", options.expires);
        } else {
            return Error(ErrorCode::invalid,
                         "--expires is a duration like 90d, or a time like 2030-01-31T08:00:00Z");
        }
    }
    return body.end_object().take();
}

int create(Session& session, const TokenOptions& options) {
    auto body = create_body(options);
    if (!body) {
        session.console.complain(body.error().message());
        return kUsage;
    }
    ApiCall call;
    call.method = "POST";
    call.target = "/v1/tokens";
    call.body = *std::move(body);
    CommonOptions common = options.common;
    common.connection.if_missing = IfMissing::create;  // also before the first start
    ApiClient client(session.console, common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    if (options.common.as_json) {
        session.console.out() << answer.text() << "\n";
        return kOk;
    }
    // The secret alone on the standard output, so that a script can keep it.
    session.console.out() << printable(text_at(answer.root(), "secret")) << "\n";
    session.console.complain("made token " + text_at(answer.root(), "id") +
                             ". Its secret is shown this once; use it as SEMEL_TOKEN or as "
                             "`Authorization: Bearer …`");
    return kOk;
}

std::string joined(std::optional<json::Value> list) {
    std::string out;
    if (list && list->is_array()) {
        for (const json::Value item : list->elements()) {
            out += (out.empty() ? "" : ",") + std::string(item.is_string() ? item.as_string() : "");
        }
    }
    return out;
}

int list(Session& session, const TokenOptions& options) {
    ApiClient client(session.console, options.common);
    JsonWriter json;
    json.begin_object().begin_array("items");
    Table table({"ID", "NAME", "TENANT", "SCOPES", "CREATED", "EXPIRES"});
    const int code = for_each_item(client, "/v1/tokens", [&](json::Value item) {
        json.raw(item.raw());
        const std::string expires = text_at(item, "expiresAt");
        table.add({text_at(item, "id"), text_at(item, "name"), text_at(item, "tenant"),
                   joined(item.find("scopes")), text_at(item, "createdAt"),
                   expires.empty() ? "never" : expires});
    });
    if (code != kOk) {
        return code;
    }
    if (options.common.as_json) {
        json.end_array().member_null("nextCursor").end_object();
        session.console.out() << json.take() << "\n";
    } else if (table.empty()) {
        session.console.out() << "no tokens: anyone on this machine may do everything\n";
    } else {
        table.print(session.console);
    }
    return kOk;
}

int remove_token(Session& session, const TokenOptions& options) {
    ApiCall call;
    call.method = "DELETE";
    call.target = "/v1/tokens/" + percent_encode(options.id);
    ApiClient client(session.console, options.common);
    const Answer answer = client.ask(call);
    if (!answer) {
        return answer.exit_code;
    }
    if (options.common.as_json) {
        JsonWriter out;
        out.begin_object().member("id", options.id).member("deleted", true).end_object();
        session.console.out() << out.take() << "\n";
    } else {
        session.console.out() << "deleted " << printable(options.id) << "\n";
    }
    return kOk;
}

using TokenVerb = int (*)(Session&, const TokenOptions&);

CLI::App* add_verb(CLI::App& parent, Session& session, const char* name, const char* help,
                   const std::shared_ptr<TokenOptions>& options, TokenVerb run) {
    CLI::App* command = parent.add_subcommand(name, help);
    add_common_options(*command, options->common);
    command->callback([&session, options, run] {
        session.run = [&session, options, run] { return run(session, *options); };
    });
    return command;
}

}  // namespace

void add_token(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("token", "Create, list and delete API tokens");
    command->require_subcommand(0, 1);
    command->footer(
        "\nExamples:\n"
        "  semel token create --store ./semel.db --name ops --scopes admin\n"
        "  semel token create --name mailer --scopes work --expires 90d --tenant acme\n"
        "  semel token list\n");
    const auto options = std::make_shared<TokenOptions>();
    CLI::App* creates = add_verb(*command, session, "create",
                                 "Make a token; its secret is shown once", options, &create);
    creates->add_option("--name", options->name, "What it is for")->required()->type_name("NAME");
    creates->add_option("--scopes", options->scopes, "Of read, write, work, admin")
        ->type_name("LIST")
        ->capture_default_str();
    creates->add_option("--expires", options->expires, "When it ends: 90d, or a time (never)")
        ->type_name("TIME");
    creates->add_flag("--force", options->force,
                      "Also where no token has the scope admin, so that nobody can manage tokens");
    add_verb(*command, session, "list", "List tokens, without their secrets", options, &list);
    add_verb(*command, session, "delete", "Delete a token; it ends at once", options, &remove_token)
        ->add_option("ID", options->id, "The token's id")
        ->required();
}

}  // namespace semel::cli
