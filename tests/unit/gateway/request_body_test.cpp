#include "gateway/request_body.hpp"

#include <gtest/gtest.h>

#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

Hash256 fingerprint_of(const net::Request& request) {
    return RequestBody(request, false).fingerprint();
}

Hash256 json_hash(const std::string& body) {
    return fingerprint_of(a_request_of("application/json", body));
}

TEST(RequestBody, JsonIsComparedByItsContent) {
    EXPECT_EQ(json_hash(R"({"a":1,"b":[2]})"), json_hash("{ \"b\" : [2.0], \"a\":1e0 }\n"));
    EXPECT_NE(json_hash(R"({"a":1})"), json_hash(R"({"a":"1"})"));
    EXPECT_NE(json_hash(R"({"a":null})"), json_hash("{}"));
    EXPECT_NE(json_hash("[9007199254740993]"), json_hash("[9007199254740992]"));
    EXPECT_NE(json_hash("[1e400]"), json_hash("[1e401]")) << "no double has these numbers";
    for (const char* type : {"application/json; charset=utf-8", "APPLICATION/JSON",
                             "application/problem+json", "text/json"}) {
        EXPECT_EQ(fingerprint_of(a_request_of(type, "{ }")), json_hash("{}")) << type;
    }
    EXPECT_EQ(fingerprint_of(a_request({}, "{ }")), json_hash("{}")) << "no type is no other type";
}

TEST(RequestBody, AnythingElseIsComparedByItsBytes) {
    for (const char* type :
         {"text/plain", "application/x-www-form-urlencoded", "application/jsonx", "+json"}) {
        EXPECT_NE(fingerprint_of(a_request_of(type, "{ }")),
                  fingerprint_of(a_request_of(type, "{}")))
            << type;
        EXPECT_EQ(fingerprint_of(a_request_of(type, "{}")),
                  fingerprint_of(a_request_of(type, "{}")))
            << type;
    }
    EXPECT_NE(json_hash("{"), json_hash("{ ")) << "malformed";
    EXPECT_NE(json_hash(R"({"a":1,"a":1})"), json_hash(R"({"a":1, "a":1})")) << "ambiguous";
    const net::Header gzip = {"Content-Encoding", "gzip"};
    const net::Header type = {"Content-Type", "application/json"};
    EXPECT_NE(fingerprint_of(a_request({type, gzip}, "{}")),
              fingerprint_of(a_request({type, gzip}, "{ }")));
}

std::string a_form(const std::string& boundary, const std::string& text) {
    return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + text +
           "\r\n--" + boundary + "--\r\n";
}

Hash256 form_hash(const std::string& type, const std::string& body) {
    return fingerprint_of(a_request_of("multipart/form-data; " + type, body));
}

TEST(RequestBody, TheBoundaryOfAFormDoesNotCount) {
    const Hash256 form = form_hash("boundary=one", a_form("one", "text"));
    EXPECT_EQ(form, form_hash("boundary=two", a_form("two", "text")));
    EXPECT_EQ(form, form_hash("charset=utf-8; Boundary=\"two\"", a_form("two", "text")));
    EXPECT_NE(form, form_hash("boundary=one", a_form("one", "other")));
    // Each of these is a text for one client and a delimiter for the other.
    EXPECT_NE(form_hash("boundary=one", a_form("one", "x\r\n--two\r\ny")),
              form_hash("boundary=two", a_form("two", "x\r\n--two\r\ny")));
    EXPECT_NE(form_hash("boundary=a", "--a\r\nx"), form_hash("boundary=a", "\r\n--a\r\nxy"));
    EXPECT_NE(form_hash("boundary=a", "--ax"), form_hash("boundary=a", "x"));
    EXPECT_NE(form_hash("charset=utf-8", a_form("one", "text")),
              form_hash("charset=utf-8", a_form("two", "text")))
        << "no boundary is known";
    EXPECT_NE(fingerprint_of(a_request_of("multipart/mixed; boundary=one", a_form("one", "t"))),
              fingerprint_of(a_request_of("multipart/mixed; boundary=two", a_form("two", "t"))));
}

TEST(RequestBody, ARouteWithPointersReadsABodyOfAnyType) {
    const net::Request text = a_request_of("text/plain", R"({"a":1})");
    EXPECT_FALSE(RequestBody(text, false).json());
    ASSERT_TRUE(RequestBody(text, true).json());
    EXPECT_TRUE(RequestBody(text, true).json()->is_object());
    EXPECT_FALSE(RequestBody(text, true).problem());
    EXPECT_FALSE(RequestBody(a_request_of("text/plain", "a=1"), true).json());
    EXPECT_FALSE(RequestBody(a_request_of("text/plain", "a=1"), true).problem());
    EXPECT_FALSE(RequestBody(a_request({}, ""), true).problem());
}

TEST(RequestBody, ABodyThatReadersDisagreeAboutIsRefused) {
    const std::string deep = std::string(65, '[') + std::string(65, ']');
    for (const std::string& body :
         {std::string("{"), std::string(""), std::string(R"({"a":1,"a":2})"),
          std::string("\"\xff\""), std::string(R"("\ud800")"), std::string("\xef\xbb\xbf{}"), deep,
          std::string("{} {}"), std::string("NaN")}) {
        const auto problem = RequestBody(a_request_of("application/json", body), true).problem();
        ASSERT_TRUE(problem) << body;
        EXPECT_EQ(problem->status, 400) << body;
        EXPECT_EQ(problem->problem.code, ProblemCode::invalid) << body;
    }
    const net::Request gzip = a_request({{"Content-Encoding", "gzip"}}, "{}");
    ASSERT_TRUE(RequestBody(gzip, true).problem());
    EXPECT_EQ(RequestBody(gzip, true).problem()->status, 415);
    EXPECT_FALSE(RequestBody(gzip, true).json());
    const net::Request twice =
        a_request({{"Content-Encoding", "identity"}, {"Content-Encoding", "gzip"}}, "{}");
    EXPECT_TRUE(RequestBody(twice, true).problem()) << "the upstream may read the second one";
    EXPECT_FALSE(RequestBody(a_request({{"Content-Encoding", "identity"}}, "{}"), true).problem());
}

}  // namespace
}  // namespace semel::gateway
