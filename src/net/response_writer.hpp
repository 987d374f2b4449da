// Renders the head of an answer, and sets the headers that a handler must not set: Date,
// Content-Length, Transfer-Encoding and Connection. Pure. Threads: any.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
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

// How the client finds the end of an answer, and whether the connection stays open.
struct HeadFraming {
    std::optional<std::uint64_t> length;  // of the body; without it and chunks the connection ends
    bool is_chunked = false;
    bool keeps_alive = true;
};

// Replaces `out` by the head of the response. `date` is the value of the header Date. An answer
// whose status has no body gets no framing. REQUIRES: is_writable(response).
void write_head(const Response& response, const HeadFraming& framing, std::string_view date,
                std::string& out);

// Returns the time as the header Date has it: "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::string format_http_date(std::time_t time);

}  // namespace semel::net
