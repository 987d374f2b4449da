// Raw bytes against a real socket. Each case is followed by a request that must never be answered:
// a server that reads a message's end wrongly would find it there.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;
using namespace std::string_literals;

struct Case {
    std::string name;
    std::string bytes;
    int status = 400;

    friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

const std::string kSmuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

std::string get(const std::string& lines) {
    return "GET / HTTP/1.1\r\n" + lines + "\r\n";
}
std::string post(const std::string& lines, const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n" + body;
}
std::string chunked(const std::string& body) {
    return post("Transfer-Encoding: chunked\r\n", body);
}

std::vector<Case> transfer_encoding_cases() {
    const std::string chunk = "5\r\nhello\r\n0\r\n\r\n";
    return {
        {"te_identity", post("Transfer-Encoding: identity\r\n", chunk)},
        {"te_xchunked", post("Transfer-Encoding: xchunked\r\n", chunk)},
        {"te_chunked_identity", post("Transfer-Encoding: chunked, identity\r\n", chunk)},
        {"te_gzip_chunked", post("Transfer-Encoding: gzip, chunked\r\n", chunk)},
        {"te_chunked_chunked", post("Transfer-Encoding: chunked, chunked\r\n", chunk)},
        {"te_empty", post("Transfer-Encoding:\r\n", chunk)},
        {"te_quoted", post("Transfer-Encoding: \"chunked\"\r\n", chunk)},
        {"te_with_parameter", post("Transfer-Encoding: chunked;q=1\r\n", chunk)},
        {"te_trailing_comma", post("Transfer-Encoding: chunked,\r\n", chunk)},
        {"te_vertical_tab", post("Transfer-Encoding: \vchunked\r\n", chunk)},
        {"te_twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunk)},
        {"te_twice_one_other",
         post("Transfer-Encoding: chunked\r\ntransfer-encoding: identity\r\n", chunk)},
        {"te_and_length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunk)},
        {"length_and_te", post("Content-Length: 15\r\nTransfer-Encoding: chunked\r\n", chunk)},
        {"te_in_http_1_0",
         "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk},
        {"te_space_before_colon", post("Transfer-Encoding : chunked\r\n", chunk)},
        {"te_folded", post("Transfer-Encoding:\r\n chunked\r\n", chunk)},
    };
}

std::vector<Case> content_length_cases() {
    return {
        {"length_twice_differing", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello")},
        {"length_twice_equal", post("Content-Length: 5\r\ncontent-length: 5\r\n", "hello")},
        {"length_list", post("Content-Length: 5, 5\r\n", "hello")},
        {"length_plus", post("Content-Length: +5\r\n", "hello")},
        {"length_minus", post("Content-Length: -5\r\n", "hello")},
        {"length_minus_zero", post("Content-Length: -0\r\n", "")},
        {"length_hex", post("Content-Length: 0x5\r\n", "hello")},
        {"length_letters", post("Content-Length: five\r\n", "hello")},
        {"length_empty", post("Content-Length:\r\n", "hello")},
        {"length_space_inside", post("Content-Length: 1 5\r\n", "hello")},
        {"length_fraction", post("Content-Length: 5.0\r\n", "hello")},
        {"length_exponent", post("Content-Length: 5e0\r\n", "hello")},
        {"length_overflow", post("Content-Length: 18446744073709551621\r\n", "hello")},
        {"length_overflow_signed", post("Content-Length: 9223372036854775808\r\n", "hello")},
        {"length_very_long", post("Content-Length: " + std::string(400, '9') + "\r\n", "hello")},
        {"length_space_before_colon", post("Content-Length : 5\r\n", "hello")},
        {"length_tab_before_colon", post("Content-Length\t: 5\r\n", "hello")},
        {"length_folded", post("Content-Length:\r\n 5\r\n", "hello")},
        {"length_semicolon", post("Content-Length: 5;\r\n", "hello")},
    };
}

std::vector<Case> head_cases() {
    return {
        {"host_missing", get("")},
        {"host_missing_in_http_1_0", "GET / HTTP/1.0\r\n\r\n"},
        {"host_twice", get("Host: x\r\nHost: x\r\n")},
        {"host_twice_in_http_1_0", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"},
        {"host_empty", get("Host:\r\n")},
        {"host_with_path", get("Host: x/y\r\n")},
        {"host_with_user", get("Host: a@x\r\n")},
        {"host_with_space", get("Host: x y\r\n")},
        {"host_list", get("Host: x, y\r\n")},
        {"host_bad_port", get("Host: x:8o\r\n")},
        {"host_port_too_large", get("Host: x:65536\r\n")},
        {"host_open_bracket", get("Host: [::1\r\n")},
        {"folded_with_space", get("Host: x\r\nA: b\r\n c\r\n")},
        {"folded_with_tab", get("Host: x\r\nA: b\r\n\tc\r\n")},
        {"first_line_folded", get(" Host: x\r\n")},
        {"space_before_colon", get("Host : x\r\n")},
        {"space_in_name", get("Host: x\r\nA B: c\r\n")},
        {"name_empty", get("Host: x\r\n: c\r\n")},
        {"name_not_ascii", get("Host: x\r\nA\xc3\xa4: c\r\n")},
        {"no_colon", get("Host: x\r\nnothing\r\n")},
        {"bare_lf_after_line", "GET / HTTP/1.1\nHost: x\r\n\r\n"},
        {"bare_lf_after_header", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n"},
        {"bare_lf_everywhere", "GET / HTTP/1.1\nHost: x\n\n"},
        {"bare_lf_at_the_end", "GET / HTTP/1.1\r\nHost: x\r\n\n"},
        {"bare_cr_in_value", get("Host: x\r\nA: b\rC: d\r\n")},
        {"bare_cr_in_line", "GET /\r HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"bare_cr_everywhere", "GET / HTTP/1.1\rHost: x\r\r"},
        {"cr_cr_lf", "GET / HTTP/1.1\r\r\nHost: x\r\n\r\n"},
        {"nul_in_value", get("Host: x\r\nA: b\0c\r\n"s)},
        {"nul_in_name", get("Host: x\r\nA\0B: c\r\n"s)},
        {"nul_in_target", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"s},
        {"escape_in_value", get("Host: x\r\nA: \x1b[0m\r\n")},
        {"delete_in_value", get("Host: x\r\nA: \x7f\r\n")},
        {"empty_line_first", "\r\n" + get("Host: x\r\n")},
    };
}

std::vector<Case> request_line_cases() {
    const std::string host = "\r\nHost: x\r\n\r\n";
    return {
        {"no_version", "GET /" + host},
        {"method_only", "GET" + host},
        {"two_spaces", "GET  / HTTP/1.1" + host},
        {"space_at_the_end", "GET / HTTP/1.1 " + host},
        {"space_at_the_start", " GET / HTTP/1.1" + host},
        {"tab_for_space", "GET\t/\tHTTP/1.1" + host},
        {"space_in_target", "GET /a b HTTP/1.1" + host},
        {"fragment_in_target", "GET /a#b HTTP/1.1" + host},
        {"target_not_ascii", "GET /\xc3\xa4 HTTP/1.1" + host},
        {"target_without_slash", "GET a HTTP/1.1" + host},
        {"target_empty_query", "GET ?a=b HTTP/1.1" + host},
        {"method_not_token", "G(T / HTTP/1.1" + host},
        {"version_lower_case", "GET / http/1.1" + host},
        {"version_garbled", "GET / HTTP/1.x" + host},
        {"version_long", "GET / HTTP/1.10" + host},
        {"version_2", "GET / HTTP/2.0" + host, 505},
        {"version_0_9", "GET / HTTP/0.9" + host, 505},
        {"connect", "CONNECT x:443 HTTP/1.1" + host},
        {"connect_path", "CONNECT / HTTP/1.1" + host},
        {"asterisk", "OPTIONS * HTTP/1.1" + host},
        {"absolute_other_host", "GET http://y/ HTTP/1.1" + host},
        {"absolute_user", "GET http://a@x/ HTTP/1.1" + host},
        {"absolute_other_scheme", "GET ftp://x/ HTTP/1.1" + host},
        {"absolute_without_host", "GET http:/// HTTP/1.1" + host},
        {"expect_unknown", "GET / HTTP/1.1\r\nExpect: 200-ok" + host, 417},
        {"http_2_preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"tls_hello", "\x16\x03\x01\x02"s},
    };
}

std::vector<Case> chunk_cases() {
    return {
        {"chunk_size_empty", chunked("\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_prefix", chunked("0x5\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_plus", chunked("+5\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_minus", chunked("-5\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_space_before", chunked(" 5\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_space_after", chunked("5 \r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_letters", chunked("g\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_too_long", chunked("00000000000000005\r\nhello\r\n0\r\n\r\n")},
        {"chunk_size_huge", chunked("ffffffffffffffff\r\nhello\r\n0\r\n\r\n"), 413},
        {"chunk_extension", chunked("5;a=b\r\nhello\r\n0\r\n\r\n")},
        {"chunk_extension_empty", chunked("5;\r\nhello\r\n0\r\n\r\n")},
        {"chunk_extension_long", chunked("5;" + std::string(9000, 'a') + "\r\nhello\r\n")},
        {"chunk_bare_lf_after_size", chunked("5\nhello\r\n0\r\n\r\n")},
        {"chunk_bare_cr_after_size", chunked("5\rhello\r\n0\r\n\r\n")},
        {"chunk_bare_lf_after_data", chunked("5\r\nhello\n0\r\n\r\n")},
        {"chunk_longer_than_size", chunked("4\r\nhello\r\n0\r\n\r\n")},
        {"chunk_shorter_than_size", chunked("6\r\nhello\r\n0\r\n\r\n")},
        {"last_chunk_bare_lf", chunked("0\n\n")},
        {"last_chunk_no_crlf", chunked("0\r\n\n")},
        {"trailer", chunked("0\r\nA: b\r\n\r\n")},
        {"trailer_host", chunked("0\r\nHost: y\r\n\r\n")},
        {"trailer_long", chunked("0\r\nA: " + std::string(9000, 'b') + "\r\n\r\n")},
        {"chunk_nul", chunked("5\0\r\nhello\r\n0\r\n\r\n"s)},
    };
}

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& part : {transfer_encoding_cases(), content_length_cases(), head_cases(),
                             request_line_cases(), chunk_cases()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

class StrictFraming : public testing::TestWithParam<Case> {
protected:
    std::unique_ptr<Server> server_ = start({}, echo);

    void expect_one_refusal(RawClient& client) {
        const auto answer = client.read_to_end();
        ASSERT_TRUE(answer) << "the server did not close";
        EXPECT_FALSE(client.was_reset());
        EXPECT_EQ(status_of(*answer), GetParam().status) << *answer;
        EXPECT_EQ(count_responses(*answer), 1u) << *answer;
        EXPECT_EQ(answer->find("smuggled"), std::string::npos);
        EXPECT_NE(answer->find("\r\nConnection: close\r\n"), std::string::npos);
        EXPECT_EQ(server_->stats().requests, 0u) << "the handler was called";
    }
};

TEST_P(StrictFraming, IsRefusedOnceAndTheConnectionCloses) {
    RawClient client(server_->port());
    client.send(GetParam().bytes + kSmuggled + kSmuggled);
    expect_one_refusal(client);
}

TEST_P(StrictFraming, IsRefusedAlsoWhenItArrivesByteByByte) {
    RawClient client(server_->port());
    for (const char byte : GetParam().bytes + kSmuggled) {
        if (!client.send(std::string_view(&byte, 1))) break;
    }
    expect_one_refusal(client);
}

INSTANTIATE_TEST_SUITE_P(Cases, StrictFraming, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(StrictFramingAfterARequest, ABadSecondRequestIsRefusedAfterTheFirstAnswer) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send(post("Content-Length: 5\r\n", "hello") + get("Host : x\r\n") + kSmuggled);
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(count_responses(*answer), 2u);
    EXPECT_EQ(status_of(*answer), 200);
    EXPECT_NE(answer->find("HTTP/1.1 400 "), std::string::npos);
    EXPECT_EQ(answer->find("smuggled"), std::string::npos);
}

}  // namespace
}  // namespace semel::net
