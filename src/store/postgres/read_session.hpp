// ReadSession: a connection for reads (see QueuedReads). run() opens the connection at the first
// read, and again after a failure. Errors: see run(). Blocks. Threads: one at a time.
#pragma once

#include <memory>
#include <utility>

#include "store/postgres/read_queries.hpp"

namespace semel::postgres {

class ReadSession {
public:
    explicit ReadSession(ConnectionOptions options) : options_(std::move(options)) {}

    // Runs `read` with a ReadQueries, in a read-only transaction on one snapshot. Returns its
    // result, or the first error.
    template <typename T, typename Read>
    [[nodiscard]] Result<T> run(const Read& read) {
        SEMEL_CHECK(begin());
        ReadQueries queries(*connection_);
        T value = read(queries);
        end();
        SEMEL_CHECK(queries.outcome());
        return value;
    }

private:
    [[nodiscard]] Result<void> begin();
    void end();

    ConnectionOptions options_;
    std::unique_ptr<Connection> connection_;  // null: opened by the next read
};

}  // namespace semel::postgres
