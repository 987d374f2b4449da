// ReadSession: one reading connection with its statements. Called only on its reader thread.
#pragma once

#include <memory>

#include "store/sqlite/read_statements.hpp"
#include "store/sqlite/store_files.hpp"

namespace semel::sqlite {

class ReadSession {
public:
    // REQUIRES: the options have a place for damage.
    [[nodiscard]] static Result<ReadSession> open(const ConnectionOptions& options) {
        ReadSession session(options);
        SEMEL_CHECK(session.connect());
        return session;
    }

    // Runs a read on one snapshot. A connection that the disk failed under is replaced; nothing is
    // read from a file that was found to be damaged.
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
    std::unique_ptr<Open> open_;  // null: it failed; opened anew by the next read
};

}  // namespace semel::sqlite
