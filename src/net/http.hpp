// The plain values of HTTP that every listener and client here speaks in. No sockets, no threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.hpp"

namespace semel::net {

struct Header {
    std::string name;
    std::string value;
};

// The first value of that name, whatever its case; nullptr if there is none.
[[nodiscard]] const std::string* find_header(const std::vector<Header>& headers,
                                             std::string_view name);

// A request whose framing has been checked: see head.hpp for what never gets this far.
struct Request {
    std::string method;
    std::string path;   // raw: still percent-encoded, without the query; starts with '/'
    std::string query;  // raw, without the '?'
    std::vector<Header> headers;
    std::string body;  // whole, chunks joined
    std::string peer;  // "127.0.0.1:5555", "[::1]:5555"
    bool peer_is_loopback = false;
    bool tls = false;

    // Calls back on the io thread, at most once, if the client ends its side of the connection
    // before it is answered: whoever waits on its behalf can stop. The answer is still owed. For
    // use inside the handler's call; empty for a request that came by no connection.
    std::function<void(std::function<void()>)> when_gone;

    // The first value of that name, whatever its case; nullptr if there is none.
    [[nodiscard]] const std::string* header(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;
};

// Content-Length, Date and Transfer-Encoding are the server's business: such headers are dropped.
// `Connection: close` closes the connection after this answer; other values of it are dropped.
// A header that could split the response (a bad name, CR, LF or NUL in it) makes the answer a 500.
struct Response {
    int status = 200;
    std::vector<Header> headers;
    std::string body;
    // The body instead, where it is too large to be held: read as it is sent. One that turns out
    // shorter than it was closes the connection.
    std::shared_ptr<const OpenFile> file = {};

    [[nodiscard]] const std::string* header(std::string_view name) const;
    [[nodiscard]] std::uint64_t content_length() const { return file ? file->size() : body.size(); }
};

[[nodiscard]] bool iequals(std::string_view a, std::string_view b);

// "Not Found" for 404; empty for a status without a usual name.
[[nodiscard]] std::string_view reason_phrase(int status);

// Every %XX becomes its byte; '+' stays. nullopt for a '%' without two hex digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

// "a=1&b=%20" in order, names and values decoded, '+' as a space; a part without '=' has an empty
// value, an empty part is skipped. nullopt for bad escapes.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> parse_query(
    std::string_view query);

}  // namespace semel::net
