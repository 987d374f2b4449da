// GuardTest: an API that sends messages, behind a gateway whose route guards them.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "unit/gateway/gateway_fixture.hpp"

namespace semel::gateway {

struct Message {
    std::string workspace = "w1";
    std::string phone = "+15550100";
    std::string email = "ada@example.com";
    std::string text = "Hello";
    std::string more = "";  // members, each with a comma before it
};

inline std::string to_json(const Message& message) {
    return R"({"workspaceId":")" + message.workspace + R"(","recipientPhone":")" + message.phone +
           R"(","recipientEmail":")" + message.email + R"(","message":")" + message.text + '"' +
           message.more + "}";
}

// `headers`: further lines. The connection stays open unless one of them closes it.
inline std::string post_text(const std::string& body, const std::string& headers) {
    return "POST /api/messages HTTP/1.1\r\nHost: api.example\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline std::string post(const Message& message, const std::string& headers = "") {
    return post_text(to_json(message),
                     "Content-Type: application/json\r\nConnection: close\r\n" + headers);
}

class GuardTest : public GatewayTest {
protected:
    GuardRule guard() {
        GuardRule rule;
        rule.fields = {"/workspaceId", "/recipientPhone", "/recipientEmail", "/message"};
        rule.null_fields = {"leadId", "hsPortalId"};
        return rule;
    }
    GatewayRoute guarded_route() {
        GatewayRoute route = route_to(upstream_->port());
        route.name = "message.api";
        route.path = "/api/messages";
        route.tenant = TenantRule{TenantRule::Kind::json, "/workspaceId"};
        route.principal = {{"x-user"}};
        route.guard = guard();
        return route;
    }
    // For tests in which an equal message must get the first one's answer, however slow the
    // machine.
    GatewayRoute patient_route() {
        GatewayRoute route = guarded_route();
        route.guard->wait = std::chrono::seconds(60);
        return route;
    }
    // Each message that is sent is answered with its number.
    void start_messages(const std::function<void(GatewayRoute&)>& change = [](GatewayRoute&) {}) {
        start_upstream([this](const net::Request& request, const net::Responder& respond) {
            respond(answer(request));
        });
        GatewayRoute route = guarded_route();
        change(route);
        start_gateway({route});
    }
    net::Response answer(const net::Request& request) {
        const std::lock_guard lock(mutex_);
        seen_.push_back(request);
        net::Response response =
            net::test::text(body_.empty() ? R"({"success":true,"message":{"_id":)" +
                                                std::to_string(seen_.size()) + R"(},"leadId":"l1"})"
                                          : body_,
                            status_);
        response.headers = {{"Content-Type", type_}, {"ETag", "\"e\""}};
        return response;
    }
    std::size_t sent() {
        const std::lock_guard lock(mutex_);
        return seen_.size();
    }

    std::mutex mutex_;
    std::vector<net::Request> seen_;
    int status_ = 201;
    std::string type_ = "application/json";
    std::string body_;  // empty: a message with its number
};

}  // namespace semel::gateway
