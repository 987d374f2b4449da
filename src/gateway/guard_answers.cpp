#include "gateway/guard_answers.hpp"

#include <algorithm>

#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "gateway/answers.hpp"

namespace semel::gateway {
namespace {

constexpr std::string_view kOnly = "duplicateOnly";
constexpr std::string_view kMessage = "duplicateMessage";

void mark(net::Response& response, std::string_view claim_id) {
    response.headers.push_back({"Semel-Duplicate", "true"});
    add_claim(response, claim_id);
}

// The upstream was asked for `identity`. A body that it encoded anyway is only bytes.
bool is_encoded(const std::vector<net::Header>& headers) {
    const std::string* encoding = net::find_header(headers, "content-encoding");
    return encoding != nullptr && !net::iequals(*encoding, "identity");
}

std::string with_message(json::Value object, std::string_view message) {
    JsonWriter out(object.raw().size() + message.size() + 64);
    out.begin_object().member(kOnly, true).member(kMessage, message);
    for (const auto& [name, value] : object.members()) {
        if (name != kOnly && name != kMessage) out.member_raw(name, value.raw());
    }
    return out.end_object().take();
}

}  // namespace

net::Response duplicate(std::vector<net::Header> headers, std::string body,
                        std::string_view message, std::string_view claim_id) {
    net::Response response;
    response.headers = std::move(headers);
    response.body = std::move(body);
    if (!is_encoded(response.headers)) {
        const auto parsed = json::Document::parse(response.body, json::kAnyNumbers);
        if (parsed && parsed->root().is_object()) {
            response.body = with_message(parsed->root(), message);
            std::erase_if(response.headers, [](const net::Header& header) {
                return net::iequals(header.name, "content-type") ||
                       net::iequals(header.name, "content-encoding") ||
                       net::iequals(header.name, "etag");
            });
            response.headers.push_back({"Content-Type", "application/json"});
        }
    }
    mark(response, claim_id);
    return response;
}

net::Response duplicate_in_flight(const GuardRule& rule, std::string claim_id) {
    if (rule.refuses_in_flight) return in_progress(std::move(claim_id));
    JsonWriter out;
    out.begin_object().member("success", true).member(kOnly, true);
    out.member(kMessage, rule.in_flight_message).member_null("message");
    for (const std::string& name : rule.null_fields) out.member_null(name);
    net::Response response;
    response.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}};
    response.body = out.end_object().take();
    mark(response, claim_id);
    return response;
}

}  // namespace semel::gateway
