#include "net/answer_writer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <fmt/format.h>

#include "net/response_writer.hpp"

namespace semel::net {

namespace {

using boost::system::error_code;
namespace asio = boost::asio;

// TLS sends each buffer as a separate record, so a body up to a record's size is joined to the
// head.
constexpr std::size_t kTlsJoinBytes = std::size_t{16} * 1024;

constexpr std::string_view kCrlf = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace

void AnswerWriter::send(Response response, Manner manner, std::string_view date,
                        std::function<void(Sent)> done) {
    done_ = std::move(done);
    begin(response, manner, date);
    transfer_.begin(limits_.write_timeout, limits_.bytes_per_second_min);
    // A piece that is available already is sent together with the head.
    is_writing_ = true;
    if (source_) read_source();
    if (!done_) return;
    is_writing_ = false;
    if (next_) frame(*std::exchange(next_, std::nullopt));
    write_more();
}

void AnswerWriter::begin(Response& response, Manner manner, std::string_view date) {
    const bool has_body = may_have_body(response.status) && !manner.is_for_head;
    source_ = std::move(response.source);
    length_ = source_ ? source_->length() : std::nullopt;
    framed_ = 0;
    is_chunked_ = source_ && has_body && !length_ && !manner.is_http_1_0;
    HeadFraming framing;
    framing.is_chunked = is_chunked_;
    framing.keeps_alive = manner.keeps_alive && (!source_ || length_ || is_chunked_ || !has_body);
    if (source_) {
        framing.length = length_;
    } else if (manner.is_for_head && response.length) {
        framing.length = response.length;
    } else {
        framing.length = response.body.size();
    }
    write_head(response, framing, date, head_);
    body_.clear();
    if (!has_body) {
        if (source_) source_->abort();
        source_.reset();
    } else if (stream_.is_tls() && response.body.size() <= kTlsJoinBytes) {
        head_.append(response.body);
    } else {
        body_ = std::move(response.body);
    }
    output_ = {head_, body_, {}};
    written_ = 0;
    is_head_written_ = false;
    has_last_ = !source_;
}

void AnswerWriter::abort() {
    done_ = nullptr;
    if (source_) source_->abort();
    source_.reset();
    next_.reset();
    is_reading_ = false;
}

void AnswerWriter::read_source() {
    is_reading_ = true;
    transfer_.pause();
    const auto source = source_;  // finish() can drop source_ within the call
    source->read([this, owner = owner_](Result<std::string_view> piece) {
        if (const auto alive = owner.lock()) arrived(std::move(piece));
    });
}

void AnswerWriter::arrived(Result<std::string_view> piece) {
    if (!done_) return;
    is_reading_ = false;
    transfer_.resume();
    const bool is_too_long = piece && length_ && framed_ + piece->size() > *length_;
    if (!piece || is_too_long) return finish(Sent::cut);
    if (is_writing_) {
        next_ = *piece;
        return;
    }
    frame(*piece);
    write_more();
}

void AnswerWriter::frame(std::string_view piece) {
    framed_ += piece.size();
    has_last_ = piece.empty();
    if (is_head_written_) head_.clear();
    if (is_chunked_ && !piece.empty()) {
        fmt::format_to(std::back_inserter(head_), "{:x}\r\n", piece.size());
    }
    const std::string_view end = has_last_ ? kLastChunk : kCrlf;
    output_ = {head_, piece, is_chunked_ ? end : std::string_view()};
    if (stream_.is_tls() && piece.size() <= kTlsJoinBytes) {
        head_.append(piece).append(output_[2]);
        output_ = {head_, {}, {}};
    }
    written_ = 0;
}

void AnswerWriter::write_more() {
    std::array<asio::const_buffer, 3> buffers;
    std::size_t skipped = written_;
    for (std::size_t i = 0; i < output_.size(); ++i) {
        const std::string_view part = output_[i].substr(std::min(skipped, output_[i].size()));
        skipped -= output_[i].size() - part.size();
        buffers[i] = asio::buffer(part);
    }
    if (asio::buffer_size(buffers) == 0) return on_written(0);
    is_writing_ = true;
    stream_.async_write_some(
        buffers, [this, owner = owner_.lock()](const error_code& failure, std::size_t count) {
            is_writing_ = false;
            if (!done_) return;
            if (failure) return finish(Sent::cut);
            on_written(count);
        });
}

void AnswerWriter::on_written(std::size_t count) {
    written_ += count;
    transfer_.move(count);
    if (written_ < output_[0].size() + output_[1].size() + output_[2].size()) return write_more();
    is_head_written_ = true;
    if (has_last_) return finish(how_it_ended());
    if (next_) {
        frame(*std::exchange(next_, std::nullopt));
        return write_more();
    }
    if (!is_reading_) read_source();
}

AnswerWriter::Sent AnswerWriter::how_it_ended() const {
    if (!source_) return Sent::whole;
    if (length_) return framed_ == *length_ ? Sent::whole : Sent::cut;
    return is_chunked_ ? Sent::whole : Sent::whole_until_close;
}

void AnswerWriter::finish(Sent sent) {
    source_.reset();
    next_.reset();
    is_reading_ = false;
    body_ = std::string();
    std::exchange(done_, nullptr)(sent);
}

AnswerWriter::Clock::time_point AnswerWriter::deadline() const {
    return done_ ? transfer_.value() : Clock::time_point::max();
}

}  // namespace semel::net
