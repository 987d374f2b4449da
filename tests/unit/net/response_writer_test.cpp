#include "net/response_writer.hpp"

#include <gtest/gtest.h>

namespace semel::net {
namespace {

std::string head_of(const Response& response, bool keeps_alive) {
    std::string out = "left over";
    write_head(response, {.length = response.body.size(), .keeps_alive = keeps_alive}, "now", out);
    return out;
}

TEST(ResponseWriter, AddsWhatIsTheServersBusiness) {
    Response response;
    response.status = 201;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = "{}";
    EXPECT_EQ(head_of(response, true),
              "HTTP/1.1 201 Created\r\nDate: now\r\nContent-Type: application/json\r\n"
              "Content-Length: 2\r\n\r\n");
    EXPECT_EQ(head_of(response, false),
              "HTTP/1.1 201 Created\r\nDate: now\r\nContent-Type: application/json\r\n"
              "Content-Length: 2\r\nConnection: close\r\n\r\n");
}

TEST(ResponseWriter, DropsHeadersThatWouldChangeTheFraming) {
    Response response;
    response.headers = {{"content-length", "9"},
                        {"Transfer-Encoding", "chunked"},
                        {"Connection", "upgrade"},
                        {"date", "then"}};
    EXPECT_EQ(head_of(response, true), "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\n\r\n");
}

TEST(ResponseWriter, ABodyOfUnknownLengthIsChunkedOrEndsWithTheConnection) {
    std::string out;
    write_head(Response{}, {.length = {}, .is_chunked = true}, "now", out);
    EXPECT_EQ(out, "HTTP/1.1 200 OK\r\nDate: now\r\nTransfer-Encoding: chunked\r\n\r\n");
    write_head(Response{}, {.length = {}, .keeps_alive = false}, "now", out);
    EXPECT_EQ(out, "HTTP/1.1 200 OK\r\nDate: now\r\nConnection: close\r\n\r\n");
}

TEST(ResponseWriter, NoContentHasNoLength) {
    Response response;
    response.status = 204;
    EXPECT_EQ(head_of(response, true), "HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n");
    EXPECT_FALSE(may_have_body(204));
    EXPECT_FALSE(may_have_body(304));
}

TEST(ResponseWriter, KnowsWhatCouldSplitAResponse) {
    const auto writable = [](int status, const std::string& name, const std::string& value) {
        Response response;
        response.status = status;
        response.headers = {{name, value}};
        return is_writable(response);
    };
    EXPECT_TRUE(writable(200, "A", "b\tc \xc3\xa4"));
    EXPECT_FALSE(writable(200, "A", "b\r\nSet-Cookie: c"));
    EXPECT_FALSE(writable(200, "A", "b\nc"));
    EXPECT_FALSE(writable(200, "A", std::string(1, '\0')));
    EXPECT_FALSE(writable(200, "A: b\r\nC", "d"));
    EXPECT_FALSE(writable(200, "", "d"));
    EXPECT_FALSE(writable(100, "A", "b"));
    EXPECT_FALSE(writable(600, "A", "b"));
    EXPECT_FALSE(writable(0, "A", "b"));
}

TEST(ResponseWriter, WritesDatesAsHttpWantsThem) {
    EXPECT_EQ(format_http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(format_http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

}  // namespace
}  // namespace semel::net
