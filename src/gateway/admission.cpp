#include "gateway/admission.hpp"

#include <utility>

#include "core/keys/dedup_key.hpp"
#include "core/passes/pass.hpp"
#include "gateway/answers.hpp"
#include "gateway/request_content.hpp"
#include "gateway/request_view.hpp"

namespace semel::gateway {

bool may_claim(const net::Request& head, const GatewayRoute& route) {
    if (!route.idempotency_key || !method_claims(head.method)) return false;
    const KeyRule& rule = *route.idempotency_key;
    return rule.is_required || rule.from.kind == RequestPlace::Kind::json ||
           head.header(rule.from.name) != nullptr;
}

std::variant<std::optional<AdmitPass>, net::Response> read_admission(const net::Request& request,
                                                                     const Route& route,
                                                                     const std::string& path) {
    const GatewayRoute& settings = route.settings;
    const KeyRule& rule = *settings.idempotency_key;
    const RequestBody body(request, reads_body(settings));
    if (reads_body(settings)) {
        if (auto problem = body.problem()) return problem_answer(*std::move(problem));
    }
    auto key = read_key(request, body, rule);
    if (auto* problem = std::get_if<Problem>(&key)) return problem_answer(std::move(*problem));
    auto& read = std::get<std::optional<RequestKey>>(key);
    if (!read) return std::nullopt;
    auto tenant = read_tenant(request, &body, settings, nullptr);
    if (auto* problem = std::get_if<Problem>(&tenant)) return problem_answer(std::move(*problem));

    const RequestContent content{request.method, path, request.query, body};
    AdmitPass admission{.tenant = std::get<std::string>(std::move(tenant)), .request = {}};
    PassRequest& asked = admission.request;
    asked.route = settings.name;
    asked.principal = principal_of(request, settings);
    Key claimed =
        make_key(admission.tenant, key_space(settings.name), {asked.principal.to_hex(), read->key});
    asked.key = AskedClaim{claimed.claim, std::move(claimed.full_key), rule.ttl};
    asked.sent_key = std::move(read->sent_as);
    asked.fingerprint = fingerprint(content);
    asked.content = to_stored(content);
    asked.wait = rule.wait;
    return admission;
}

}  // namespace semel::gateway
