// The bytes of an answer's head. Pure code; what a handler must not decide is decided here.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "net/http.hpp"

namespace semel::net {

// False if a header could split the response, or the status is no final one (200 to 599).
[[nodiscard]] bool is_writable(const Response& response);
// Whether the handler itself asked for the connection to close.
[[nodiscard]] bool asks_to_close(const Response& response);
// 204 and 304 have no body, whatever the handler put there.
[[nodiscard]] bool may_have_body(int status);

// Replaces `out` by the head of the response.
// REQUIRES: is_writable(response).
void write_head(const Response& response, bool keep_alive, std::string_view date, std::string& out);

// "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::string format_http_date(std::time_t time);

}  // namespace semel::net
