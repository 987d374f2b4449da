// found_answer: reads the answer of an upstream that an operator has found, to resolve a claim of
// the gateway. Also has the rules for the headers of every stored answer.
//
// Errors: a Problem. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/member_reader.hpp"
#include "core/passes/pass_commands.hpp"

namespace semel {

// The limit of the headers of a stored answer, all together.
inline constexpr std::size_t kKeptHeaderBytesMax = std::size_t{8} * 1024;

// What a route keeps of an answer.
struct AnswerRule {
    std::vector<std::string> replay_headers = {"location", "etag"};
    std::size_t body_bytes_max = std::size_t{1} << 20;
};

// Returns a header's name in lower case, with `-` for `_`: as an upstream behind CGI sees it.
[[nodiscard]] std::string cgi_name(std::string_view name);

// Returns true for hop-by-hop headers and Content-Length, which belong to one connection. `name`
// is a result of cgi_name().
[[nodiscard]] bool is_framing_header(std::string_view name);

// Returns true if a stored answer keeps this header: Content-Type, Content-Encoding and the names
// in `replay_headers`. Set-Cookie, Date, Semel-* and framing are never kept.
[[nodiscard]] bool is_kept_header(std::string_view name,
                                  const std::vector<std::string>& replay_headers);

// Reads `response: {status, headers, body}` of a resolution. A body that is a JSON string is the
// text's bytes. Another JSON value is its JSON text, with the content type application/json unless
// the headers name one. Returns nullopt if the member is absent or null, and after it has recorded
// an error in the reader.
[[nodiscard]] std::optional<FoundAnswer> read_found_answer(MemberReader& reader);

// Drops the headers that the route does not keep. Returns `too_large` if the rest is more than a
// stored answer may have.
[[nodiscard]] std::optional<Problem> fit_answer(FoundAnswer& answer, const AnswerRule& rule);

}  // namespace semel
