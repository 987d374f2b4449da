// One call on one connection, against servers that keep to nothing.
#include <algorithm>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "unit/net/call_support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

constexpr milliseconds kShortCall{80};
constexpr std::uint64_t kLarge = std::uint64_t{100} * 1000 * 1000;
// Far above what the kernel's buffers of one connection hold, far below kLarge.
constexpr std::uint64_t kBuffersMax = std::uint64_t{24} * 1000 * 1000;

class CallTest : public testing::Test {
protected:
    RawServer server_;
    Calls calls_;

    // Calls, and gives the server's side of the connection after the request's head.
    std::shared_ptr<Watched> begin(CallRequest request, bool reads_body = true) {
        auto watched = calls_.call(server_.origin(), std::move(request), reads_body);
        peer_.emplace(server_.accept());
        head_ = peer_->read_head().value_or("");
        return watched;
    }
    RawClient& peer() { return *peer_; }

    std::optional<RawClient> peer_;
    std::string head_;
};

TEST_F(CallTest, SendsTheRequestAsItIs) {
    CallRequest sent = request("PUT", "body");
    sent.headers = {{"Host", "h"},
                    {"A", "b"},
                    {"Expect", "100-continue"},
                    {"content-length", "9"},
                    {"Transfer-Encoding", "chunked"}};
    const auto call = begin(sent);
    EXPECT_EQ(head_, "PUT /a?b HTTP/1.1\r\nHost: h\r\nA: b\r\nContent-Length: 4\r\n\r\n");
    EXPECT_EQ(peer().read_bytes(4), "body");
    peer().send(answer_of("answer"));
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::answered);
    EXPECT_TRUE(end->first_byte_written);
    EXPECT_EQ(end->detail, "");
    EXPECT_EQ(call->status(), 200);
    EXPECT_EQ(call->body(), "answer");
}

TEST_F(CallTest, SendsNoLengthWhereThereIsNoBody) {
    const auto call = begin(request("GET"));
    EXPECT_EQ(head_, "GET /a?b HTTP/1.1\r\nHost: test\r\n\r\n");
    peer().send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->body(), "");
}

TEST_F(CallTest, RefusesToSendWhatWouldSplitTheRequest) {
    std::vector<CallRequest> bad(6, request());
    bad[0].target = "/ HTTP/1.1\r\nA: b";
    bad[1].target = "";
    bad[2].method = "G T";
    bad[3].headers.push_back({"A", "b\r\nC: d"});
    bad[4].headers.clear();  // no Host
    bad[5].method = "CONNECT";
    for (CallRequest& one : bad) {
        const auto end = calls_.call(server_.origin(), one)->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::not_sent) << one.method << " " << one.target;
        EXPECT_FALSE(end->first_byte_written);
        RawClient closed = server_.accept();
        EXPECT_EQ(closed.read_to_end(), "");
    }
}

struct Answer {
    std::string method;
    std::string bytes;
    int status;
    std::string body;
    bool ends_with_connection = false;
    bool is_reused = true;
};

TEST_F(CallTest, ReadsEveryFramingAndReusesTheConnectionWhereItMay) {
    const std::string chunks = "5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nDigest: z\r\n\r\n";
    const std::vector<Answer> answers = {
        {"GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, "abc"},
        {"GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 200, "hello!"},
        {"GET", "HTTP/1.1 200 OK\r\n\r\nto the end", 200, "to the end", true, false},
        {"GET", "HTTP/1.0 200 OK\r\n\r\nto the end", 200, "to the end", true, false},
        {"GET", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, "abc", false, false},
        {"GET", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", 200, "a",
         false, false},
        {"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", 200, ""},
        {"GET", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
        {"GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", 304, ""},
        {"GET",
         "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"
         "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
         200, ""},
        // Bytes that no request asked for.
        {"GET", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", 200, "a", false, false},
        {"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", 200, "", false, false},
    };
    for (const Answer& answer : answers) {
        const auto call = begin(request(answer.method));
        peer().send(answer.bytes);
        if (answer.ends_with_connection) peer().close();
        const auto end = call->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::answered) << answer.bytes << end->detail;
        EXPECT_EQ(call->status(), answer.status);
        EXPECT_EQ(call->body(), answer.body) << answer.bytes;
        const std::uint64_t idle = answer.is_reused ? 1 : 0;
        EXPECT_TRUE(eventually([&] { return calls_.stats().idle == idle; })) << answer.bytes;
        EXPECT_EQ(calls_.stats().open, idle) << answer.bytes;
        if (!answer.ends_with_connection) peer().close();
        ASSERT_TRUE(eventually([&] { return calls_.stats().open == 0; }));
    }
}

TEST_F(CallTest, ReadsTheSameWhereverTheBytesAreCut) {
    const std::string bytes =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        "2;x\r\nab\r\n0\r\nT: u\r\n\r\n";
    const auto call = begin(request());
    for (const char byte : bytes) peer().send(std::string(1, byte));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->body(), "ab");
}

TEST_F(CallTest, NamesBadAnswers) {
    const std::string endless(70'000, 'a');
    std::string interim;
    while (interim.size() < 70'000) interim += "HTTP/1.1 100 Continue\r\n\r\n";
    const std::vector<std::string> bad = {
        "SSH-2.0-x\r\n\r\n",
        "\r\n\r\n",
        "HTTP/1.1 200 OK\nA: b\n\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: " + endless,
        interim,
    };
    for (const std::string& bytes : bad) {
        const auto call = begin(request());
        peer().send(bytes);
        const auto end = call->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::bad_answer) << bytes.substr(0, 80);
        EXPECT_TRUE(end->first_byte_written);
        EXPECT_EQ(call->status(), 0);
        EXPECT_TRUE(eventually([&] { return calls_.stats().open == 0; }));
    }
}

TEST_F(CallTest, NamesAnswersThatAreCut) {
    for (const std::string bytes :
         {"HTTP/1.1 20", "HTTP/1.1 100 Continue\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"}) {
        const auto call = begin(request());
        peer().send(bytes);
        peer().close();
        const auto end = call->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::bad_answer) << bytes;
        EXPECT_EQ(call->body_error().has_value(), call->status() == 200) << bytes;
    }
}

TEST_F(CallTest, NamesConnectionsThatAreLostBeforeTheAnswer) {
    for (const bool resets : {false, true}) {
        const auto call = begin(request("POST", "b"));
        if (resets) {
            peer().reset();
        } else {
            peer().close();
        }
        const auto end = call->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::maybe_sent) << end->detail;
        EXPECT_TRUE(end->first_byte_written);
        EXPECT_FALSE(end->is_reused);
    }
}

// --- Bodies ---

TEST_F(CallTest, PullsALargeBodyNoFasterThanTheServerReads) {
    for (const bool tells_length : {true, false}) {
        CallRequest sent = request("POST");
        const auto source = std::make_shared<PatternSource>(kLarge, tells_length);
        sent.source = source;
        const auto call = begin(sent);
        EXPECT_NE(head_.find(tells_length ? "Content-Length: 100000000\r\n"
                                          : "Transfer-Encoding: chunked\r\n"),
                  std::string::npos);
        std::uint64_t received = 0;
        std::uint64_t ahead_max = 0;
        while (received + kPieceBytesMax <= kLarge) {
            ASSERT_TRUE(peer().read_bytes(kPieceBytesMax));
            received += kPieceBytesMax;
            const std::uint64_t given = source->given;
            if (given > received) ahead_max = std::max(ahead_max, given - received);
        }
        ASSERT_TRUE(tells_length ? peer().read_bytes(kLarge - received) : peer().read_head());
        EXPECT_LT(ahead_max, kBuffersMax);
        EXPECT_EQ(source->given, kLarge);
        peer().send(answer_of(""));
        EXPECT_EQ(call->wait_result(), CallResult::answered);
        // The request was whole, so the connection can carry another.
        ASSERT_TRUE(eventually([&] { return calls_.stats().idle == 1; }));
        peer().close();
        ASSERT_TRUE(eventually([&] { return calls_.stats().idle == 0; }));
    }
}

TEST_F(CallTest, FramesAChunkedBody) {
    CallRequest sent = request("POST");
    sent.source = std::make_shared<PatternSource>(3, false);
    const auto call = begin(sent);
    EXPECT_EQ(peer().read_bytes(13), "3\r\nppp\r\n0\r\n\r\n");
    peer().send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

TEST_F(CallTest, SendsALargeStringWhole) {
    const std::string body(10'000'000, 's');
    const auto call = begin(request("POST", body));
    EXPECT_EQ(peer().read_bytes(body.size()), body);
    peer().send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
}

TEST_F(CallTest, ReadsALargeAnswerNoFasterThanItsReader) {
    for (const bool is_chunked : {false, true}) {
        const auto call = begin(request(), false);
        const std::string piece(1'000'000, 'a');
        std::atomic<std::uint64_t> sent{0};
        std::thread sending([&] {
            peer().send(is_chunked ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                   : "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
            for (; sent < kLarge; sent += piece.size()) {
                if (is_chunked) peer().send("f4240\r\n");
                if (!peer().send(piece)) return;
                if (is_chunked) peer().send("\r\n");
            }
            if (is_chunked) peer().send("0\r\n\r\n");
        });
        ASSERT_TRUE(call->wait_head());
        call->keeps_body = false;
        std::uint64_t ahead_max = 0;
        for (std::size_t read = 0; read < kLarge;) {
            calls_.run([&] { call->read_body(true); });
            ASSERT_TRUE(call->wait_body_bytes(read + 1));
            calls_.run([&] { read = call->body_bytes; });
            ahead_max =
                std::max<std::uint64_t>(ahead_max, sent - std::min<std::uint64_t>(sent, read));
        }
        sending.join();
        EXPECT_LT(ahead_max, kBuffersMax);
        EXPECT_LE(call->largest_piece, kPieceBytesMax);
        calls_.run([&] { call->read_body(true); });
        EXPECT_EQ(call->wait_result(), CallResult::answered);
        peer().close();
        ASSERT_TRUE(eventually([&] { return calls_.stats().open == 0; }));
    }
}

TEST_F(CallTest, PassesAnEarlyAnswerOn) {
    for (const bool resets : {false, true}) {
        CallRequest sent = request("POST");
        const auto source = std::make_shared<PatternSource>(kLarge, true);
        sent.source = source;
        const auto call = begin(sent);
        peer().send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
        if (resets) peer().close();  // with unread bytes: the kernel resets the connection
        const auto end = call->wait_end();
        ASSERT_TRUE(end);
        EXPECT_EQ(end->what, CallResult::answered) << end->detail;
        EXPECT_EQ(call->status(), 413);
        EXPECT_EQ(call->body(), "big");
        EXPECT_TRUE(source->is_aborted);
        EXPECT_LT(source->given, kLarge);
        EXPECT_EQ(calls_.stats().open, 0u);  // not reused: the request was cut
    }
}

TEST_F(CallTest, GoesOnSendingWhileAnEarlyAnswerIsRead) {
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(kLarge, true);
    sent.source = source;
    const auto call = begin(sent);
    peer().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
    ASSERT_TRUE(call->wait_body_bytes(2));
    ASSERT_TRUE(peer().read_bytes(kLarge));
    peer().send("cd");
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->body(), "abcd");
    EXPECT_EQ(calls_.stats().open, 0u);
}

TEST_F(CallTest, ASourceThatFailsEndsTheCall) {
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(kLarge, false);
    source->fails_at = 200'000;
    sent.source = source;
    const auto call = begin(sent);
    ASSERT_TRUE(peer().read_to_end());
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::cancelled);
    EXPECT_TRUE(end->first_byte_written);
}

// --- Writes that fail ---

TEST_F(CallTest, IsNotSentIfTheFirstWriteFails) {
    const auto acquired = calls_.acquire(server_.origin());
    ASSERT_TRUE(eventually([&] { return acquired->is_done.load(); }));
    RawClient peer = server_.accept();
    server_.break_writes_of_clients();
    const auto call = calls_.send(acquired, request());
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::not_sent) << end->detail;
    EXPECT_FALSE(end->first_byte_written);
    EXPECT_EQ(calls_.stats().dialled, 1u);
}

TEST_F(CallTest, ReadsTheAnswerAfterAWriteHasFailed) {
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(kLarge, true);
    sent.source = source;
    const auto call = begin(sent);
    server_.break_writes_of_clients();
    ASSERT_TRUE(eventually([&] { return source->is_aborted.load(); }));
    peer().send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->status(), 413);
    EXPECT_EQ(call->body(), "big");
}

TEST_F(CallTest, WaitsNoLongerThanASecondAfterAWriteHasFailed) {
    CallRequest sent = request("POST");
    sent.source = std::make_shared<PatternSource>(kLarge, true);
    const auto call = begin(sent);
    const auto broken_at = CallPool::Clock::now();
    server_.break_writes_of_clients();
    EXPECT_EQ(call->wait_result(), CallResult::maybe_sent);
    EXPECT_GE(CallPool::Clock::now() - broken_at, milliseconds(900));
    EXPECT_LT(CallPool::Clock::now() - broken_at, kPatience / 2);
}

TEST_F(CallTest, AnAnswerThatStallsAfterAWriteHasFailedIsLate) {
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(kLarge, true);
    sent.source = source;
    sent.idle = kShortCall;
    const auto call = begin(sent);
    server_.break_writes_of_clients();
    ASSERT_TRUE(eventually([&] { return source->is_aborted.load(); }));
    peer().send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbi");
    EXPECT_EQ(call->wait_result(), CallResult::timed_out);
}

// --- Deadlines ---

TEST_F(CallTest, TheHeadHasADeadline) {
    CallRequest sent = request();
    sent.head_by = CallPool::Clock::now() + kShortCall;
    const auto call = begin(sent);
    peer().send("HTTP/1.1 200 OK\r\nA");
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::timed_out);
    EXPECT_TRUE(end->first_byte_written);
    EXPECT_GE(CallPool::Clock::now(), sent.head_by);
}

TEST_F(CallTest, ABodyMustNotFallSilent) {
    CallRequest sent = request();
    sent.idle = kShortCall;
    const auto call = begin(sent);
    peer().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell");
    EXPECT_EQ(call->wait_result(), CallResult::timed_out);
    EXPECT_EQ(call->body(), "hell");
    EXPECT_EQ(call->body_error(), ErrorCode::timeout);
}

TEST_F(CallTest, AServerMustReadTheRequest) {
    CallRequest sent = request("POST", std::string(kLarge, 'b'));
    sent.idle = kShortCall;
    const auto call = begin(sent);
    EXPECT_EQ(call->wait_result(), CallResult::timed_out);
}

TEST_F(CallTest, AReaderMayTakeItsTime) {
    CallRequest sent = request();
    sent.idle = kShortCall;
    const auto call = begin(sent, false);
    peer().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    ASSERT_TRUE(call->wait_head());
    // Another call meets the same deadline, so it has passed.
    const auto other = calls_.call(server_.origin(), sent);
    RawClient silent = server_.accept();
    silent.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell");
    EXPECT_EQ(other->wait_result(), CallResult::timed_out);
    calls_.run([&] { call->read_body(); });
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->body(), "hello");
}

// --- Cancelling ---

TEST_F(CallTest, IsCancelledBeforeTheAnswer) {
    const auto call = begin(request());
    calls_.run([&] {
        call->call->cancel();
        call->call->cancel();
    });
    EXPECT_EQ(call->wait_result(), CallResult::cancelled);
    EXPECT_TRUE(call->wait_end()->first_byte_written);
    EXPECT_EQ(peer().read_to_end(), "");
    EXPECT_EQ(calls_.stats().open, 0u);
}

TEST_F(CallTest, IsCancelledWhileItSends) {
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(kLarge, false);
    sent.source = source;
    const auto call = begin(sent);
    calls_.run([&] { call->call->cancel(); });
    EXPECT_EQ(call->wait_result(), CallResult::cancelled);
    EXPECT_TRUE(source->is_aborted);
}

TEST_F(CallTest, IsCancelledWithinTheBody) {
    const auto call = begin(request());
    peer().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell");
    ASSERT_TRUE(call->wait_body_bytes(4));
    calls_.run([&] { call->call->cancel(); });
    EXPECT_EQ(call->wait_result(), CallResult::cancelled);
    EXPECT_EQ(call->body_error(), ErrorCode::stopped);
}

TEST_F(CallTest, IsCancelledByTheReaderOfItsBody) {
    for (const bool drops : {false, true}) {
        const auto call = begin(request(), false);
        peer().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        ASSERT_TRUE(call->wait_head());
        calls_.run([&] {
            if (!drops) call->source->abort();
            call->source = nullptr;
        });
        EXPECT_EQ(call->wait_result(), CallResult::cancelled);
        EXPECT_EQ(peer().read_to_end(), "");
    }
}

TEST_F(CallTest, LivesOnWithoutItsHandle) {
    const auto call = begin(request());
    calls_.run([&] { call->call = nullptr; });
    peer().send(answer_of("a"));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_EQ(call->body(), "a");
}

}  // namespace
}  // namespace semel::net
