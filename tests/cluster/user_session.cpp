#include "cluster/user_session.hpp"

namespace semel::test {
namespace {

std::string or_empty(const char* text) {
    return text != nullptr ? text : "";
}

bool is_error(const PGresult* answer) {
    const ExecStatusType status = PQresultStatus(answer);
    return status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
}

}  // namespace

UserSession::UserSession(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
    EXPECT_EQ(PQstatus(connection_.get()), CONNECTION_OK) << PQerrorMessage(connection_.get());
}

UserSession::Answer UserSession::run(const std::string& sql) {
    return {PQexec(connection_.get(), sql.c_str()), PQclear};
}

std::string UserSession::ask(const std::string& sql) {
    const Answer answer = run(sql);
    EXPECT_FALSE(is_error(answer.get())) << sql << ": " << PQresultErrorMessage(answer.get());
    return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : "";
}

UserSession::Refusal UserSession::refusal_of(const std::string& sql) {
    const Answer answer = run(sql);
    return {or_empty(PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE)),
            or_empty(PQresultErrorField(answer.get(), PG_DIAG_MESSAGE_PRIMARY))};
}

}  // namespace semel::test
