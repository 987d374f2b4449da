// Header, Request and Response: plain values of HTTP, as the server and the client exchange them,
// and pure functions on them. Threads: any.
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

#include "net/body_source.hpp"

namespace semel::net {

class IoThread;

struct Header {
    std::string name;
    std::string value;
};

// Returns the first value of that name, in any case, or nullptr. It points into `headers`.
[[nodiscard]] const std::string* find_header(const std::vector<Header>& headers,
                                             std::string_view name);

// A request whose head and framing parse_head() (head.hpp) has accepted.
struct Request {
    std::string method;
    std::string path;   // raw: still percent-encoded, without the query; starts with '/'
    std::string query;  // raw, without the '?'
    std::vector<Header> headers;
    std::string body;  // whole, chunks joined
    // The body instead, if ServerOptions::on_head chose StreamedBody; null if there is none. An
    // answer that leaves before the body was read to its end closes the connection.
    std::shared_ptr<BodySource> source = {};
    IoThread* io = nullptr;  // the handler is called on it; null if there is no connection
    std::string peer;        // "127.0.0.1:5555", "[::1]:5555"
    bool peer_is_loopback = false;
    bool tls = false;
    bool is_http_1_0 = false;

    // Registers a function that the io thread calls, at most once, if the client ends its side of
    // the connection before the answer. So a long wait can stop. The request must be answered
    // anyway. Use it inside the handler's call. Empty if there is no connection.
    std::function<void(std::function<void()>)> when_gone;

    // Returns the first value of that name, in any case, or nullptr.
    [[nodiscard]] const std::string* header(std::string_view name) const;
    // Returns how often a header of that name occurs.
    [[nodiscard]] std::size_t count(std::string_view name) const;
};

// A response, as a handler gives it to the server.
//
// The server sets Content-Length, Date and Transfer-Encoding, and drops such headers. With
// `Connection: close` it closes the connection after this answer; it drops other values. A header
// with a bad name or a control byte in its value makes the answer a 500.
struct Response {
    int status = 200;
    std::vector<Header> headers;
    std::string body;
    // Replaces `body`, for a body that is not in memory. The server reads it while it sends. If it
    // fails, the server closes the connection. Without a length it is sent in chunks, or to the end
    // of the connection of an HTTP/1.0 client.
    std::shared_ptr<BodySource> source = {};
    // The Content-Length of an answer to HEAD without a source.
    std::optional<std::uint64_t> length = {};

    // Returns the first value of that name, in any case, or nullptr.
    [[nodiscard]] const std::string* header(std::string_view name) const;
};

// Whether both are equal if ASCII letters are compared in any case.
[[nodiscard]] bool iequals(std::string_view a, std::string_view b);

// Returns the usual name of a status, like "Not Found" for 404, or an empty text.
[[nodiscard]] std::string_view reason_phrase(int status);

// Replaces every %XX by its byte and keeps '+'. Returns nullopt for a '%' without two hex digits.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

// Returns the decoded names and values of a query like "a=1&b=%20", in order. '+' is a space. A
// part without '=' has an empty value, and an empty part is skipped. Returns nullopt for a '%'
// without two hex digits.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> parse_query(
    std::string_view query);

}  // namespace semel::net
