// Connection: one client's connection. It reads a head and a body, calls the handler, writes the
// answer, and begins again. It handles one request at a time: pipelined requests wait in the
// buffer, unparsed.
//
// Threads: all functions are for the thread of its worker.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/chunks.hpp"
#include "net/head.hpp"
#include "net/http.hpp"
#include "net/read_buffer.hpp"
#include "net/stream.hpp"

namespace semel::net {

class Worker;

// Lifetime: the worker owns it until close(), and each pending operation keeps it alive.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    using Clock = std::chrono::steady_clock;

    Connection(Worker& worker, Tcp::socket socket);

    // Reads the first request. With `is_over_limit` it answers 503 and closes; over TLS, or while
    // the server stops, it closes at once.
    void start(bool is_over_limit);
    // Writes the answer to the request that is being handled. Its Exchange calls this once, and no
    // other request begins before. Ignored once the connection is closed.
    void answer(Response response);
    // Closes the socket and leaves the worker. Idempotent.
    void close();

    // Whether the connection waits for a request or for the rest of one.
    [[nodiscard]] bool awaits_request() const;
    [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
    // Called by the worker once the deadline has passed: answers 408, or closes.
    void on_deadline();

private:
    enum class Phase { handshake, head, continuing, body, handling, writing, lingering, closed };

    void begin_request();
    void continue_head();
    void read_head();
    void accept_head(Head head);
    void begin_body(std::size_t limit, bool expects_continue);
    void send_continue();
    void continue_body();
    void read_body();
    void read_chunks();
    void call_handler();
    void watch_for_end();
    void on_watched();

    void refuse(int status, std::string_view detail);
    void refuse_body(std::size_t limit);
    void write(Response response);
    void write_more();
    void on_written(std::size_t count);
    void write_next_piece();
    void linger();
    void say_goodbye();
    void discard_input();

    void set_deadline(std::chrono::milliseconds timeout) { deadline_ = Clock::now() + timeout; }
    // Sets the deadline of a transfer of which `moved` bytes are done; see bytes_per_second_min.
    void set_transfer_deadline(std::chrono::milliseconds timeout, std::size_t moved);

    Worker& worker_;
    Stream stream_;
    std::string peer_;
    bool peer_is_loopback_ = false;

    Phase phase_ = Phase::head;
    Clock::time_point phase_began_;
    Clock::time_point deadline_ = Clock::time_point::max();

    ReadBuffer input_;
    HeadScanner scanner_;
    bool head_has_begun_ = false;
    Request request_;
    Framing framing_ = Framing::none;
    std::size_t body_size_ = 0;   // with Framing::length
    std::size_t body_bytes_ = 0;  // of the body that arrived, with the chunks' framing
    std::size_t body_limit_ = 0;
    ChunkDecoder chunks_{0};
    bool closes_after_answer_ = false;
    bool is_head_request_ = false;

    bool is_in_handler_ = false;
    bool is_watching_ = false;              // a read is pending while the handler works
    bool has_ended_ = false;                // that read found that the peer ended its side
    std::function<void()> gone_;            // called if the peer ends its side meanwhile
    std::optional<Response> early_answer_;  // arrived before the handler's call returned

    std::string output_head_;
    std::string output_body_;               // the whole body, or a piece of `file_`
    std::size_t written_ = 0;               // bytes of these two
    std::shared_ptr<const OpenFile> file_;  // the body is read from it, from file_offset_ on
    std::uint64_t file_offset_ = 0;
    std::size_t answered_ = 0;  // bytes of the whole answer
};

}  // namespace semel::net
