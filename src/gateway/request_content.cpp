#include "gateway/request_content.hpp"

#include "core/json/canonical_json.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"

namespace semel::gateway {
namespace {

// The body is the last member, so that a long one can be left out.
std::string stored_text(const RequestContent& content, bool with_body) {
    JsonWriter out;
    out.begin_object();
    out.member("method", content.method);
    out.member("path", content.path);
    out.member("query", content.query);
    out.member("bodyHash", content.body.fingerprint().to_hex());
    if (const auto body = content.body.json(); body && with_body) {
        out.member_raw("body", body->raw());
    }
    out.end_object();
    return out.take();
}

std::optional<std::string_view> text_of(json::Value object, std::string_view name) {
    const auto value = object.find(name);
    return value && value->is_string() ? std::optional(value->as_string()) : std::nullopt;
}

}  // namespace

Hash256 fingerprint(const RequestContent& content) {
    return FieldHasher("semel.gateway.request")
        .field(content.method)
        .field(content.path)
        .field(content.query)
        .field(content.body.fingerprint().to_hex())
        .finish();
}

std::string to_stored(const RequestContent& content) {
    std::string whole = stored_text(content, true);
    return whole.size() <= kContentBytesMax ? whole : stored_text(content, false);
}

Differences differences_from(const std::string& stored, const RequestContent& now,
                             const DiffOptions& options) {
    constexpr json::Limits kInsideAnObject{.depth_max = 65, .numbers = json::Numbers::any};
    Differences differences;
    const auto document = json::Document::parse(stored, kInsideAnObject);
    if (!document) {
        return differences;
    }
    const json::Value first = document->root();
    const auto compare = [&](std::string_view name, std::string_view value) {
        const auto before = text_of(first, name);
        if (before && *before != value) differences.names.emplace_back(name);
    };
    compare("method", now.method);
    compare("path", now.path);
    compare("query", now.query);
    const auto first_body = first.find("body");
    const auto body = now.body.json();
    if (first_body && body) {
        DiffResult diff = json_diff(*first_body, *body, options);
        differences.patch = std::move(diff.patch_json);
        differences.is_truncated = diff.truncated;
        return differences;
    }
    const auto before = text_of(first, "bodyHash");
    if (before && *before != now.body.fingerprint().to_hex()) {
        differences.names.emplace_back("body");
    }
    return differences;
}

}  // namespace semel::gateway
