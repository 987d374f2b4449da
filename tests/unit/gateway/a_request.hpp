// Requests for the tests of this room.
#pragma once

#include <string>
#include <vector>

#include "net/http.hpp"

namespace semel::gateway {

inline net::Request a_request(std::vector<net::Header> headers, std::string body = "") {
    net::Request request;
    request.method = "POST";
    request.path = "/a";
    request.peer = "192.0.2.7:5555";
    request.headers = std::move(headers);
    request.headers.insert(request.headers.begin(), {"Host", "api.example.com"});
    request.body = std::move(body);
    return request;
}

inline net::Request a_request_of(const std::string& type, std::string body) {
    return a_request({{"Content-Type", type}}, std::move(body));
}

}  // namespace semel::gateway
