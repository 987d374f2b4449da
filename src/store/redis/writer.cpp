#include "store/redis/writer.hpp"

#include <thread>

#include <fmt/format.h>

#include "store/ladder/ladder.hpp"
#include "store/redis/agreed_times.hpp"
#include "store/redis/layout.hpp"
#include "store/redis/scripts.hpp"

namespace semel::redis {
namespace {

constexpr std::size_t kPreface = 2;  // the number of replies ahead of the rows
// The limit of climbs, against an endless loop. The ladder of fences has three rungs.
constexpr int kRoundTripsMax = 20;
// How long the result of a lost commit is asked for. A crashed server usually restarts within this
// time.
constexpr std::chrono::seconds kFindOutFor{5};
constexpr std::chrono::milliseconds kFindOutPause{50};
constexpr const char* kMarkKeptMs = "600000";

// The result of scripts/commit.lua, also stored in the mark, if one of its commands was refused.
constexpr std::string_view kTorn = "torn";

Error torn(std::string_view why) {
    return {ErrorCode::commit_unknown,
            fmt::format("Redis has written a part of a commit, and refused the rest{}: mend that "
                        "user's rights, then look at the fences of these seconds",
                        why)};
}

}  // namespace

// Tries a second time if the connection was lost since the last commit, because a load changes
// nothing. After a timeout it does not try again, because the callers have waited long enough.
Result<Loaded> Writer::load(const LoadSpec& spec) {
    auto loaded = try_load(spec);
    return !loaded && loaded.error().code() == ErrorCode::unavailable ? try_load(spec)
                                                                      : std::move(loaded);
}

Result<Loaded> Writer::try_load(const LoadSpec& spec) {
    SEMEL_TRY(connection, connecting_.get());
    rows_.emplace();
    auto loaded = climb(*connection, spec);
    if (!loaded) {
        rows_.reset();
        connecting_.drop();  // a late answer would be read as that of a later command
        return loaded.error();
    }
    now_ = loaded->now;
    return loaded;
}

Result<Loaded> Writer::climb(Connection& connection, const LoadSpec& spec) {
    for (int trips = 0; trips < kRoundTripsMax; ++trips) {
        Loaded loaded = climb_ladder(*rows_, spec, time_.now());
        if (trips > 0 && !rows_->has_wishes()) {
            SEMEL_CHECK(rows_->sweep(connection));
            Loaded answer = answer_of(std::move(loaded), *rows_);
            answer.damaged = rows_->damaged();
            return answer;
        }
        queue_preface(connection);
        SEMEL_CHECK(rows_->queue(connection));
        const auto asked = StoreClock::real_sample().steady;
        SEMEL_TRY(replies, connection.flush());
        SEMEL_CHECK(read_preface(connection, replies, asked));
        SEMEL_CHECK(rows_->take(replies, kPreface));
    }
    return Error(ErrorCode::corrupt, "loading does not come to an end");
}

void Writer::queue_preface(Connection& connection) {
    connection.queue({"TIME"});
    connection.queue({"HGET", kMetaKey, "id"});
}

Result<void> Writer::read_preface(Connection& connection, const std::vector<Reply>& replies,
                                  std::chrono::nanoseconds asked) {
    for (std::size_t i = 0; i < kPreface; ++i) {
        if (replies.at(i).is_error()) {
            return error_of(replies[i]);
        }
    }
    SEMEL_TRY(server, read_time(replies[0]));
    time_.heard(server, asked);
    if (!data_set_.is_same(replies[1])) {
        return data_set_.open(connection, time_.now());
    }
    return {};
}

Result<void> Writer::commit(const Changes& changes) {
    SEMEL_ASSERT(rows_.has_value());
    const bool has_rows =
        !changes.claims.empty() || !changes.contents.empty() || !changes.sources.empty();
    const auto rows = std::exchange(rows_, std::nullopt);
    if (!has_rows) {
        return {};  // nothing to store: log entries go to the main store
    }
    const std::string stamp = new_stamp_();
    const CommitCall call = make_commit(changes, *rows, now_, stamp, data_set_.id());
    const auto until = std::chrono::steady_clock::now() + kFindOutFor;
    SEMEL_TRY(connection, connecting_.get());
    const auto reply = commit_script().run(*connection, call.keys, call.arguments);
    if (!reply) {
        const bool was_lost = !connection->is_alive();
        if (was_lost) connecting_.drop();
        return was_lost ? find_out(stamp, reply.error(), until) : Result<void>(reply.error());
    }
    if (reply->text == "done") {
        return {};
    }
    if (reply->text.starts_with(kTorn)) {
        return torn(std::string_view(reply->text).substr(kTorn.size()));
    }
    return Error(ErrorCode::busy, "another node was first, and changed what this would change");
}

// The server can have run the script, or can still run it, because it executes what it has received
// of a lost connection. The first to write the commit's mark decides. A script that finds the mark
// does nothing. A script that ran has left the mark there, with its result.
Result<void> Writer::find_out(const std::string& stamp, const Error& error,
                              std::chrono::steady_clock::time_point until) {
    const Error unknown(ErrorCode::commit_unknown, error.message());
    do {
        if (const auto connection = connecting_.get()) {
            const auto found =
                (*connection)
                    ->ask({"SET", mark_key(stamp), "void", "NX", "GET", "PX", kMarkKeptMs});
            if (found && found->text == kTorn) {
                return torn("");
            }
            if (found) {
                return found->text == "done" ? Result<void>() : Result<void>(error);
            }
        }
        std::this_thread::sleep_for(kFindOutPause);
    } while (std::chrono::steady_clock::now() < until);
    return unknown;
}

Result<void> Writer::roll_back() {
    rows_.reset();
    return {};
}

}  // namespace semel::redis
