#include "store/redis/redis_store.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/uuid.hpp"
#include "store/redis/agreed_times.hpp"
#include "store/redis/data_set.hpp"
#include "store/redis/ends_channel.hpp"
#include "store/redis/layout.hpp"
#include "store/redis/promises.hpp"
#include "store/redis/read_session.hpp"
#include "store/redis/rights.hpp"
#include "store/redis/writer.hpp"
#include "store/threads/queued_reads.hpp"
#include "store/threads/threaded_committer.hpp"

namespace semel {
namespace redis {
namespace {

using RedisReads = QueuedReads<ReadSession>;

constexpr std::size_t kReaders = 2;     // one long search leaves room for short look-ups
constexpr int kChoresPerSettings = 10;  // every five seconds

std::string some_name() {
    const auto now = std::chrono::floor<Millis>(std::chrono::system_clock::now());
    return UuidGenerator(random_u64).next(now).to_string();
}

StoreInfo info_of(const RedisUrl& url, const ServerSettings& settings) {
    return {"redis", url.shown, promise_of(settings), false};
}

StoreWarning no_hints(bool is_deaf, bool is_mute) {
    const char* what = is_deaf && is_mute ? "subscribe or publish"
                       : is_deaf          ? "subscribe"
                                          : "publish";
    return {"redis_no_hints",
            fmt::format("this user may not {} to {}: whoever waits at one node for a fence that "
                        "another node ends is told within two seconds instead of at once",
                        what, kEndsChannel),
            "allow it with ACL SETUSER: `&semel:* +subscribe +publish`. A minute later the warning "
            "ends"};
}

class RedisStore final : public Store {
public:
    RedisStore(ConnectionOptions connecting, ServerSettings settings,
               std::unique_ptr<DataSet> data_set, std::unique_ptr<SharedTime> time)
        : connecting_(std::move(connecting)),
          promises_(std::move(settings)),
          data_set_(std::move(data_set)),
          time_(std::move(time)),
          ends_channel_(connecting_, [this](Connection& beside) { keep_books(beside); }) {
        std::vector<ReadSession> readers;
        readers.reserve(kReaders);
        for (std::size_t i = 0; i < kReaders; ++i) {
            readers.emplace_back(connecting_);
        }
        reads_ = std::make_unique<RedisReads>(std::move(readers));
    }

    [[nodiscard]] std::unique_ptr<Committer> open_committer(Post post) override {
        return std::make_unique<ThreadedCommitter<Writer>>(
            std::make_unique<Writer>(connecting_, *time_, *data_set_, some_name), std::move(post));
    }

    [[nodiscard]] Reads& reads() override { return *reads_; }
    [[nodiscard]] Time now() const override { return time_->now(); }
    [[nodiscard]] Millis clock_offset() const override { return time_->offset(); }
    void watch(const std::function<void()>& poll) override { ends_channel_.watch(poll); }
    void watch_ends(const std::function<void()>& poll) override { ends_channel_.watch_ends(poll); }
    [[nodiscard]] StoreInfo info() const override {
        return info_of(connecting_.url, promises_.present());
    }
    [[nodiscard]] std::vector<StoreWarning> warnings() const override {
        std::vector<StoreWarning> all = warnings_of(promises_.present());
        if (const auto lost_at = data_set_->lost_at()) {
            all.insert(all.begin(),
                       {"redis_lost_fences",
                        fmt::format("at {} Redis had none of the rows that it had before: fences "
                                    "from before that are forgotten, and may be claimed again",
                                    format_rfc3339(*lost_at)),
                        "look whether effects happened twice; then make Redis keep its rows "
                        "(appendonly, appendfsync), or write `stores.fence: main`. A restart of "
                        "this node ends the warning"});
        }
        if (ends_channel_.is_deaf() || ends_channel_.is_mute()) {
            all.push_back(no_hints(ends_channel_.is_deaf(), ends_channel_.is_mute()));
        }
        return all;
    }

private:
    // Called about every 500 ms.
    void keep_books(Connection& connection) {
        (void)data_set_->open(connection, now());  // also raises the time mark
        RedisAgreedTimes agreed(connection);
        time_->agree(agreed);
        if (chores_++ % kChoresPerSettings == 0) {
            promises_.inspect(connection);
        }
    }

    const ConnectionOptions connecting_;
    PromiseWatch promises_;
    const std::unique_ptr<DataSet> data_set_;
    const std::unique_ptr<SharedTime> time_;
    int chores_ = 0;  // used on the EndsChannel's thread
    EndsChannel ends_channel_;
    std::unique_ptr<RedisReads> reads_;
};

Result<RedisInspection> inspect_parsed(const RedisUrl& url) {
    SEMEL_TRY(connection, Connection::open({.url = url}));
    SEMEL_TRY(settings, read_settings(*connection));
    SEMEL_CHECK(check_usable(settings));
    SEMEL_CHECK(check_rights(*connection));
    return RedisInspection{info_of(url, settings), warnings_of(settings)};
}

Result<std::unique_ptr<Store>> open_parsed(const RedisOptions& options, const RedisUrl& url) {
    ConnectionOptions connecting{.url = url, .reachability = std::make_shared<Reachability>()};
    SEMEL_TRY(connection, Connection::open(connecting));
    SEMEL_TRY(settings, read_settings(*connection));
    SEMEL_CHECK(check_usable(settings));
    SEMEL_CHECK(check_rights(*connection));
    auto data_set = std::make_unique<DataSet>(some_name);
    SEMEL_CHECK(data_set->open(*connection, Time()));
    RedisAgreedTimes agreed(*connection);
    SEMEL_TRY(time, SharedTime::open(agreed, Time(), options.clock));
    return std::unique_ptr<Store>(std::make_unique<RedisStore>(
        std::move(connecting), std::move(settings), std::move(data_set), std::move(time)));
}

std::string url_or_default(const std::string& url) {
    return url.empty() ? kDefaultUrl : url;
}

}  // namespace
}  // namespace redis

Result<std::unique_ptr<Store>> open_redis_store(const RedisOptions& options) {
    SEMEL_TRY(url, redis::parse_url(redis::url_or_default(options.url)));
    auto opened = redis::open_parsed(options, url);
    if (!opened) {
        return opened.error().prefixed("cannot open " + url.shown);
    }
    return opened;
}

Result<RedisInspection> inspect_redis(const std::string& url) {
    SEMEL_TRY(parsed, redis::parse_url(redis::url_or_default(url)));
    auto poll = redis::inspect_parsed(parsed);
    if (!poll) {
        return poll.error().prefixed("cannot open " + parsed.shown);
    }
    return poll;
}

Result<std::string> shown_redis_url(const std::string& url) {
    SEMEL_TRY(parsed, redis::parse_url(redis::url_or_default(url)));
    return parsed.shown;
}

}  // namespace semel
