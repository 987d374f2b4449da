// API tokens: create, list, delete. Only for callers with `admin`, and for all tenants.
#include <algorithm>

#include "api/action_json.hpp"
#include "api/cursor.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/json/member_reader.hpp"

namespace semel {
namespace {

constexpr std::size_t kScopesMax = 4;

void write_members(JsonWriter& out, const ApiToken& token) {
    out.member("id", token.id.to_string());
    out.member("tenant", token.tenant);
    out.member("name", token.name);
    out.begin_array("scopes");
    for (const AccessScope scope :
         {AccessScope::read, AccessScope::write, AccessScope::work, AccessScope::admin}) {
        if ((token.scopes & scope_bit(scope)) != 0) {
            out.string(to_string(scope));
        }
    }
    out.end_array();
    write_time(out, "createdAt", token.created_at);
    write_time(out, "expiresAt", token.expires_at);
}

unsigned read_scopes(MemberReader& reader) {
    constexpr const char* kWords = "`scopes` must hold one or more of read, write, work, admin";
    const auto array = reader.array("scopes", kScopesMax);
    reader.require("scopes", array.has_value());
    if (!array) {
        return 0;
    }
    unsigned scopes = 0;
    for (const json::Value word : array->elements()) {
        const auto scope = word.is_string() ? parse_access_scope(word.as_string()) : std::nullopt;
        if (!scope) {
            reader.fail("scopes", kWords);
            return 0;
        }
        scopes |= scope_bit(*scope);
    }
    if (scopes == 0) {
        reader.fail("scopes", kWords);
    }
    return scopes;
}

// Once a token exists, every call needs one. Without an `admin` token no call could make the next.
void check_admin_exists(MemberReader& reader, unsigned scopes, const TokenRegistry& tokens,
                        Time now) {
    const bool force = reader.boolean("force").value_or(false);
    if (scopes != 0 && (scopes & scope_bit(AccessScope::admin)) == 0 && !force &&
        !tokens.has_admin(now)) {
        reader.fail("scopes",
                    "no API token has the scope `admin` yet, and this one would not either: from "
                    "then on nobody could make or delete tokens over HTTP. Make one with `admin` "
                    "first, or `force` it");
    }
}

CreateApiToken read_token(MemberReader& reader, const std::string& default_tenant, Time now) {
    CreateApiToken command;
    command.tenant = reader.name("tenant").value_or(default_tenant);
    command.name = reader.name("name").value_or("");
    command.scopes = read_scopes(reader);
    command.expires_at = reader.time("expiresAt");
    if (command.expires_at && *command.expires_at <= now) {
        reader.fail("expiresAt", "`expiresAt` has passed already");
    }
    return command;
}

// Reads the tokens from the store again, because the store's rows decide.
void reload_tokens(const std::shared_ptr<Services>& services) {
    services->node.store().reads().list_api_tokens(
        [services, version = services->tokens.version()](Result<std::vector<ApiToken>> tokens) {
            if (!tokens) {
                return;
            }
            if (services->tokens.load(std::move(*tokens), version)) {
                services->node.post([services] { services->end_polls(); });
            } else {
                reload_tokens(services);
            }
        });
}

// Without an `admin` token no call could make or delete tokens over HTTP. The very last token can
// be deleted if loopback callers then need no token.
std::optional<Problem> check_admin_remains(const Services& services, const Uuid& id) {
    const Time now = services.node.store().now();
    const std::vector<ApiToken> tokens = services.tokens.newest_first();
    const auto manages = [now](const ApiToken& token) {
        return (token.scopes & scope_bit(AccessScope::admin)) != 0 &&
               (!token.expires_at || now < *token.expires_at);
    };
    const bool is_admin = std::any_of(tokens.begin(), tokens.end(), [&](const ApiToken& token) {
        return token.id == id && manages(token);
    });
    const bool has_other = std::any_of(tokens.begin(), tokens.end(), [&](const ApiToken& token) {
        return token.id != id && manages(token);
    });
    const bool opens_loopback = tokens.size() == 1 && services.options.is_loopback;
    if (services.options.is_trusted || opens_loopback || !is_admin || has_other) {
        return std::nullopt;
    }
    return Problem{.code = ProblemCode::wrong_state,
                   .detail =
                       "this is the last API token with the scope `admin`: without it nobody could "
                       "make or delete tokens over HTTP. Make another one first; or stop the "
                       "server and use `semel token delete` with --store",
                   .existing_id = id};
}

// Reads the tokens again if the change may have been committed.
void reload_if_unknown(const std::shared_ptr<Services>& services, const Error& error) {
    if (error.code() == ErrorCode::commit_unknown) {
        reload_tokens(services);
    }
}

std::string created_json(const ApiToken& token, const std::string& secret) {
    JsonWriter out;
    out.begin_object();
    write_members(out, token);
    out.member("secret", secret);
    out.end_object();
    return out.take();
}

}  // namespace

void poll_tokens(const std::shared_ptr<Services>& services) {
    // The pause between two reads: under load hints of other nodes arrive constantly, and tokens
    // rarely change.
    constexpr Millis kPause = Millis(200);
    const Time now = services->node.store().now();
    if (now >= services->next_token_poll) {
        services->next_token_poll = now + kPause;
        reload_tokens(services);
    }
}

// Does not use submit(), because the answer has the secret, which the engine must not receive.
void create_token(Call&& call) {
    const auto body = call.read_body();
    if (!body) {
        return;
    }
    MemberReader reader(body->root(), "");
    const Time now = call.services->node.store().now();
    CreateApiToken command = read_token(reader, call.caller.tenant, now);
    check_admin_exists(reader, command.scopes, call.services->tokens, now);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    const std::string secret = make_secret();
    command.secret_hash = hash_secret(secret);
    Node& node = call.services->node;
    node.post([&node, command = std::move(command), secret, services = call.services,
               answer = std::move(call.answer)]() mutable {
        node.submit(std::move(command), [secret, services, answer = std::move(answer)](
                                            Result<Reply<CreateApiToken>> reply) {
            if (!reply) {
                reload_if_unknown(services, reply.error());
                answer.error(reply.error());
                return;
            }
            if (const auto* problem = std::get_if<Problem>(&*reply)) {
                answer.problem(*problem);
                return;
            }
            const auto& token = std::get<ApiToken>(*reply);
            services->tokens.add(token);
            services->end_polls();  // of callers without a token
            answer.json(201, created_json(token, secret));
        });
    });
}

void list_tokens(Call&& call) {
    QueryReader reader(call.request.query);
    const WalkFields walk = {"tokens"};
    const auto read = read_id_page(reader, walk);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    const IdPage& page = std::get<IdPage>(read);
    std::vector<ApiToken> tokens = call.services->tokens.newest_first();
    if (page.before) {
        std::erase_if(tokens, [&](const ApiToken& token) { return token.id >= *page.before; });
    }
    JsonWriter out;
    out.begin_object().begin_array("items");
    const std::size_t shown = std::min(tokens.size(), static_cast<std::size_t>(page.limit));
    for (std::size_t i = 0; i < shown; ++i) {
        out.begin_object();
        write_members(out, tokens[i]);
        out.end_object();
    }
    out.end_array();
    if (shown < tokens.size()) {
        out.member("nextCursor", make_cursor(walk, tokens[shown - 1].id));
    } else {
        out.member_null("nextCursor");
    }
    out.end_object();
    call.answer.json(200, out.take());
}

void delete_token(Call&& call) {
    const auto id = call.read_id("token");
    if (!id) {
        return;
    }
    if (const auto problem = check_admin_remains(*call.services, *id)) {
        call.answer.problem(*problem);
        return;
    }
    Node& node = call.services->node;
    node.post([&node, id = *id, services = call.services, answer = std::move(call.answer)] {
        node.submit(DeleteApiToken{id},
                    [id, services, answer](const Result<Reply<DeleteApiToken>>& reply) {
                        if (!reply) {
                            reload_if_unknown(services, reply.error());
                            answer.error(reply.error());
                            return;
                        }
                        // Also if the store no longer has it: an earlier try can have deleted it.
                        services->tokens.remove(id);
                        services->end_polls();
                        if (const auto* problem = std::get_if<Problem>(&*reply)) {
                            answer.problem(*problem);
                            return;
                        }
                        net::Response done;
                        done.status = 204;
                        answer.send(std::move(done));
                    });
    });
}

}  // namespace semel
