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

}  // namespace semel::gateway
