// ReadSession: one reading connection with its statements (see QueuedReads). Errors: see run().
// Threads: one at a time.
#pragma once

#include <memory>

#include "store/sqlite/read_statements.hpp"
#include "store/sqlite/store_files.hpp"

namespace semel::sqlite {

class ReadSession {
public:
    // Connects. REQUIRES: `options` has a Damage.
    [[nodiscard]] static Result<ReadSession> open(const ConnectionOptions& options) {
        ReadSession session(options);
        SEMEL_CHECK(session.connect());
        return session;
    }

    // Runs `read` with ReadStatements on one snapshot, and returns its result or the first error.
    // After an error the next run opens a new connection. A damaged file is not read again.
    template <typename T, typename Read>
    [[nodiscard]] Result<T> run(const Read& read) {
        SEMEL_CHECK(options_.damage->check());
        SEMEL_CHECK(files_.check());
        if (open_ == nullptr) {
            SEMEL_CHECK(connect());
        }
        if (auto begun = open_->connection->execute("begin"); !begun) {
            open_.reset();
            return begun.error();
        }
        T value = read(open_->statements);
        auto outcome = open_->connection->outcome();
        auto ended = open_->connection->execute("rollback");
        if (!outcome || !ended) {
            open_.reset();
            return outcome ? ended.error() : outcome.error();
        }
        return value;
    }

private:
    struct Open {
        explicit Open(std::unique_ptr<Connection> opened)
            : connection(std::move(opened)), statements(*connection) {}

        std::unique_ptr<Connection> connection;
        ReadStatements statements;
    };

    explicit ReadSession(ConnectionOptions options)
        : options_(std::move(options)), files_(options_.path) {}

    Result<void> connect() {
        SEMEL_TRY(connection, Connection::open(options_));
        auto opened = std::make_unique<Open>(std::move(connection));
        SEMEL_CHECK(opened->connection->outcome());
        open_ = std::move(opened);
        return {};
    }

    ConnectionOptions options_;
    StoreFiles files_;
    std::unique_ptr<Open> open_;  // null: it failed, and the next run opens another
};

}  // namespace semel::sqlite
