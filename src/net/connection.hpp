// One connection's life on its worker's thread: read a head, read its body, call the handler,
// write the answer, again. One request at a time: what a client pipelines waits in the buffer.
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

// Kept alive by the worker until close(), and by the operations under way.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    using Clock = std::chrono::steady_clock;

    Connection(Worker& worker, Tcp::socket socket);

    void start(bool is_over_limit);
    // The answer to the request being handled: its exchange gives one, and until then no other
    // request begins. Ignored once the connection has closed.
    void answer(Response response);
    void close();

    // Waiting for a request, or for the rest of one.
    [[nodiscard]] bool awaits_request() const;
    [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
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
    // A deadline that moves with the bytes that moved: see Limits::bytes_per_second_min.
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
    std::size_t body_bytes_ = 0;  // of body that arrived, chunk lines included
    std::size_t body_limit_ = 0;
    ChunkDecoder chunks_{0};
    bool closes_after_answer_ = false;
    bool is_head_request_ = false;

    bool is_in_handler_ = false;
    bool is_watching_ = false;              // a read beside the handler is under way
    bool has_ended_ = false;                // that read found the end of the peer's side
    std::function<void()> gone_;            // told when the peer ends its side while it is handled
    std::optional<Response> early_answer_;  // given while the handler was still running

    std::string output_head_;
    std::string output_body_;               // the whole body, or a piece of the file
    std::size_t written_ = 0;               // of these two
    std::shared_ptr<const OpenFile> file_;  // what is left of it is the rest of the body
    std::uint64_t file_offset_ = 0;
    std::size_t answered_ = 0;  // of the whole answer
};

}  // namespace semel::net
