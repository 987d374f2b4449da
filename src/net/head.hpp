// The strict parser of message heads: pure functions over bytes, so that every rule is testable
// without a socket. What is accepted (a subset of RFC 9112, chosen so that no two parsers can read
// the same bytes differently):
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
//   Transfer-Encoding  at most once, exactly "chunked", never beside Content-Length or in HTTP/1.0
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

// Why a message is refused: the status to answer, and a sentence for whoever sent it.
struct Refusal {
    int status = 400;
    std::string_view detail;  // a literal
};

enum class Framing { none, length, chunked };

struct Head {
    std::string method;
    std::string path;
    std::string query;
    std::vector<Header> headers;
    Framing framing = Framing::none;
    std::uint64_t content_length = 0;  // with Framing::length
    bool keep_alive = true;            // never in HTTP/1.0
    bool expects_continue = false;
};

struct StatusHead {
    int status = 0;
    std::vector<Header> headers;
    Framing framing = Framing::none;  // none: the body ends with the connection
    std::uint64_t content_length = 0;
    bool keep_alive = true;
};

// Looks for the end of a head in bytes that arrive bit by bit, and refuses at the first byte that
// no head may contain, rather than wait for an end that may never come.
class HeadScanner {
public:
    struct Incomplete {};
    struct Complete {
        std::size_t size = 0;  // with the last CRLFCRLF
    };
    using Step = std::variant<Incomplete, Complete, Refusal>;

    // `bytes` is what was given last time and perhaps more.
    [[nodiscard]] Step scan(std::string_view bytes);

private:
    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
};

// REQUIRES: `head` is what a HeadScanner called complete.
[[nodiscard]] std::variant<Head, Refusal> parse_head(std::string_view head,
                                                     std::size_t headers_max);
[[nodiscard]] std::variant<StatusHead, Refusal> parse_status_head(std::string_view head);

[[nodiscard]] bool is_token(std::string_view text);
// What may stand in a header's value: no control byte but TAB.
[[nodiscard]] bool is_field_value(std::string_view text);

}  // namespace semel::net
