// FetchedRows: fetches the rows that the ladder wishes for (store/ladder/wished_rows.hpp) in one
// round trip per climb. It locks nothing: the commit compares the stamps of these rows instead.
//
// Use: climb, queue(), flush the connection, take(), and again until has_wishes() is false.
//
// Errors: see take().
// Threads: the connection's thread.
// Lifetime: one object per load.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "store/ladder/wished_rows.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

class FetchedRows final : public WishedRows {
public:
    // queue() queues the commands for all wishes. take() reads their replies, starting at
    // `replies[first]`. Error: `refused` for rows that this store does not have.
    [[nodiscard]] Result<void> queue(Connection& connection);
    [[nodiscard]] Result<void> take(const std::vector<Reply>& replies, std::size_t first);

    // The stamps of all fetched rows, by their keys in Redis. Empty stamp: the row was absent.
    [[nodiscard]] const std::map<std::string, std::string>& stamps() const { return stamps_; }
    // The keys of sources among them: decisions depend on these without changing them.
    [[nodiscard]] const std::set<std::string>& source_keys() const { return source_keys_; }
    // The damaged rows among them.
    [[nodiscard]] const Damaged& damaged() const { return damaged_; }
    [[nodiscard]] bool is_damaged(const std::string& key) const {
        return damaged_keys_.contains(key);
    }
    // Deletes index entries of expired rows that Redis has dropped already.
    [[nodiscard]] Result<void> sweep(Connection& connection) const;

private:
    using Read = std::function<Result<void>(const Reply&)>;

    void ask(Connection& connection, const Command& command, Read read);
    void ask_rows(Connection& connection);
    void ask_contents(Connection& connection);
    // Reads the members of an index that are due, the earliest first.
    void ask_expired(Connection& connection, const char* index, int limit,
                     std::function<void(const std::string&)> each);
    void ask_expired_rows(Connection& connection);

    std::map<std::string, std::string> stamps_;
    std::set<std::string> source_keys_;
    Damaged damaged_;
    std::set<std::string> damaged_keys_;  // keys in Redis
    std::vector<Read> reads_;             // of the queued commands
};

}  // namespace semel::redis
