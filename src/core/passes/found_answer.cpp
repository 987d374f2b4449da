#include "core/passes/found_answer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/json/json_pointer.hpp"

namespace semel {
namespace {

constexpr std::string_view kMember = "response";
constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
constexpr int kStatusMin = 200;
constexpr int kStatusMax = 599;
constexpr std::size_t kHeadersMax = 100;

constexpr std::array<std::string_view, 9> kHopByHop = {"connection",
                                                       "keep-alive",
                                                       "proxy-authenticate",
                                                       "proxy-authorization",
                                                       "proxy-connection",
                                                       "te",
                                                       "trailer",
                                                       "transfer-encoding",
                                                       "upgrade"};

std::string in_lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    return out;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kTokenMarks.find(c) != std::string_view::npos;
    });
}

bool is_value(std::string_view text) {
    const bool is_trimmed = text.empty() || (text.front() != ' ' && text.front() != '\t' &&
                                             text.back() != ' ' && text.back() != '\t');
    return is_trimmed && std::ranges::none_of(text, [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return (byte < 0x20 && c != '\t') || byte == 0x7F;
           });
}

bool has_header(const FoundAnswer& answer, std::string_view name) {
    return std::ranges::any_of(answer.headers, [name](const AnswerHeader& header) {
        return cgi_name(header.name) == name;
    });
}

Problem bad_header(const std::string& name, std::string detail) {
    return invalid(std::move(detail), "/response/headers/" + json::escape_token(name));
}

// Returns the first fault of a header, without regard to the other headers.
std::optional<Problem> fault_of(const std::string& name, json::Value value) {
    if (!is_name(name)) {
        return bad_header(name, "a header's name has letters, digits and -_.~!#$%&'*+^`| only");
    }
    if (!value.is_string() || !is_value(value.as_string())) {
        return bad_header(name, fmt::format("the header `{}` must be a text without control "
                                            "characters and without space at its ends",
                                            name));
    }
    if (cgi_name(name) == "content-encoding" && value.as_string() != "identity") {
        return bad_header(name,
                          "the body is stored as it is written here: write it decoded, without "
                          "`content-encoding`");
    }
    return std::nullopt;
}

std::optional<Problem> read_headers(json::Value object, FoundAnswer& answer) {
    if (object.size() > kHeadersMax) {
        return Problem{.code = ProblemCode::too_large,
                       .detail = fmt::format("`headers` has {} members, at most {} are read",
                                             object.size(), kHeadersMax),
                       .pointer = "/response/headers"};
    }
    for (const auto& [written, value] : object.members()) {
        std::string name(written);
        if (auto fault = fault_of(name, value)) {
            return fault;
        }
        if (has_header(answer, cgi_name(name))) {
            return bad_header(name, fmt::format("the header `{}` is there twice", name));
        }
        answer.headers.push_back({std::move(name), std::string(value.as_string())});
    }
    return std::nullopt;
}

bool has_no_body(int status) {
    return status == 204 || status == 205 || status == 304;
}

std::optional<Problem> read_body(const std::optional<json::Value>& value, FoundAnswer& answer) {
    std::string body;
    if (value && !value->is_null()) {
        body = value->is_string() ? value->as_string() : value->raw();
        if (!value->is_string() && !has_header(answer, "content-type")) {
            answer.headers.push_back({"content-type", "application/json"});
        }
    }
    if (!body.empty() && has_no_body(answer.status)) {
        return invalid(fmt::format("an answer with status {} has no body", answer.status),
                       "/response/body");
    }
    answer.body = std::make_shared<const std::string>(std::move(body));
    return std::nullopt;
}

std::optional<Problem> read_members(json::Value object, FoundAnswer& answer) {
    MemberReader reader(object, "/response");
    const auto status = reader.integer("status", kStatusMin, kStatusMax);
    reader.require("status", status.has_value());
    const auto headers = reader.object("headers");
    const auto body = reader.any("body");
    if (auto problem = reader.problem()) {
        return problem;
    }
    answer.status = static_cast<int>(*status);
    if (headers) {
        if (auto problem = read_headers(*headers, answer)) return problem;
    }
    return read_body(body, answer);
}

}  // namespace

std::string cgi_name(std::string_view name) {
    std::string out = in_lower_case(name);
    std::ranges::replace(out, '_', '-');
    return out;
}

bool is_framing_header(std::string_view name) {
    return std::ranges::find(kHopByHop, name) != kHopByHop.end() || name == "content-length";
}

bool is_kept_header(std::string_view name, const std::vector<std::string>& replay_headers) {
    const std::string seen = cgi_name(name);
    const bool is_never_kept = is_framing_header(seen) || seen.starts_with("semel-") ||
                               seen == "set-cookie" || seen == "set-cookie2" || seen == "date";
    if (is_never_kept) {
        return false;
    }
    return seen == "content-type" || seen == "content-encoding" ||
           std::ranges::any_of(replay_headers, [name](const std::string& kept) {
               return in_lower_case(kept) == in_lower_case(name);
           });
}

std::optional<FoundAnswer> read_found_answer(MemberReader& reader) {
    const auto object = reader.object(kMember);
    if (!object) {
        return std::nullopt;
    }
    FoundAnswer answer;
    if (auto problem = read_members(*object, answer)) {
        reader.fail(std::move(*problem));
        return std::nullopt;
    }
    return answer;
}

std::optional<Problem> fit_answer(FoundAnswer& answer, const AnswerRule& rule) {
    std::erase_if(answer.headers, [&rule](const AnswerHeader& header) {
        return !is_kept_header(header.name, rule.replay_headers);
    });
    std::size_t bytes = 0;
    for (const AnswerHeader& header : answer.headers) {
        bytes += header.name.size() + header.value.size();
    }
    if (bytes > kKeptHeaderBytesMax) {
        return Problem{.code = ProblemCode::too_large,
                       .detail = fmt::format("the headers to be stored have {} bytes, at most {} "
                                             "are kept",
                                             bytes, kKeptHeaderBytesMax),
                       .pointer = "/response/headers"};
    }
    if (answer.body && answer.body->size() > rule.body_bytes_max) {
        return Problem{
            .code = ProblemCode::too_large,
            .detail = fmt::format("`body` has {} bytes, and this route keeps at most {}. Leave "
                                  "`response` out: the request then counts as done, and repeats "
                                  "get 409 response_not_retained",
                                  answer.body->size(), rule.body_bytes_max),
            .pointer = "/response/body"};
    }
    return std::nullopt;
}

}  // namespace semel
