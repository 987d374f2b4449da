#include "net/request_head.hpp"

#include <algorithm>
#include <string_view>

#include "net/head.hpp"

namespace semel::net {

namespace {

bool belongs_to_the_call(std::string_view name) {
    return iequals(name, "Content-Length") || iequals(name, "Transfer-Encoding") ||
           iequals(name, "Expect");
}

bool is_request_target(std::string_view target) {
    return !target.empty() && target.front() == '/' &&
           std::all_of(target.begin(), target.end(),
                       [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
}

}  // namespace

RequestFraming framing_of(const CallRequest& request) {
    if (request.source) {
        const auto length = request.source->length();
        return {!length, length};
    }
    // Servers may insist on a length with these methods, even if the body is empty.
    const bool expects_body =
        request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
    if (request.body.empty() && !expects_body) return {};
    return {false, request.body.size()};
}

Result<std::string> render_request_head(const CallRequest& request, const RequestFraming& framing) {
    std::string out;
    out.reserve(512);
    out.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
    // CONNECT would turn the connection into a tunnel.
    bool is_sound = is_token(request.method) && request.method != "CONNECT" &&
                    is_request_target(request.target) &&
                    find_header(request.headers, "Host") != nullptr;
    for (const Header& header : request.headers) {
        is_sound = is_sound && is_token(header.name) && is_field_value(header.value);
        if (belongs_to_the_call(header.name)) continue;
        out.append(header.name).append(": ").append(header.value).append("\r\n");
    }
    if (!is_sound) {
        return Error(ErrorCode::invalid,
                     "a method, target or header cannot be sent: HTTP does not allow one of its "
                     "characters, or Host is missing");
    }
    if (framing.is_chunked) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (framing.length) {
        out.append("Content-Length: ").append(std::to_string(*framing.length)).append("\r\n");
    }
    return out.append("\r\n");
}

}  // namespace semel::net
