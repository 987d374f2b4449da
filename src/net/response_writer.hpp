// Writes the head of an answer, and sets the headers that a handler must not set: Date,
// Content-Length, Connection. The functions are pure.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "net/http.hpp"

namespace semel::net {

// Whether the response can be sent: its status is 200 to 599, and no header could split it.
[[nodiscard]] bool is_writable(const Response& response);
// Whether the response has `Connection: close`.
[[nodiscard]] bool asks_to_close(const Response& response);
// Whether an answer with this status has a body: not with 204 and 304.
[[nodiscard]] bool may_have_body(int status);

// Replaces `out` by the head of the response. `date` is the value of the header Date; without
// `keep_alive` the head has `Connection: close`. REQUIRES: is_writable(response).
void write_head(const Response& response, bool keep_alive, std::string_view date, std::string& out);

// Returns the time as the header Date has it: "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::string format_http_date(std::time_t time);

}  // namespace semel::net
