// A session of libpq, for the tests of what stands between it and the server.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <libpq-fe.h>

namespace semel::test {

class PostgresClient {
public:
    explicit PostgresClient(const std::string& url)
        : connection_(PQconnectdb(url.c_str()), &PQfinish) {
        if (PQstatus(connection_.get()) != CONNECTION_OK) {
            throw std::runtime_error(PQerrorMessage(connection_.get()));
        }
        // A server that stops says so; here that is no news.
        PQsetNoticeProcessor(
            connection_.get(), [](void*, const char*) {}, nullptr);
    }

    // Whether it went well.
    bool run(const std::string& sql) {
        const Answer answer(PQexec(connection_.get(), sql.c_str()), &PQclear);
        return is_good(PQresultStatus(answer.get()));
    }

    // The first value; nothing where there is none.
    std::string ask(const std::string& sql) {
        const Answer answer(PQexec(connection_.get(), sql.c_str()), &PQclear);
        return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : "";
    }

    // Sends without waiting: each statement by Parse, Bind, Execute, and one Sync at the end.
    void send_batch(const std::vector<std::string>& statements) {
        PQenterPipelineMode(connection_.get());
        for (const std::string& sql : statements) {
            PQsendQueryParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr,
                              0);
        }
        PQpipelineSync(connection_.get());
        PQflush(connection_.get());
    }
    // Whether all of it was answered, and well.
    bool finish_batch() {
        for (bool is_answered = true;;) {
            const Answer answer(PQgetResult(connection_.get()), &PQclear);
            const ExecStatusType status = PQresultStatus(answer.get());
            if (!answer && PQstatus(connection_.get()) != CONNECTION_OK) return false;
            if (answer && status == PGRES_PIPELINE_SYNC) {
                return is_answered && PQexitPipelineMode(connection_.get()) == 1;
            }
            is_answered = is_answered && (!answer || is_good(status));
        }
    }

    [[nodiscard]] bool is_connected() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
    [[nodiscard]] PGconn* get() const { return connection_.get(); }

private:
    using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;
    static bool is_good(ExecStatusType status) {
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    }

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

}  // namespace semel::test
