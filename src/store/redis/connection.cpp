#include "store/redis/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <poll.h>

#include "base/text.hpp"
#include "store/redis/quiet_pipe.hpp"

namespace semel::redis {
namespace {

constexpr std::chrono::milliseconds kPauseFirst = std::chrono::milliseconds(20);
constexpr std::chrono::milliseconds kPauseMax = std::chrono::seconds(1);

timeval to_timeval(std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {.tv_sec = seconds.count(),
            .tv_usec = std::chrono::microseconds(time - seconds).count()};
}

struct FreeReply {
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

Reply to_reply(const redisReply& from) {
    Reply reply;
    switch (from.type) {
        case REDIS_REPLY_STRING:
        case REDIS_REPLY_STATUS: reply.kind = Reply::Kind::text; break;
        case REDIS_REPLY_ERROR: reply.kind = Reply::Kind::error; break;
        case REDIS_REPLY_INTEGER:
            reply.kind = Reply::Kind::number;
            reply.number = from.integer;
            return reply;
        case REDIS_REPLY_ARRAY:
            reply.kind = Reply::Kind::list;
            for (std::size_t i = 0; i < from.elements; ++i) {
                reply.items.push_back(to_reply(*from.element[i]));
            }
            return reply;
        default: return reply;  // nil
    }
    reply.text.assign(from.str, from.len);
    return reply;
}

bool begins_with_any(std::string_view text, const std::vector<std::string_view>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.starts_with(word); });
}

}  // namespace

std::optional<std::int64_t> Reply::as_number() const {
    switch (kind) {
        case Kind::number: return number;
        case Kind::text:
            if (text.starts_with('-')) {
                const auto positive = parse_decimal(std::string_view(text).substr(1));
                return positive ? std::optional(-*positive) : std::nullopt;
            }
            return parse_decimal(text);
        case Kind::nil:
        case Kind::list:
        case Kind::error: return std::nullopt;
    }
    return std::nullopt;
}

Error error_of(const Reply& reply) {
    if (begins_with_any(reply.text,
                        {"NOAUTH", "WRONGPASS", "NOPERM", "ERR AUTH", "ERR invalid password",
                         "ERR DB index", "ERR The user executing the script"})) {
        return {ErrorCode::refused, "Redis refuses: " + reply.text};
    }
    // The server answers, but accepts no writes.
    if (begins_with_any(reply.text, {"MISCONF", "OOM", "READONLY", "NOREPLICAS"})) {
        return {ErrorCode::io_error, "Redis says: " + reply.text};
    }
    return {ErrorCode::unavailable, "Redis says: " + reply.text};
}

void Connection::Free::operator()(redisContext* context) const {
    redisFree(context);
}

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionOptions& options) {
    const RedisUrl& url = options.url;
    redisContext* context =
        redisConnectWithTimeout(url.host.c_str(), url.port, to_timeval(options.connect_patience));
    if (context == nullptr) {
        return Error(ErrorCode::unavailable, "out of memory");
    }
    std::unique_ptr<Connection> connection(new Connection(context, options));
    if (context->err != 0) {
        Error error(ErrorCode::unavailable,
                    fmt::format("Redis at {}:{} cannot be reached: {}", url.host, url.port,
                                std::string_view(static_cast<const char*>(context->errstr))));
        if (options.reachability) options.reachability->lost(error);
        return error;
    }
    if (redisSetTimeout(context, to_timeval(options.patience)) != REDIS_OK) {
        return connection->lost();
    }
    (void)redisEnableKeepAlive(context);
    SEMEL_CHECK(connection->greet(url));
    return connection;
}

Result<void> Connection::greet(const RedisUrl& url) {
    if (!url.password.empty()) {
        const auto known = ask(url.user.empty() ? Command{"AUTH", url.password}
                                                : Command{"AUTH", url.user, url.password});
        if (!known) {
            // A server that does not know the command repeats its arguments.
            const Error& error = known.error();
            const bool shows_it = error.message().find(url.password) != std::string::npos;
            return shows_it ? Error(error.code(), "Redis does not take the password") : error;
        }
    }
    SEMEL_CHECK(ask({"SELECT", std::to_string(url.database)}));
    return {};
}

void Connection::queue(const Command& command) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& argument : command) {
        texts.push_back(argument.data());
        sizes.push_back(argument.size());
    }
    ++queued_;
    if (redisAppendCommandArgv(context_.get(), static_cast<int>(command.size()), texts.data(),
                               sizes.data()) != REDIS_OK) {
        broken_ = true;
    }
}

Result<std::vector<Reply>> Connection::flush() {
    const QuietPipe quiet;
    std::vector<Reply> replies;
    for (; queued_ > 0; --queued_) {
        auto reply = broken_ ? Result<Reply>(lost()) : receive();
        if (!reply) {
            queued_ = 0;
            return reply.error();
        }
        replies.push_back(*std::move(reply));
    }
    if (options_.reachability) options_.reachability->answered();
    return replies;
}

Result<Reply> Connection::receive() {
    void* received = nullptr;
    errno = 0;
    if (redisGetReply(context_.get(), &received) != REDIS_OK || received == nullptr) {
        return errno == EAGAIN ? late() : lost();
    }
    const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(received));
    return to_reply(*reply);
}

Result<Reply> Connection::ask(const Command& command) {
    queue(command);
    SEMEL_TRY(replies, flush());
    if (replies.front().is_error()) {
        return error_of(replies.front());
    }
    return std::move(replies.front());
}

Result<std::vector<std::string>> Connection::wait_for_messages(std::chrono::milliseconds most,
                                                               int fd) {
    std::array<pollfd, 2> wanted = {
        {{context_->fd, POLLIN, 0}, {.fd = fd, .events = POLLIN, .revents = 0}}};
    (void)poll(wanted.data(), wanted.size(), static_cast<int>(most.count()));
    std::vector<std::string> messages;
    if (wanted.front().revents == 0) {
        return messages;
    }
    if (redisBufferRead(context_.get()) != REDIS_OK) {
        return lost();
    }
    while (true) {
        void* received = nullptr;
        if (redisGetReplyFromReader(context_.get(), &received) != REDIS_OK) {
            return lost();
        }
        if (received == nullptr) {
            return messages;
        }
        const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(received));
        Reply message = to_reply(*reply);  // its kind, the channel, and what was published
        messages.push_back(message.items.empty() ? "" : std::move(message.items.back().text));
    }
}

Error Connection::lost() {
    broken_ = true;
    const std::string_view words = static_cast<const char*>(context_->errstr);
    return {ErrorCode::unavailable, fmt::format("the connection to Redis was lost: {}",
                                                words.empty() ? "no answer in time" : words)};
}

Error Connection::late() {
    broken_ = true;
    const std::chrono::duration<double> patience = options_.patience;
    Error error(ErrorCode::timeout,
                fmt::format("Redis at {}:{} did not answer within {:g} s", options_.url.host,
                            options_.url.port, patience.count()));
    if (options_.reachability) options_.reachability->lost(error);
    return error;
}

std::optional<Error> Reconnecting::why_not_now() const {
    if (role_ == Role::follows && options_.reachability) {
        if (auto away = options_.reachability->why_away()) {
            return away;
        }
    }
    const bool is_alive = connection_ != nullptr && connection_->is_alive();
    const bool is_early =
        pause_.count() != 0 && std::chrono::steady_clock::now() < next_try_ && !is_alive;
    return is_early ? failure_ : std::nullopt;
}

Result<Connection*> Reconnecting::get() {
    if (auto why = why_not_now()) {
        return *std::move(why);
    }
    if (connection_ != nullptr && connection_->is_alive()) {
        return connection_.get();
    }
    connection_.reset();
    auto opened = Connection::open(options_);
    if (!opened) {
        pause_ = std::clamp(pause_ * 2, kPauseFirst, kPauseMax);
        next_try_ = std::chrono::steady_clock::now() + pause_;
        failure_ = opened.error();
        return opened.error();
    }
    pause_ = std::chrono::milliseconds(0);
    connection_ = *std::move(opened);
    return connection_.get();
}

}  // namespace semel::redis
