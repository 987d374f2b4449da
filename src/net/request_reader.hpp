// RequestReader: reads a server's connection: heads, bodies, and whether the client has ended its
// side. At most one read of the socket is pending.
//
// Errors: the callbacks receive a Refusal for a bad message, or Ended.
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

    // Call only one of read_head(), read_piece() and watch() at a time. Each calls back once,
    // perhaps before it returns, unless stop() is called first.
    void read_head(OnHead on_head);
    void read_piece(OnPiece on_piece);
    // Reads ahead, to notice that the client has ended its side. If the client sends bytes instead,
    // they belong to the next request, and read_head() may follow without a stop().
    void watch(std::function<void()> on_ended);

    // Drops the callback. A pending read continues, and its bytes stay in the buffer.
    void stop();
    // Ends the pending read and drops the buffered bytes. Calls `released` when no read is pending.
    void release(std::function<void()> released);

    // Prepares to read the body of the head that was read last. A chunked body that exceeds
    // `bytes_max` is refused with 413. The caller has checked a Content-Length.
    void begin_body(const Head& head, std::uint64_t bytes_max);
    // Returns true if the end of the body was given, or if the request has no body.
    [[nodiscard]] bool is_body_over() const { return is_body_over_; }
    // Returns true if all bytes of the body were given, also if its end was not given yet.
    [[nodiscard]] bool is_body_taken() const {
        return is_body_over_ || (framing_ == Framing::length && bytes_left_ == 0);
    }

    [[nodiscard]] bool has_input() const { return !input_.empty(); }
    // Returns true if the first byte of the head that is being read has arrived.
    [[nodiscard]] bool has_head_begun() const { return has_head_begun_; }
    [[nodiscard]] bool has_ended() const { return has_ended_; }
    // Returns the deadline of the head or piece that is being read, or time_point::max().
    [[nodiscard]] Clock::time_point deadline() const;

private:
    enum class Wanted { nothing, head, piece, end };

    // Calls back if the wanted head, piece or end has arrived, otherwise reads more.
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
