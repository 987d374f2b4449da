#include "gateway/request_body.hpp"

#include <algorithm>

#include "core/json/canonical_json.hpp"

namespace semel::gateway {
namespace {

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

std::string_view media_type(std::string_view content_type) {
    return trimmed(content_type.substr(0, content_type.find(';')));
}

bool is_json_type(std::string_view media) {
    constexpr std::string_view kSuffix = "+json";
    return net::iequals(media, "application/json") || net::iequals(media, "text/json") ||
           (media.size() > kSuffix.size() &&
            net::iequals(media.substr(media.size() - kSuffix.size()), kSuffix));
}

// The boundary of multipart/form-data. It has no `;` and no escapes: RFC 2046 allows neither.
std::string boundary_of(std::string_view content_type) {
    if (!net::iequals(media_type(content_type), "multipart/form-data")) {
        return "";
    }
    std::string_view rest = content_type;
    while (rest.find(';') != std::string_view::npos) {
        rest.remove_prefix(rest.find(';') + 1);
        const std::string_view parameter = trimmed(rest.substr(0, rest.find(';')));
        const std::size_t equals = std::min(parameter.find('='), parameter.size());
        if (net::iequals(parameter.substr(0, equals), "boundary")) {
            std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
            if (value.size() > 2 && value.front() == '"' && value.back() == '"') {
                value = value.substr(1, value.size() - 2);
            }
            return std::string(value);
        }
    }
    return "";
}

// The pieces between the delimiters, each with its length: no piece can look like a delimiter.
Hash256 hash_without_boundary(std::string_view body, const std::string& boundary) {
    const std::string delimiter = "\r\n--" + boundary;
    FieldHasher hasher("semel.gateway.multipart");
    // The first delimiter may begin the body, without its line break.
    if (body.starts_with(std::string_view(delimiter).substr(2))) {
        hasher.field("");
        body.remove_prefix(delimiter.size() - 2);
    }
    while (true) {
        const std::size_t at = body.find(delimiter);
        hasher.field(body.substr(0, at));
        if (at == std::string_view::npos) {
            return hasher.finish();
        }
        body.remove_prefix(at + delimiter.size());
    }
}

}  // namespace

RequestBody::RequestBody(const net::Request& request, bool reads_any_type) : bytes_(request.body) {
    is_encoded_ = std::ranges::any_of(request.headers, [](const net::Header& header) {
        return net::iequals(header.name, "content-encoding") &&
               !net::iequals(header.value, "identity");
    });
    const std::string* type = request.header("content-type");
    has_json_type_ = type != nullptr && is_json_type(media_type(*type));
    if (is_encoded_) {
        return;
    }
    boundary_ = type != nullptr ? boundary_of(*type) : "";
    if (!has_json_type_ && !reads_any_type && (type != nullptr || bytes_.empty())) {
        return;
    }
    auto parsed = json::Document::parse(request.body, json::kAnyNumbers);
    if (parsed) {
        document_ = *std::move(parsed);
    } else {
        parse_error_ = parsed.error().message;
        error_pointer_ = parsed.error().pointer;
    }
}

std::optional<json::Value> RequestBody::json() const {
    return document_ ? std::optional(document_->root()) : std::nullopt;
}

std::optional<HttpProblem> RequestBody::problem() const {
    if (is_encoded_) {
        return HttpProblem(
            invalid("this route reads the body, and compressed bodies are not read; send it "
                    "without `Content-Encoding`"),
            415);
    }
    if (has_json_type_ && !document_) {
        return HttpProblem(invalid("the body is not valid JSON: " + parse_error_, error_pointer_));
    }
    return std::nullopt;
}

Hash256 RequestBody::fingerprint() const {
    if (document_) {
        return semel::fingerprint(document_->root());
    }
    if (!boundary_.empty()) {
        return hash_without_boundary(bytes_, boundary_);
    }
    return FieldHasher("semel.gateway.bytes").field(bytes_).finish();
}

}  // namespace semel::gateway
