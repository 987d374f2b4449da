// Parses the heads of HTTP/1.1 messages strictly. Pure, so that each rule can be tested without a
// socket. Errors are Refusals. Threads: any, but one at a time for a HeadScanner. It accepts this
// subset of RFC 9112, which no two parsers read differently:
//
//   head    = line CRLF *( field CRLF ) CRLF        CR and LF only as this CRLF; no other control
//                                                   byte but TAB, and that in field values alone
//   line    = method SP target SP "HTTP/1." ("0" / "1")          single spaces
//   method  = token, not CONNECT
//   target  = "/" *visible-ASCII-but-"#"
//           / ("http" / "https") "://" Host's-value [ "/" … ]    the obsolete absolute form
//   field   = token ":" OWS value OWS                            no folding, no space before ":"
//
//   Host               exactly once, a host with an optional port
//   Content-Length     at most once, digits only, no overflow
//   Transfer-Encoding  at most once, exactly "chunked", not with Content-Length or in HTTP/1.0
//   Expect             only "100-continue"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "net/http.hpp"

namespace semel::net {

// The refusal of a message: the status to answer, and a sentence for the client.
struct Refusal {
    int status = 400;
    std::string_view detail;  // a literal, which lives as long as the process
};

enum class Framing { none, length, chunked };

struct Head {
    std::string method;
    std::string path;
    std::string query;
    std::vector<Header> headers;
    Framing framing = Framing::none;
    std::uint64_t content_length = 0;  // with Framing::length
    bool is_http_1_0 = false;
    bool keep_alive = true;  // false in HTTP/1.0
    bool expects_continue = false;
};

struct StatusHead {
    int status = 0;
    std::vector<Header> headers;
    Framing framing = Framing::none;  // none: the body ends with the connection
    std::uint64_t content_length = 0;
    bool keep_alive = true;
};

// Finds the end of one head in bytes that arrive in pieces. It refuses at the first byte that no
// head can contain, instead of waiting for an end that might never come.
class HeadScanner {
public:
    struct Incomplete {};
    struct Complete {
        std::size_t size = 0;  // of the head, with its empty line
    };
    using Step = std::variant<Incomplete, Complete, Refusal>;

    // `bytes` begins with the bytes of the call before. Scans only the new ones.
    [[nodiscard]] Step scan(std::string_view bytes);

private:
    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
};

// Parses a request's head, or returns why it is refused: 400, 417, 431 above `headers_max`, or 505.
// REQUIRES (both functions): `head` is what a HeadScanner reported as Complete.
[[nodiscard]] std::variant<Head, Refusal> parse_head(std::string_view head,
                                                     std::size_t headers_max);
// Parses a response's head, or returns why it is refused: 502 for the status line, 400 or 431 for
// the headers.
[[nodiscard]] std::variant<StatusHead, Refusal> parse_status_head(std::string_view head);

[[nodiscard]] bool is_token(std::string_view text);
// Returns whether the text can be a header's value: no control byte except TAB.
[[nodiscard]] bool is_field_value(std::string_view text);

}  // namespace semel::net
