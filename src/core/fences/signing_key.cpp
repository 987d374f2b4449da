#include "core/fences/signing_key.hpp"

#include "core/decide.hpp"

namespace semel {
namespace {

constexpr std::string_view kNoTenant;  // a tenant's name is never empty
constexpr std::string_view kSpace = "signing";

}  // namespace

Key signing_key_claim() {
    return make_key(kNoTenant, kSpace, {"receipts"});
}

void name_rows(const KeepSigningKey&, LoadSpec& spec) {
    spec.claims.push_back(signing_key_claim().claim);
}

Reply<KeepSigningKey> decide(const KeepSigningKey& command, Workspace& workspace) {
    Key key = signing_key_claim();
    const Claim* kept = workspace.claims.find(key.claim);
    if (kept != nullptr) {
        SEMEL_ASSERT(kept->receipt.has_value());
        return kept->receipt->body;
    }
    Claim claim;
    claim.id = key.claim;
    claim.tenant = kNoTenant;
    claim.space = kSpace;
    claim.full_key = std::move(key.full_key);
    claim.state = ClaimState::sealed;
    claim.token = next_token(Token::none, workspace.now());
    claim.created_at = workspace.now();
    claim.receipt = Receipt{.status = 200, .body = command.secret};
    workspace.claims.put(key.claim, std::move(claim));
    return command.secret;
}

}  // namespace semel
