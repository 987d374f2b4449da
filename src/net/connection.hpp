// Connection: one client's connection to a server. It reads a head and a body, calls the handler,
// writes the answer, and begins again. It handles one request at a time: pipelined requests wait in
// the buffer, unparsed.
//
//   handshake ─► head ─► body ─► handling ─► writing ─► head …, or lingering ─► closed
//
// A streamed body is read while the request is handled and its answer is written.
//
// Errors: the client gets an error answer, or the connection is closed.
// Threads: the io thread of its worker.
// Lifetime: the worker holds it until close(), and each pending operation keeps it alive.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/answer_writer.hpp"
#include "net/deadline_sweep.hpp"
#include "net/head.hpp"
#include "net/http.hpp"
#include "net/request_reader.hpp"
#include "net/server.hpp"
#include "net/stream.hpp"

namespace semel::net {

class Worker;

class Connection : public Timed, public std::enable_shared_from_this<Connection> {
public:
    Connection(std::shared_ptr<Worker> worker, Tcp::socket socket);

    // Reads the first request. With `is_over_limit` it answers 503 and closes; over TLS, or while
    // the server stops, it closes at once.
    void start(bool is_over_limit);
    // Writes the answer to the request that is being handled. Its Exchange calls this once, and no
    // other request begins before. Ignored once the connection is closed.
    void answer(Response response);
    // Closes the socket and leaves the worker. Idempotent.
    void close();

    // Read and abort the streamed body of the request with this number. See BodySource. Ignored if
    // another request has begun.
    void read_body(std::uint64_t request, BodySource::OnPiece on_piece);
    void abort_body(std::uint64_t request);

    // Returns true while the connection waits for a request or for the rest of one.
    [[nodiscard]] bool awaits_request() const;
    [[nodiscard]] Clock::time_point deadline() const override;
    // Answers 408, or closes.
    void on_deadline() override;

private:
    enum class Phase { handshake, head, body, handling, writing, lingering, closed };

    void begin_request();
    void accept_head(Head head);
    [[nodiscard]] HeadVerdict judge();
    void read_whole_body();
    void refuse_body(const Refusal& refusal);
    void read_piece(RequestReader::OnPiece on_piece);
    void send_continue(std::function<void()> sent);
    void fail_streamed_body(const Error& error);
    void call_handler();
    void watch_for_end();
    void on_client_ended();

    void refuse(int status, std::string_view detail);
    void write(Response response);
    void on_sent(AnswerWriter::Sent sent);
    void linger();
    void say_goodbye();
    void discard_input();

    std::shared_ptr<Worker> worker_;
    Stream stream_;
    RequestReader reader_;
    AnswerWriter writer_;
    std::string peer_;
    bool peer_is_loopback_ = false;

    Phase phase_ = Phase::head;
    Clock::time_point deadline_ =
        Clock::time_point::max();  // of handshake, 100 Continue, lingering

    std::uint64_t requests_ = 0;  // the number of requests that have begun
    Request request_;
    std::uint64_t body_bytes_max_ = 0;
    bool expects_continue_ = false;  // the client waits for `100 Continue` before its body
    bool is_continuing_ = false;     // `100 Continue` is being written
    bool is_streamed_ = false;
    BodySource::OnPiece on_piece_;  // receives the next piece of the streamed body
    bool closes_after_answer_ = false;
    bool is_head_request_ = false;
    bool is_http_1_0_ = false;

    bool is_in_handler_ = false;
    std::function<void()> gone_;            // called if the client ends its side meanwhile
    std::optional<Response> early_answer_;  // arrived before it could be written
    std::vector<char> discarded_;           // while lingering
};

}  // namespace semel::net
