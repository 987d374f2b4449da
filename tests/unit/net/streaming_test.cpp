// Bodies that are passed on piece by piece: requests as their handler reads them, answers as their
// client takes them.
#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/io_thread.hpp"
#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

ServerOptions streaming(std::uint64_t bytes_max = 1U << 30) {
    ServerOptions options;
    options.on_head = [bytes_max](const Request&) { return StreamedBody{bytes_max}; };
    return options;
}

std::string post(const std::string& more_headers) {
    return "POST / HTTP/1.1\r\nHost: x\r\n" + more_headers + "\r\n";
}

// Reads a body to its end and gives it, or the error, to `done`.
void read_all(std::shared_ptr<BodySource> source, std::function<void(Result<std::string>)> done,
              std::string so_far = {}) {
    BodySource& body = *source;
    body.read([source = std::move(source), done = std::move(done),
               so_far = std::move(so_far)](Result<std::string_view> piece) mutable {
        if (!piece) return done(piece.error());
        if (piece->empty()) return done(std::move(so_far));
        so_far += *piece;
        read_all(std::move(source), std::move(done), std::move(so_far));
    });
}

// Answers with the streamed body, or with 418 and why it could not be read.
void echo_body(Request request, const Responder& respond) {
    if (!request.source) return respond(text("no body"));
    read_all(std::move(request.source), [respond](Result<std::string> body) {
        respond(body ? text(*body) : text(body.error().message(), 418));
    });
}

// ---- requests -----------------------------------------------------------------------------------

TEST(StreamedRequest, ArrivesInPiecesOfEitherFraming) {
    const auto server = start(streaming(), echo_body);
    RawClient client(server->port());
    client.send(post("Content-Length: 5\r\n") + "ab");
    client.send("cde" + post("Transfer-Encoding: chunked\r\n") + "3\r\nfgh\r\n1");
    EXPECT_EQ(body_of(client.read_response().value()), "abcde");
    client.send("\r\ni\r\n0\r\n\r\n" + post("Content-Length: 0\r\n"));
    EXPECT_EQ(body_of(client.read_response().value()), "fghi");
    EXPECT_EQ(body_of(client.read_response().value()), "no body");
}

TEST(StreamedRequest, TheHandlerIsCalledBeforeTheBodyIsThere) {
    Inbox inbox;
    const auto server = start(streaming(), inbox.handler());
    RawClient client(server->port());
    client.send(post("Content-Length: 3\r\n"));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    EXPECT_EQ(pending->request.source->length(), 3U);
    pending->request.io->post([request = std::make_shared<Request>(std::move(pending->request)),
                               respond = pending->respond] { echo_body(*request, respond); });
    client.send("xyz");
    EXPECT_EQ(body_of(client.read_response().value()), "xyz");
}

TEST(StreamedRequest, IsToldToContinueWhenItsBodyIsRead) {
    std::atomic<bool> reads{false};
    const auto server = start(streaming(), [&](Request request, const Responder& respond) {
        if (reads) return echo_body(std::move(request), respond);
        respond(text("not wanted", 403));
    });
    const std::string head = post("Content-Length: 3\r\nExpect: 100-continue\r\n");
    RawClient refused(server->port());
    refused.send(head);
    EXPECT_EQ(status_of(refused.read_to_end().value()), 403);
    reads = true;
    RawClient client(server->port());
    client.send(head);
    EXPECT_EQ(client.read_bytes(25), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("abc");
    EXPECT_EQ(body_of(client.read_response().value()), "abc");
}

TEST(StreamedRequest, AnAnswerBeforeItsEndClosesTheConnection) {
    const auto server = start(
        streaming(), [](const Request&, const Responder& respond) { respond(text("no", 403)); });
    RawClient client(server->port());
    client.send(post("Content-Length: 1000000\r\n") + "a");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "no");
    EXPECT_NE(answer->find("\r\nConnection: close\r\n"), std::string::npos);
    EXPECT_FALSE(client.was_reset());
}

TEST(StreamedRequest, OverItsLimitIsA413BeforeItsBytes) {
    const auto server = start(streaming(10), echo_body);
    for (const char* body :
         {"Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\n",
          "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n6\r\n"}) {
        RawClient client(server->port());
        client.send("POST / HTTP/1.1\r\nHost: x\r\n" + std::string(body));
        EXPECT_EQ(status_of(client.read_to_end().value()), 413) << body;
    }
}

TEST(StreamedRequest, ThatBreaksItsFramingIsA400AndItsReaderHearsOfIt) {
    std::promise<std::string> heard;
    const auto server = start(streaming(), [&](Request request, const Responder& respond) {
        read_all(std::move(request.source), [&, respond](const Result<std::string>& body) {
            heard.set_value(body ? "a body" : body.error().message());
            respond(text("late"));
        });
    });
    RawClient client(server->port());
    client.send(post("Transfer-Encoding: chunked\r\n") + "2\r\nabc");
    EXPECT_EQ(status_of(client.read_to_end().value()), 400);
    EXPECT_EQ(heard.get_future().get(), "A chunk does not end with CRLF where its size says.");
}

TEST(StreamedRequest, ThatIsCutEndsWithAnError) {
    std::promise<bool> heard;
    const auto server = start(streaming(), [&](Request request, const Responder&) {
        read_all(std::move(request.source),
                 [&](const Result<std::string>& body) { heard.set_value(body.has_value()); });
    });
    RawClient client(server->port());
    client.send(post("Content-Length: 10\r\n") + "abc");
    client.reset();
    EXPECT_FALSE(heard.get_future().get());
}

TEST(StreamedRequest, ThatStallsIsA408) {
    ServerOptions options = streaming();
    options.limits.body_timeout = std::chrono::milliseconds(60);
    const auto server = start(std::move(options), echo_body);
    RawClient client(server->port());
    client.send(post("Content-Length: 10\r\n") + "abc");
    EXPECT_EQ(status_of(client.read_to_end().value()), 408);
}

TEST(StreamedRequest, TimeInWhichNobodyReadsDoesNotCount) {
    ServerOptions options = streaming();
    options.limits.body_timeout = std::chrono::milliseconds(60);
    options.limits.write_timeout = std::chrono::milliseconds(60);
    Inbox inbox;
    const auto server = start(std::move(options), inbox.handler());
    RawClient client(server->port());
    client.send(post("Content-Length: 3\r\n") + "abc");
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    // Another connection's deadline of the same length passes meanwhile.
    RawClient slow(server->port());
    slow.send(post("Content-Length: 3\r\n"));
    auto other = inbox.next();
    ASSERT_TRUE(other);
    other->request.io->post([request = std::make_shared<Request>(std::move(other->request)),
                             respond = other->respond] { echo_body(*request, respond); });
    EXPECT_EQ(status_of(slow.read_to_end().value()), 408);
    pending->request.io->post([request = std::make_shared<Request>(std::move(pending->request)),
                               respond = pending->respond] { echo_body(*request, respond); });
    EXPECT_EQ(body_of(client.read_response().value()), "abc");
}

TEST(StreamedRequest, AReaderThatOutlivesItsRequestReadsNoOther) {
    std::shared_ptr<BodySource> kept;
    std::promise<bool> has_read;
    const auto server = start(streaming(), [&](Request request, const Responder& respond) {
        if (!kept) {
            kept = request.source;
            return echo_body(std::move(request), respond);
        }
        kept->read(
            [&](const Result<std::string_view>& piece) { has_read.set_value(piece.has_value()); });
        echo_body(std::move(request), respond);
        kept.reset();
    });
    RawClient client(server->port());
    const std::string request = post("Content-Length: 3\r\n") + "abc";
    client.send(request);
    EXPECT_EQ(body_of(client.read_response().value()), "abc");
    client.send(request);
    EXPECT_EQ(body_of(client.read_response().value()), "abc");
    EXPECT_FALSE(has_read.get_future().get());
}

TEST(StreamedRequest, AVerdictMayBeTheAnswer) {
    ServerOptions options;
    options.on_head = [](const Request&) { return text("not here", 404); };
    const auto server = start(std::move(options), echo_body);
    RawClient client(server->port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(status_of(client.read_response().value()), 404);
    client.send(post("Content-Length: 3\r\n"));
    EXPECT_EQ(status_of(client.read_to_end().value()), 404);
    EXPECT_EQ(server->stats().requests, 0U);
}

// ---- answers ------------------------------------------------------------------------------------

// Gives the pieces that the test puts in, on the io thread of whoever reads it.
class Pieces : public BodySource {
public:
    struct State {
        std::atomic<bool> is_aborted{false};
        std::atomic<int> reads{0};
    };

    explicit Pieces(std::deque<std::string> pieces, std::optional<std::uint64_t> length = {})
        : pieces_(std::move(pieces)), length_(length) {}
    ~Pieces() override { state_->is_aborted = true; }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    [[nodiscard]] std::optional<std::uint64_t> length() const override { return length_; }
    void read(OnPiece on_piece) override {
        ++state_->reads;
        if (pieces_.empty()) return never_ends_ ? void() : on_piece(std::string_view());
        if (pieces_.front() == "fail") return on_piece(Error(ErrorCode::unavailable, "it broke"));
        piece_ = std::move(pieces_.front());
        pieces_.pop_front();
        on_piece(std::string_view(piece_));
    }
    void abort() override { state_->is_aborted = true; }

    void never_end() { never_ends_ = true; }
    [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

private:
    std::deque<std::string> pieces_;
    std::optional<std::uint64_t> length_;
    std::string piece_;
    bool never_ends_ = false;
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

std::unique_ptr<Server> serving(const std::function<std::shared_ptr<BodySource>()>& source,
                                ServerOptions options = {}) {
    return start(std::move(options), [source](const Request&, const Responder& respond) {
        Response response;
        response.source = source();
        respond(std::move(response));
    });
}

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(StreamedAnswer, OfUnknownLengthIsChunked) {
    const auto server = serving([] {
        return std::make_shared<Pieces>(std::deque<std::string>{"ab", "cde"});
    });
    RawClient client(server->port());
    const std::string end = "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n";
    for (int i = 0; i < 2; ++i) {
        client.send(kGet);
        std::string answer;
        while (!answer.ends_with(end)) answer += client.read_bytes(1).value();
        EXPECT_NE(answer.find("\r\nTransfer-Encoding: chunked\r\n"), std::string::npos);
        EXPECT_EQ(answer.find("Content-Length"), std::string::npos);
    }
}

TEST(StreamedAnswer, ToAnOldClientEndsWithTheConnection) {
    const auto server = serving([] {
        return std::make_shared<Pieces>(std::deque<std::string>{"ab", "cde"});
    });
    RawClient client(server->port());
    client.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "abcde");
    EXPECT_EQ(answer->find("chunked"), std::string::npos);
    EXPECT_NE(answer->find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST(StreamedAnswer, OfKnownLengthKeepsTheConnection) {
    const auto server = serving([] {
        return std::make_shared<Pieces>(std::deque<std::string>{"ab", "cde"}, 5);
    });
    RawClient client(server->port());
    for (int i = 0; i < 2; ++i) {
        client.send(kGet);
        EXPECT_EQ(body_of(client.read_response().value()), "abcde");
    }
}

TEST(StreamedAnswer, ThatIsNotAsLongAsItSaidIsCut) {
    for (const std::uint64_t length : {4, 6}) {
        const auto server = serving([length] {
            return std::make_shared<Pieces>(std::deque<std::string>{"ab", "cde"}, length);
        });
        RawClient client(server->port());
        client.send(kGet + kGet);
        const auto answer = client.read_to_end();
        ASSERT_TRUE(answer);
        EXPECT_EQ(count_responses(*answer), 1U);
        EXPECT_LE(body_of(*answer).size(), length);
        EXPECT_NE(body_of(*answer).size(), length);
    }
}

TEST(StreamedAnswer, ThatFailsIsCut) {
    const auto server = serving([] {
        return std::make_shared<Pieces>(std::deque<std::string>{"ab", "fail"});
    });
    RawClient client(server->port());
    client.send(kGet);
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "2\r\nab\r\n");
}

TEST(StreamedAnswer, ToHeadHasNoBodyAndItsLength) {
    auto state = std::make_shared<std::shared_ptr<Pieces::State>>();
    const auto server = serving([state] {
        auto pieces = std::make_shared<Pieces>(std::deque<std::string>{"ab"}, 2);
        *state = pieces->state();
        return pieces;
    });
    RawClient client(server->port());
    client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_NE(answer->find("\r\nContent-Length: 2\r\n"), std::string::npos);
    EXPECT_EQ(body_of(*answer), "");
    EXPECT_EQ((*state)->reads, 0);
    EXPECT_TRUE((*state)->is_aborted);
}

TEST(StreamedAnswer, ItsHeadLeavesBeforeItsFirstPiece) {
    const auto server = serving([] {
        auto pieces = std::make_shared<Pieces>(std::deque<std::string>{});
        pieces->never_end();
        return pieces;
    });
    RawClient client(server->port());
    client.send(kGet);
    std::string head;
    while (!head.ends_with("\r\n\r\n")) head += client.read_bytes(1).value();
    EXPECT_EQ(status_of(head), 200);
}

TEST(StreamedAnswer, AClientThatLeavesAbortsIt) {
    for (const bool is_polite : {true, false}) {
        auto state = std::make_shared<std::shared_ptr<Pieces::State>>();
        const auto server = serving([state] {
            auto pieces = std::make_shared<Pieces>(std::deque<std::string>{"one event"});
            pieces->never_end();
            *state = pieces->state();
            return pieces;
        });
        RawClient client(server->port());
        client.send(kGet);
        std::string got;
        while (!got.ends_with("one event\r\n")) got += client.read_bytes(1).value();
        is_polite ? client.close() : client.reset();
        EXPECT_TRUE(eventually([&] { return (*state)->is_aborted.load(); }));
        EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
    }
}

TEST(StreamedAnswer, IsReadNoFasterThanItIsTaken) {
    constexpr int kPieces = 1600;  // 100 MiB, far more than the buffers of both sides hold
    auto states = std::make_shared<std::vector<std::shared_ptr<Pieces::State>>>();
    const auto server = serving([states] {
        auto pieces = std::make_shared<Pieces>(
            std::deque<std::string>(kPieces, std::string(kPieceBytesMax, 'x')));
        states->push_back(pieces->state());
        return pieces;
    });
    RawClient stuck(server->port(), 4096);
    stuck.send(kGet);
    ASSERT_TRUE(stuck.read_bytes(100));
    RawClient client(server->port());
    client.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n");
    const auto whole = client.read_to_end();
    ASSERT_TRUE(whole);
    EXPECT_EQ(body_of(*whole).size(), kPieces * kPieceBytesMax);
    EXPECT_EQ(states->at(1)->reads, kPieces + 1);
    EXPECT_LT(states->at(0)->reads, kPieces / 4);
}

TEST(StreamedAnswer, ASourceThatWaitsHoldsNoDeadline) {
    ServerOptions options;
    options.limits.write_timeout = std::chrono::milliseconds(50);
    options.limits.idle_timeout = std::chrono::milliseconds(100);
    IoThread* io = nullptr;
    BodySource::OnPiece waiting;
    class Late : public BodySource {
    public:
        explicit Late(OnPiece& waiting) : waiting_(waiting) {}
        [[nodiscard]] std::optional<std::uint64_t> length() const override { return 2; }
        void read(OnPiece on_piece) override {
            if (has_given_) return on_piece(std::string_view());
            has_given_ = true;
            waiting_ = std::move(on_piece);
        }
        void abort() override {}

    private:
        OnPiece& waiting_;
        bool has_given_ = false;
    };
    const auto server =
        start(std::move(options), [&](const Request& request, const Responder& respond) {
            io = request.io;
            Response response;
            response.source = std::make_shared<Late>(waiting);
            respond(std::move(response));
        });
    RawClient client(server->port());
    client.send(kGet);
    RawClient idle(server->port());
    EXPECT_EQ(idle.read_to_end(), "");  // a longer deadline has passed
    io->post([&] { waiting(std::string_view("ok")); });
    EXPECT_EQ(body_of(client.read_response().value()), "ok");
}

// ---- threads ------------------------------------------------------------------------------------

TEST(SharedThreads, TwoServersStopOneAfterTheOther) {
    const auto io = std::make_shared<IoThreads>(2);
    ServerOptions options;
    options.io = io;
    const auto first = start(options, echo);
    const auto second = start(options, echo);
    for (const auto& server : {first.get(), second.get()}) {
        RawClient client(server->port());
        client.send(kGet);
        EXPECT_TRUE(client.read_response());
    }
    RawClient idle(second->port());
    first->stop();
    idle.send(kGet);
    EXPECT_TRUE(idle.read_response());
    second->stop();
    EXPECT_EQ(idle.read_to_end(), "");
}

}  // namespace
}  // namespace semel::net
