// AnswerWriter: sends one answer at a time over a server's connection: its head, and its body or
// the pieces of its source. It reads the next piece after the client has taken the one before.
//
// Errors: `done` receives Sent::cut. The connection must then be closed.
//
// Threads: the connection's io thread.
// Lifetime: a member of its connection. A pending write keeps the owner alive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/body_source.hpp"
#include "net/deadline_sweep.hpp"
#include "net/http.hpp"
#include "net/server.hpp"
#include "net/stream.hpp"
#include "net/transfer_deadline.hpp"

namespace semel::net {

class AnswerWriter {
public:
    using Clock = Timed::Clock;

    // How to send an answer, by its request and connection.
    struct Manner {
        bool keeps_alive = true;  // false: the head says that the connection closes
        bool is_for_head = false;
        bool is_http_1_0 = false;  // such a client does not know chunks
    };
    enum class Sent {
        whole,
        whole_until_close,  // the end of the connection is the end of the body
        cut,                // the source failed, or the connection did
    };

    AnswerWriter(Stream& stream, const Limits& limits) : stream_(stream), limits_(limits) {}

    // Call it before the first answer.
    void set_owner(std::weak_ptr<void> owner) { owner_ = std::move(owner); }

    // `done` is called once, unless abort() comes first. REQUIRES: is_writable(response).
    void send(Response response, Manner manner, std::string_view date,
              std::function<void(Sent)> done);
    // Drops the answer, and aborts its source.
    void abort();

    // Returns true if the next piece must come from the source: nothing is being written, and the
    // source has not given the piece yet. The connection then does not wait for the client.
    [[nodiscard]] bool waits_for_source() const { return is_reading_ && !is_writing_; }
    // Returns the time by which the client must have taken more bytes: see
    // Limits::bytes_per_second_min. Returns time_point::max() without an answer to send, and while
    // the source is being read.
    [[nodiscard]] Clock::time_point deadline() const;

private:
    void begin(Response& response, Manner manner, std::string_view date);
    void read_source();
    // Receives the next piece of the source, or its error.
    void arrived(Result<std::string_view> piece);
    // Frames the piece for the connection, or the end if it is empty.
    void frame(std::string_view piece);
    void write_more();
    void on_written(std::size_t count);
    [[nodiscard]] Sent how_it_ended() const;
    void finish(Sent sent);

    Stream& stream_;
    const Limits& limits_;
    std::weak_ptr<void> owner_;

    std::shared_ptr<BodySource> source_;
    std::optional<std::uint64_t> length_;  // of the source's body
    std::uint64_t framed_ = 0;             // bytes of it
    bool is_chunked_ = false;
    bool is_head_written_ = false;
    bool has_last_ = false;  // what is being written ends the answer

    std::string head_;                          // of the answer, or of a chunk
    std::string body_;                          // whole, if there is no source
    std::array<std::string_view, 3> output_{};  // the head, a body or a piece, what follows it
    std::size_t written_ = 0;                   // bytes of these
    bool is_writing_ = false;
    bool is_reading_ = false;               // the source
    std::optional<std::string_view> next_;  // arrived while the answer's head was being written
    TransferDeadline transfer_;
    std::function<void(Sent)> done_;
};

}  // namespace semel::net
