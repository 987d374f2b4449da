// LinkCall: one call on a Link. It writes the request and reads the answer at the same time,
// because a server may answer before it has read the whole request.
//
// Errors: `on_end` receives them as a CallResult (call.hpp).
// Threads: the io thread.
// Lifetime: it lives until `on_end`, also without its handle.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/answer_decoder.hpp"
#include "net/call.hpp"
#include "net/deadline_sweep.hpp"
#include "net/head.hpp"
#include "net/link.hpp"

namespace semel::net {

class LinkCall : public Call, public Timed, public std::enable_shared_from_this<LinkCall> {
public:
    // Begins the call. The listener is called later. When `on_end` is called, the link is still
    // open if it can carry another call. REQUIRES: no call uses the link.
    static std::shared_ptr<LinkCall> start(std::shared_ptr<Link> link,
                                           std::shared_ptr<DeadlineSweep> sweep,
                                           std::shared_ptr<const CallRequest> request,
                                           CallListener listener);

    void cancel() override;

    [[nodiscard]] Clock::time_point deadline() const override;
    void on_deadline() override;

private:
    class Body;

    enum class Sending { writing, pulling, done, broken };
    enum class Answer { head, body, ended };

    LinkCall(std::shared_ptr<Link> link, std::shared_ptr<DeadlineSweep> sweep,
             std::shared_ptr<const CallRequest> request, CallListener listener);

    void begin();
    void write_more();
    void on_written(const boost::system::error_code& failure, std::size_t count);
    void pull();
    void on_piece(const Result<std::string_view>& piece);
    void on_write_failure(const boost::system::error_code& failure);

    void read_head();
    void on_head_read(const boost::system::error_code& failure);
    void on_lost(const boost::system::error_code& failure);
    void continue_head();
    [[nodiscard]] bool take_head();
    void give_head(StatusHead head);

    void read_body(BodySource::OnPiece on_piece);
    void continue_body();
    void on_body_read(const boost::system::error_code& failure);
    void give_up_body();
    void finish_body();

    [[nodiscard]] bool has_ended() const { return answer_ == Answer::ended; }
    [[nodiscard]] bool may_have_left() const { return is_first_write_pending_ || has_written_; }
    [[nodiscard]] bool link_can_be_reused() const;
    void touch() { progress_at_ = Clock::now(); }
    void end(CallResult what, std::string detail);

    const std::shared_ptr<Link> link_;
    const std::shared_ptr<DeadlineSweep> sweep_;
    const std::shared_ptr<const CallRequest> request_;
    CallListener listener_;

    Sending sending_ = Sending::writing;
    std::string output_;                        // head or chunk …
    std::string_view piece_;                    // … and the bytes after it
    std::size_t written_ = 0;                   // of both
    std::optional<std::uint64_t> source_left_;  // of a source that knows its length
    bool is_last_ = false;                      // chunked: the last chunk is being written
    bool is_first_write_pending_ = false;
    bool has_written_ = false;
    Clock::time_point broken_at_;

    Answer answer_ = Answer::head;
    HeadScanner scanner_;
    std::size_t skipped_bytes_ = 0;                  // of 1xx heads
    std::optional<boost::system::error_code> lost_;  // while the first write is pending
    bool keep_alive_ = false;
    std::optional<std::chrono::seconds> kept_for_;
    bool came_early_ = false;  // before the request was written whole
    std::optional<AnswerDecoder> decoder_;
    BodySource::OnPiece on_piece_;
    Clock::time_point progress_at_;
};

}  // namespace semel::net
