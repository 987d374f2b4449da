// The head parser without a socket. What is refused over the wire is in framing_test.cpp.
#include "net/head.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/url_parts.hpp"

namespace semel::net {
namespace {

Head parsed(const std::string& bytes) {
    HeadScanner scanner;
    const auto step = scanner.scan(bytes);
    const auto* complete = std::get_if<HeadScanner::Complete>(&step);
    if (complete == nullptr || complete->size != bytes.size()) {
        ADD_FAILURE() << "not one complete head: " << bytes;
        return {};
    }
    auto head = parse_head(bytes, 100);
    if (const auto* refusal = std::get_if<Refusal>(&head)) {
        ADD_FAILURE() << refusal->detail << ": " << bytes;
        return {};
    }
    return std::get<Head>(head);
}

int refused(const std::string& bytes, std::size_t headers_max = 100) {
    const auto head = parse_head(bytes, headers_max);
    const auto* refusal = std::get_if<Refusal>(&head);
    return refusal == nullptr ? 0 : refusal->status;
}

TEST(Head, SplitsTheRequestLine) {
    const Head head = parsed("PATCH /a%20b/c?x=1&y=/?z HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(head.method, "PATCH");
    EXPECT_EQ(head.path, "/a%20b/c");
    EXPECT_EQ(head.query, "x=1&y=/?z");
    EXPECT_TRUE(head.keep_alive);
    EXPECT_EQ(head.framing, Framing::none);
}

TEST(Head, TakesTheAbsoluteFormOfItsOwnHost) {
    const Head head = parsed("GET http://X:80/a?b HTTP/1.1\r\nHost: x:80\r\n\r\n");
    EXPECT_EQ(head.path, "/a");
    EXPECT_EQ(head.query, "b");
    EXPECT_EQ(parsed("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n").path, "/");
    EXPECT_EQ(parsed("GET http://x?q HTTP/1.1\r\nHost: x\r\n\r\n").query, "q");
}

TEST(Head, ATargetThatMerelyContainsAUrlIsAPath) {
    EXPECT_EQ(parsed("GET /http://y/ HTTP/1.1\r\nHost: x\r\n\r\n").path, "/http://y/");
    EXPECT_EQ(parsed("GET //y/ HTTP/1.1\r\nHost: x\r\n\r\n").path, "//y/");
}

TEST(Head, TrimsValuesAndKeepsNames) {
    const Head head =
        parsed("GET / HTTP/1.1\r\nHost:x\r\nA: \t b c \t\r\nB:\r\nC: \xc3\xa4\r\n\r\n");
    ASSERT_EQ(head.headers.size(), 4u);
    EXPECT_EQ(head.headers[0].value, "x");
    EXPECT_EQ(head.headers[1].name, "A");
    EXPECT_EQ(head.headers[1].value, "b c");
    EXPECT_EQ(head.headers[2].value, "");
    EXPECT_EQ(head.headers[3].value, "\xc3\xa4");
}

TEST(Head, KnowsHowTheBodyEnds) {
    const Head length = parsed("POST / HTTP/1.1\r\nHost: x\r\nCONTENT-LENGTH: 0012 \r\n\r\n");
    EXPECT_EQ(length.framing, Framing::length);
    EXPECT_EQ(length.content_length, 12u);
    const Head chunked = parsed("POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding: Chunked\r\n\r\n");
    EXPECT_EQ(chunked.framing, Framing::chunked);
    const Head largest =
        parsed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775807\r\n\r\n");
    EXPECT_EQ(largest.content_length, 9223372036854775807u);
}

TEST(Head, KnowsWhetherTheConnectionStays) {
    const auto keeps = [](const std::string& version, const std::string& connection) {
        return parsed("GET / HTTP/" + version + "\r\nHost: x\r\n" + connection + "\r\n").keep_alive;
    };
    EXPECT_TRUE(keeps("1.1", ""));
    EXPECT_TRUE(keeps("1.1", "Connection: keep-alive\r\n"));
    EXPECT_TRUE(keeps("1.1", "Connection: closed\r\n"));
    EXPECT_FALSE(keeps("1.1", "Connection: Close\r\n"));
    EXPECT_FALSE(keeps("1.1", "Connection: te ,close\r\n"));
    EXPECT_FALSE(keeps("1.1", "Connection: te\r\nConnection: close\r\n"));
    EXPECT_FALSE(keeps("1.0", ""));
}

TEST(Head, Http10NeedsAHostToo) {
    EXPECT_EQ(parsed("GET / HTTP/1.0\r\nHost: x\r\n\r\n").path, "/");
    EXPECT_EQ(refused("GET / HTTP/1.0\r\n\r\n"), 400);
}

TEST(Head, ExpectsContinueOnlyInHttp11) {
    EXPECT_TRUE(
        parsed("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n\r\n").expects_continue);
    EXPECT_FALSE(
        parsed("POST / HTTP/1.0\r\nHost: x\r\nExpect: 100-continue\r\n\r\n").expects_continue);
    EXPECT_EQ(refused("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                      "Expect: 100-continue\r\n\r\n"),
              417);
}

TEST(Head, BoundsTheNumberOfHeaders) {
    const std::string head = "GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\n\r\n";
    EXPECT_EQ(refused(head, 3), 0);
    EXPECT_EQ(refused(head, 2), 431);
}

TEST(Head, HostSpellings) {
    for (const char* good : {"x", "localhost:7363", "127.0.0.1", "[::1]:80", "[::1]", "a-b.c_d",
                             "x:0", "x:65535", "[::ffff:127.0.0.1]"}) {
        EXPECT_TRUE(is_host(good)) << good;
    }
    for (const char* bad : {"", ":80", "x:", "x:80:80", "::1", "[]", "[::1", "[::1]80", "x y",
                            "x:99999", "x:000080", "[x]", "a/b", "a@b", "a,b", "a%20b", "x:+80"}) {
        EXPECT_FALSE(is_host(bad)) << bad;
    }
}

TEST(HeadScanner, FindsTheEndWhereverTheBytesAreCut) {
    const std::string head = "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\n";
    const std::string bytes = head + "GET / HTTP";
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        HeadScanner scanner;
        const auto first = scanner.scan(std::string_view(bytes).substr(0, cut));
        EXPECT_EQ(std::holds_alternative<HeadScanner::Complete>(first), cut >= head.size());
        if (cut >= head.size()) continue;
        const auto second = scanner.scan(bytes);
        ASSERT_TRUE(std::holds_alternative<HeadScanner::Complete>(second)) << cut;
        EXPECT_EQ(std::get<HeadScanner::Complete>(second).size, head.size());
    }
}

TEST(HeadScanner, RefusesEveryControlByteButTabAtOnce) {
    for (int byte = 0; byte < 256; ++byte) {
        std::string bytes = "GET / HTTP/1.1\r\nA: ";
        bytes.push_back(static_cast<char>(byte));
        bytes.push_back('x');
        HeadScanner scanner;
        const bool is_refused = std::holds_alternative<Refusal>(scanner.scan(bytes));
        EXPECT_EQ(is_refused, (byte < 0x20 && byte != '\t') || byte == 0x7f) << byte;
    }
}

TEST(StatusHead, ReadsStatusAndFraming) {
    const auto head = parse_status_head("HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\n");
    ASSERT_TRUE(std::holds_alternative<StatusHead>(head));
    EXPECT_EQ(std::get<StatusHead>(head).status, 201);
    EXPECT_EQ(std::get<StatusHead>(head).content_length, 3u);
    EXPECT_TRUE(std::holds_alternative<StatusHead>(parse_status_head("HTTP/1.1 200\r\n\r\n")));
    for (const char* bad : {"HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000\r\n\r\n",
                            "HTTP/1.1 abc\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"}) {
        EXPECT_TRUE(std::holds_alternative<Refusal>(parse_status_head(bad))) << bad;
    }
}

}  // namespace
}  // namespace semel::net
