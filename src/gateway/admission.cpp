#include "gateway/admission.hpp"

#include <utility>

#include "core/keys/dedup_key.hpp"
#include "core/keys/key_header.hpp"
#include "core/passes/pass.hpp"
#include "gateway/answers.hpp"
#include "gateway/guard_key.hpp"
#include "gateway/request_content.hpp"
#include "gateway/request_view.hpp"

namespace semel::gateway {
namespace {

AskedClaim to_asked(Key key, Millis ttl) {
    return {key.claim, std::move(key.full_key), ttl};
}

void claim_key(AdmitPass& admission, RequestKey read, const RequestContent& content,
               const KeyRule& rule) {
    PassRequest& asked = admission.request;
    asked.key = to_asked(
        make_key(admission.tenant, key_space(asked.route), {asked.principal.to_hex(), read.key}),
        rule.ttl);
    asked.sent_key = std::move(read.sent_as);
    asked.fingerprint = fingerprint(content);
    asked.content = to_stored(content);
    asked.wait = rule.wait;
}

void claim_guard(AdmitPass& admission, const std::vector<std::string>& parts,
                 const GuardRule& rule) {
    PassRequest& asked = admission.request;
    asked.guard =
        to_asked(make_key(admission.tenant, guard_space(asked.route), parts), rule.window);
    asked.duplicate_message = rule.duplicate_message;
    if (!asked.key) asked.wait = rule.wait;
}

// The client's own Idempotency-Key, which a route without keys passes on.
std::string passed_key(const net::Request& request) {
    const std::string* value = request.header("idempotency-key");
    const bool is_one = value != nullptr && request.count("idempotency-key") == 1;
    return is_one && value->size() <= kKeyHeaderBytesMax ? *value : "";
}

}  // namespace

bool may_claim(const net::Request& head, const GatewayRoute& route) {
    if (!method_claims(head.method)) return false;
    if (route.guard) return true;
    if (!route.idempotency_key) return false;
    const KeyRule& rule = *route.idempotency_key;
    return rule.is_required || rule.from.kind == RequestPlace::Kind::json ||
           head.header(rule.from.name) != nullptr;
}

std::variant<RequestClaims, net::Response> read_admission(const net::Request& request,
                                                          const Route& route,
                                                          const std::string& path) {
    const GatewayRoute& settings = route.settings;
    const RequestBody body(request, reads_body(settings));
    if (reads_body(settings)) {
        if (auto problem = body.problem()) return problem_answer(*std::move(problem));
    }
    std::optional<RequestKey> key;
    if (settings.idempotency_key) {
        auto read = read_key(request, body, *settings.idempotency_key);
        if (auto* problem = std::get_if<Problem>(&read)) return problem_answer(std::move(*problem));
        key = std::get<std::optional<RequestKey>>(std::move(read));
    }
    if (!key && !settings.guard) return RequestClaims{};
    auto tenant = read_tenant(request, &body, settings, nullptr);
    if (auto* problem = std::get_if<Problem>(&tenant)) return problem_answer(std::move(*problem));

    const RequestContent content{request.method, path, request.query, body};
    RequestClaims claims;
    AdmitPass admission{.tenant = std::get<std::string>(std::move(tenant)), .request = {}};
    admission.request.route = settings.name;
    admission.request.principal = principal_of(request, settings);
    if (!settings.idempotency_key) admission.request.sent_key = passed_key(request);
    if (key) claim_key(admission, *std::move(key), content, *settings.idempotency_key);
    if (settings.guard) {
        const auto parts = guard_key(content, *settings.guard);
        claims.skips_guard = !parts;
        if (parts) claim_guard(admission, *parts, *settings.guard);
    }
    if (admission.request.key || admission.request.guard) claims.admission = std::move(admission);
    return claims;
}

}  // namespace semel::gateway
