// RequestReader: everything that is read from a server's connection: heads, bodies, and between
// them whether the client has ended its side. At most one read is pending, whatever is wanted.
//
// Threads: the connection's io thread.
// Lifetime: a member of its connection. A pending read keeps the owner alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "net/chunks.hpp"
#include "net/deadline_sweep.hpp"
#include "net/head.hpp"
#include "net/read_buffer.hpp"
#include "net/server.hpp"
#include "net/stream.hpp"
#include "net/transfer_deadline.hpp"

namespace semel::net {

class RequestReader {
public:
    using Clock = Timed::Clock;

    // The client has ended its side, or the connection was lost.
    struct Ended {};
    using OnHead = std::function<void(std::variant<Head, Refusal, Ended>)>;
    // An empty text is the end of the body. The text is valid until the next read.
    using OnPiece = std::function<void(std::variant<std::string_view, Refusal, Ended>)>;

    RequestReader(Stream& stream, const Limits& limits) : stream_(stream), limits_(limits) {}

    // Call it before the first read.
    void set_owner(std::weak_ptr<void> owner) { owner_ = std::move(owner); }

    // One of these at a time; each calls back once, perhaps within the call, unless stop() was
    // called.
    void read_head(OnHead on_head);
    void read_piece(OnPiece on_piece);
    // Reads ahead, to learn of the client's end. What the client sends instead belongs to the next
    // request, whose read_head() may follow without a stop().
    void watch(std::function<void()> on_ended);

    // Forgets what is wanted. A pending read goes on.
    void stop();
    // Ends the pending read, drops what has arrived, and calls back once nothing is pending.
    void release(std::function<void()> released);

    // The body of the head that was read last. A refusal of its size has the status 413.
    void begin_body(const Head& head, std::uint64_t bytes_max);
    // Whether the end of the body was given, or there is none.
    [[nodiscard]] bool is_body_over() const { return is_body_over_; }
    // Whether all of the body was given, perhaps but for its end.
    [[nodiscard]] bool is_body_taken() const {
        return is_body_over_ || (framing_ == Framing::length && bytes_left_ == 0);
    }

    [[nodiscard]] bool has_input() const { return !input_.empty(); }
    // Whether a byte of the head that is wanted has arrived.
    [[nodiscard]] bool has_head_begun() const { return has_head_begun_; }
    [[nodiscard]] bool has_ended() const { return has_ended_; }
    // Of what is wanted.
    [[nodiscard]] Clock::time_point deadline() const;

private:
    enum class Wanted { nothing, head, piece, end };

    // Gives what is wanted if it has arrived, else reads on.
    void pump();
    void pump_head();
    void pump_piece();
    void read_more(std::size_t bytes);
    void give_head(std::variant<Head, Refusal, Ended> head);
    void give_piece(std::variant<std::string_view, Refusal, Ended> piece);
    [[nodiscard]] std::variant<std::string_view, Refusal> take_piece();

    Stream& stream_;
    const Limits& limits_;
    std::weak_ptr<void> owner_;

    ReadBuffer input_;
    bool is_reading_ = false;
    bool has_ended_ = false;
    Wanted wanted_ = Wanted::nothing;
    OnHead on_head_;
    OnPiece on_piece_;
    std::function<void()> on_ended_;
    std::function<void()> on_released_;

    HeadScanner scanner_;
    bool has_head_begun_ = false;
    Clock::time_point head_deadline_ = Clock::time_point::max();

    Framing framing_ = Framing::none;
    std::uint64_t bytes_left_ = 0;  // with Framing::length
    ChunkDecoder chunks_{0};
    std::string decoded_;  // a piece of a chunked body
    bool is_body_over_ = true;
    TransferDeadline transfer_;
};

}  // namespace semel::net
