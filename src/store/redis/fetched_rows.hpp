// FetchedRows: what the ladder wishes for, fetched from Redis in one round trip. Nothing is locked:
// a commit compares what it changes with what was fetched here.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "store/redis/connection.hpp"
#include "store/wished_rows.hpp"

namespace semel::redis {

class FetchedRows final : public WishedRows {
public:
    // Queues the commands that fetch what is wished for. `take` reads their replies, from
    // `replies[first]` on. `refused`: something was asked for that Redis does not keep.
    [[nodiscard]] Result<void> queue(Connection& connection);
    [[nodiscard]] Result<void> take(const std::vector<Reply>& replies, std::size_t first);

    // By the keys of Redis: the stamps of all rows that were fetched; empty: it was absent.
    [[nodiscard]] const std::map<std::string, std::string>& stamps() const { return stamps_; }
    // Of those, the rows of sources: decisions rest on them without changing them.
    [[nodiscard]] const std::set<std::string>& source_keys() const { return source_keys_; }
    // Of all of them, those that nobody can read.
    [[nodiscard]] const Damaged& damaged() const { return damaged_; }
    [[nodiscard]] bool is_damaged(const std::string& key) const {
        return damaged_keys_.contains(key);
    }
    // Forgets entries by expiry whose rows are gone: Redis dropped them.
    [[nodiscard]] Result<void> sweep(Connection& connection) const;

private:
    using Read = std::function<Result<void>(const Reply&)>;

    void ask(Connection& connection, const Command& command, Read read);
    void ask_rows(Connection& connection);
    void ask_contents(Connection& connection);
    // Members of an index whose time has come, the earliest first.
    void ask_expired(Connection& connection, const char* index, int limit,
                     std::function<void(const std::string&)> each);
    void ask_expired_rows(Connection& connection);

    std::map<std::string, std::string> stamps_;
    std::set<std::string> source_keys_;
    Damaged damaged_;
    std::set<std::string> damaged_keys_;  // of Redis
    std::vector<Read> reads_;             // of the queued commands
};

}  // namespace semel::redis
