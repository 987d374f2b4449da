// Decisions about API tokens.
#include "core/decide.hpp"

namespace semel {

void name_rows(const CreateApiToken&, LoadSpec&) {}

Reply<CreateApiToken> decide(const CreateApiToken& command, Workspace& workspace) {
    ApiToken token;
    token.id = workspace.new_id();
    token.tenant = command.tenant;
    token.name = command.name;
    token.scopes = command.scopes;
    token.secret_hash = command.secret_hash;
    token.created_at = workspace.now();
    token.expires_at = command.expires_at;
    workspace.api_tokens.put(token.id, token);
    return token;
}

void name_rows(const DeleteApiToken& command, LoadSpec& spec) {
    spec.api_tokens.push_back(command.id);
}

Reply<DeleteApiToken> decide(const DeleteApiToken& command, Workspace& workspace) {
    const ApiToken* token = workspace.api_tokens.find(command.id);
    if (token == nullptr) {
        return not_found("there is no token with this id");
    }
    ApiToken deleted = *token;
    workspace.api_tokens.erase(command.id);
    return deleted;
}

}  // namespace semel
