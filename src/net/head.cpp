#include "net/head.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "base/url_parts.hpp"

namespace semel::net {

namespace {

// Most requests have fewer headers than this; it saves the vector's first growth steps.
constexpr std::size_t kUsualHeaders = 12;

constexpr bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::array<bool, 256> make_token_table() {
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < 128; ++c) {
        const char as_char = static_cast<char>(c);
        table[c] = is_alnum(as_char) ||
                   std::string_view("!#$%&'*+-.^_`|~").find(as_char) != std::string_view::npos;
    }
    return table;
}
constexpr std::array<bool, 256> kTokenTable = make_token_table();

constexpr bool is_control_but_tab(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

std::string_view trim(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// Removes and returns the first line, without its CRLF.
std::string_view next_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    return line;
}

bool list_contains(std::string_view list, std::string_view member) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (iequals(trim(list.substr(0, end)), member)) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::optional<Refusal> parse_fields(std::string_view fields, std::size_t headers_max,
                                    std::vector<Header>& headers) {
    headers.reserve(kUsualHeaders);
    while (!fields.empty()) {
        const std::string_view line = next_line(fields);
        if (line.empty()) break;
        if (line.front() == ' ' || line.front() == '\t') {
            return Refusal{400, "A header line is folded; write each header on one line."};
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            return Refusal{400, "A header line has no colon."};
        }
        const std::string_view name = line.substr(0, colon);
        if (!is_token(name)) {
            return Refusal{400, "A header name is empty, or has a space or another bad byte."};
        }
        const std::string_view value = trim(line.substr(colon + 1));
        if (!is_field_value(value)) {
            return Refusal{400, "A header value contains a control byte."};
        }
        if (headers.size() == headers_max) return Refusal{431, "Too many header lines."};
        headers.push_back({std::string(name), std::string(value)});
    }
    return std::nullopt;
}

// The headers that decide where a message ends, collected in one pass.
struct FramingFields {
    const std::string* transfer_encoding = nullptr;
    const std::string* content_length = nullptr;
    const std::string* host = nullptr;
    const std::string* expect = nullptr;
    bool repeated_framing = false;
    bool repeated_host = false;
    bool repeated_expect = false;
    bool closes = false;
};

bool take_field(const std::string*& slot, const Header& header) {
    const bool repeated = slot != nullptr;
    slot = &header.value;
    return repeated;
}

FramingFields collect(const std::vector<Header>& headers) {
    FramingFields fields;
    for (const Header& header : headers) {
        // The five names have different lengths, so most headers cost one comparison of sizes.
        switch (header.name.size()) {
            case 4:
                if (iequals(header.name, "host")) {
                    fields.repeated_host |= take_field(fields.host, header);
                }
                break;
            case 6:
                if (iequals(header.name, "expect")) {
                    fields.repeated_expect |= take_field(fields.expect, header);
                }
                break;
            case 10:
                if (iequals(header.name, "connection")) {
                    fields.closes |= list_contains(header.value, "close");
                }
                break;
            case 14:
                if (iequals(header.name, "content-length")) {
                    fields.repeated_framing |= take_field(fields.content_length, header);
                }
                break;
            case 17:
                if (iequals(header.name, "transfer-encoding")) {
                    fields.repeated_framing |= take_field(fields.transfer_encoding, header);
                }
                break;
            default: break;
        }
    }
    return fields;
}

template <typename AnyHead>
std::optional<Refusal> decide_framing(const FramingFields& fields, bool is_http_1_0,
                                      AnyHead& head) {
    if (fields.repeated_framing) {
        return Refusal{400, "Content-Length or Transfer-Encoding occurs twice."};
    }
    if (fields.transfer_encoding != nullptr) {
        if (fields.content_length != nullptr) {
            return Refusal{400, "Content-Length stands beside Transfer-Encoding; send one."};
        }
        if (is_http_1_0) return Refusal{400, "HTTP/1.0 has no Transfer-Encoding."};
        if (!iequals(*fields.transfer_encoding, "chunked")) {
            return Refusal{400, "Transfer-Encoding must be exactly \"chunked\"."};
        }
        head.framing = Framing::chunked;
    } else if (fields.content_length != nullptr) {
        const auto length = parse_decimal(*fields.content_length);
        if (!length) return Refusal{400, "Content-Length must be one decimal number."};
        head.framing = Framing::length;
        head.content_length = static_cast<std::uint64_t>(*length);
    }
    head.keep_alive = !fields.closes && !is_http_1_0;
    return std::nullopt;
}

// Splits the target into path and query; the authority of an absolute form goes to `authority`.
std::optional<Refusal> parse_target(std::string_view target, Head& head,
                                    std::optional<std::string_view>& authority) {
    const bool is_visible = std::all_of(target.begin(), target.end(), [](char c) {
        return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f &&
               c != '#';
    });
    if (!is_visible) {
        return Refusal{400, "The request target has a space, '#' or a byte to be escaped."};
    }
    const std::size_t scheme_end = target.find("://");
    if (scheme_end != std::string_view::npos && target.front() != '/') {
        const std::string_view scheme = target.substr(0, scheme_end);
        if (!iequals(scheme, "http") && !iequals(scheme, "https")) {
            return Refusal{400, "The request target has an unknown scheme."};
        }
        target.remove_prefix(scheme_end + 3);
        authority = target.substr(0, target.find_first_of("/?"));
        target.remove_prefix(authority->size());
    } else if (target.empty() || target.front() != '/') {
        return Refusal{400, "The request target must start with '/'."};
    }
    const std::size_t mark = std::min(target.find('?'), target.size());
    head.path = mark == 0 ? std::string("/") : std::string(target.substr(0, mark));
    head.query = std::string(target.substr(std::min(mark + 1, target.size())));
    return std::nullopt;
}

struct RequestLine {
    std::string_view method;
    std::string_view target;
    bool is_http_1_0 = false;
};

std::variant<RequestLine, Refusal> parse_request_line(std::string_view line) {
    RequestLine out;
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        return Refusal{400, "The request line must be: METHOD /target HTTP/1.1"};
    }
    out.method = line.substr(0, first);
    out.target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(out.method)) return Refusal{400, "The method is not a token."};
    if (out.method == "CONNECT") return Refusal{400, "CONNECT is not served here."};
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool is_version = version.size() == 8 && version.substr(0, 5) == "HTTP/" &&
                            is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
    if (!is_version) return Refusal{400, "The request line must end with HTTP/1.1."};
    out.is_http_1_0 = version == "HTTP/1.0";
    if (!out.is_http_1_0 && version != "HTTP/1.1") {
        return Refusal{505, "Only HTTP/1.1 and HTTP/1.0 are served."};
    }
    return out;
}

std::optional<Refusal> check_host(const FramingFields& fields,
                                  const std::optional<std::string_view>& authority) {
    if (fields.repeated_host || fields.host == nullptr) {
        return Refusal{400, "Host must occur exactly once."};
    }
    if (!is_host(*fields.host)) {
        return Refusal{400, "Host must be a host name or address with an optional port."};
    }
    if (authority && !iequals(*authority, *fields.host)) {
        return Refusal{400, "The request target names another host than the Host header."};
    }
    return std::nullopt;
}

}  // namespace

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return kTokenTable[static_cast<unsigned char>(c)];
    });
}

bool is_field_value(std::string_view text) {
    return std::none_of(text.begin(), text.end(), is_control_but_tab);
}

HeadScanner::Step HeadScanner::scan(std::string_view bytes) {
    for (; position_ < bytes.size(); ++position_) {
        const char c = bytes[position_];
        const bool after_cr = position_ > line_start_ && bytes[position_ - 1] == '\r';
        if (c == '\n') {
            if (!after_cr) return Refusal{400, "A line ends with LF alone; CRLF is needed."};
            if (position_ - line_start_ == 1) {
                if (line_start_ == 0) return Refusal{400, "The request line is empty."};
                return Complete{position_ + 1};
            }
            line_start_ = position_ + 1;
        } else if (after_cr) {
            return Refusal{400, "CR stands without LF."};
        } else if (c != '\r' && is_control_but_tab(c)) {
            return Refusal{400, "The head contains a control byte."};
        }
    }
    return Incomplete{};
}

std::variant<Head, Refusal> parse_head(std::string_view head, std::size_t headers_max) {
    auto parsed_line = parse_request_line(next_line(head));
    if (const auto* refusal = std::get_if<Refusal>(&parsed_line)) return *refusal;
    const RequestLine& line = std::get<RequestLine>(parsed_line);

    Head out;
    out.method = std::string(line.method);
    std::optional<std::string_view> authority;
    if (auto refusal = parse_target(line.target, out, authority)) return *refusal;
    if (auto refusal = parse_fields(head, headers_max, out.headers)) return *refusal;
    const FramingFields fields = collect(out.headers);
    if (auto refusal = check_host(fields, authority)) return *refusal;
    out.is_http_1_0 = line.is_http_1_0;
    if (auto refusal = decide_framing(fields, line.is_http_1_0, out)) return *refusal;
    if (fields.expect != nullptr && !line.is_http_1_0) {
        if (fields.repeated_expect || !iequals(*fields.expect, "100-continue")) {
            return Refusal{417, "Expect may only be 100-continue."};
        }
        out.expects_continue = true;
    }
    return out;
}

std::variant<StatusHead, Refusal> parse_status_head(std::string_view head) {
    const std::string_view line = next_line(head);
    const bool is_http_1_0 = line.substr(0, 9) == "HTTP/1.0 ";
    const bool is_known = is_http_1_0 || line.substr(0, 9) == "HTTP/1.1 ";
    const auto status =
        is_known && line.size() >= 12 ? parse_decimal(line.substr(9, 3)) : std::nullopt;
    if (!status || *status < 100 || *status > 599 || (line.size() > 12 && line[12] != ' ')) {
        return Refusal{502, "The status line is not HTTP/1.1."};
    }
    StatusHead out;
    out.status = static_cast<int>(*status);
    // A server that was called can send more headers than are accepted from clients.
    constexpr std::size_t kHeadersMax = 1000;
    if (auto refusal = parse_fields(head, kHeadersMax, out.headers)) return *refusal;
    if (auto refusal = decide_framing(collect(out.headers), is_http_1_0, out)) return *refusal;
    return out;
}

}  // namespace semel::net
