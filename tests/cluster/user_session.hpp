// UserSession: a connection of somebody who uses the database, with transactions of their own.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <libpq-fe.h>

namespace semel::test {

class UserSession {
public:
    explicit UserSession(const std::string& url);

    // Runs SQL of any number of statements: the first value of the last one, or nothing.
    std::string ask(const std::string& sql);

    struct Refusal {
        std::string state;  // SQLSTATE; empty: it was not refused
        std::string message;
    };
    [[nodiscard]] Refusal refusal_of(const std::string& sql);

private:
    using Answer = std::unique_ptr<PGresult, void (*)(PGresult*)>;
    [[nodiscard]] Answer run(const std::string& sql);

    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

}  // namespace semel::test
