#include "store/postgres/connection.hpp"

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

namespace semel::postgres {
namespace {

using std::chrono::steady_clock;

constexpr int kBinary = 1;
constexpr const char* kConnectTimeoutSeconds = "5";

// Returns the first line, because libpq adds further lines to some errors.
std::string trimmed(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool is_space = c == '\n' || c == '\t' || c == ' ';
        if (!is_space) {
            line.push_back(c);
        } else if (!line.empty() && line.back() != ' ') {
            line.push_back(' ');
        }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

// The server became a standby. Another server accepts writes now.
constexpr std::string_view kReadOnly = "25006";
// The node was silent in a transaction for too long. The server has rolled it back and ended the
// session. The batch can be decided again.
constexpr std::string_view kIdleInTransaction = "25P03";

bool ends_session(std::string_view state) {
    return state == kReadOnly || state == kIdleInTransaction;
}

// By SQLSTATE; https://www.postgresql.org/docs/15/errcodes-appendix.html
ErrorCode code_of(std::string_view state) {
    const std::string_view kind = state.substr(0, 2);
    if (state == "40001" || state == "40P01" || state == "55P03" || state == "23505" ||
        state == kIdleInTransaction) {
        return ErrorCode::busy;  // serialization, deadlock, lock timeout, lost insert
    }
    if (kind == "08" || kind == "53" || kind == "57" || state == kReadOnly) {
        return ErrorCode::unavailable;  // connection, resources, operator
    }
    if (kind == "28" || kind == "42") {
        return ErrorCode::refused;  // login and rights
    }
    const bool is_invalid = kind == "23" || kind == "22" || state == kWrongCount;
    return is_invalid ? ErrorCode::invalid : ErrorCode::io_error;
}

// Returns the SQLSTATE, or "" if the server did not send one.
std::string_view state_of(const PGresult* result) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state != nullptr ? state : "";
}

Error error_of(const PGresult* result) {
    const std::string_view state = state_of(result);
    return {state.empty() ? ErrorCode::unavailable : code_of(state),
            trimmed(PQresultErrorMessage(result))};
}

bool is_error(const PGresult* result) {
    switch (PQresultStatus(result)) {
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
        case PGRES_PIPELINE_SYNC: return false;
        default: return true;
    }
}

}  // namespace

void Connection::Finish::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

Connection::Connection(pg_conn* connection, const ConnectionOptions& options)
    : connection_(connection), options_(options) {}

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionOptions& options) {
    // The last value of an option wins: the URL can replace the first two, but not the encoding.
    const std::array<const char*, 5> names = {"connect_timeout", "application_name", "dbname",
                                              "client_encoding", nullptr};
    const std::array<const char*, 5> values = {kConnectTimeoutSeconds, "semel", options.url.c_str(),
                                               "UTF8", nullptr};
    constexpr int kExpandUrl = 1;
    std::unique_ptr<Connection> opened(
        new Connection(PQconnectdbParams(names.data(), values.data(), kExpandUrl), options));
    if (PQstatus(opened->connection_.get()) != CONNECTION_OK) {
        return opened->failure();
    }
    // Prevents libpq from writing notices to stderr. Failures are returned as errors.
    PQsetNoticeProcessor(
        opened->connection_.get(), [](void*, const char*) {}, nullptr);
    SEMEL_CHECK(opened->enter_pipeline());
    if (options.opened) {
        options.opened(*opened);
    }
    return opened;
}

Result<void> Connection::enter_pipeline() {
    const bool entered =
        PQsetnonblocking(connection_.get(), 1) == 0 && PQenterPipelineMode(connection_.get()) == 1;
    return entered ? Result<void>() : Result<void>(lost(failure()));
}

Error Connection::failure() const {
    return {ErrorCode::unavailable, trimmed(PQerrorMessage(connection_.get()))};
}

Error Connection::lost(Error error) {
    broken_ = true;
    return error;
}

bool Connection::is_alive() const {
    return !broken_ && PQstatus(connection_.get()) == CONNECTION_OK;
}

bool Connection::was_dismissed() const {
    return ends_session(last_state_);
}

bool Connection::in_transaction() const {
    return is_alive() && PQtransactionStatus(connection_.get()) != PQTRANS_IDLE;
}

Result<void> Connection::execute(const std::string& sql) {
    PGconn* connection = connection_.get();
    PQexitPipelineMode(connection);
    PQsetnonblocking(connection, 0);
    const Rows result(PQexec(connection, sql.c_str()));
    std::optional<Error> error;
    last_state_ = state_of(result.get());
    if (is_error(result.get())) {
        error = error_of(result.get());
    }
    SEMEL_CHECK(enter_pipeline());
    return error ? Result<void>(*error) : Result<void>();
}

// After an error nothing is queued, because later statements, like a commit, depend on earlier
// ones.
void Connection::queue(const std::string& sql, const Params& params) {
    if (queue_error_) {
        return;
    }
    if (auto sent = send(sql, params); !sent) {
        queue_error_ = sent.error();
    }
}

Result<const std::string*> Connection::prepare(const std::string& sql, const Params& params) {
    const auto [at, is_new] = prepared_.try_emplace(sql);
    if (is_new) {
        at->second = fmt::format("s{}", ++names_used_);
        fresh_.push_back(sql);
        if (PQsendPrepare(connection_.get(), at->second.c_str(), sql.c_str(), params.count(),
                          params.types().data()) != 1) {
            return lost(failure());
        }
        is_prepare_.push_back(true);
    }
    return &at->second;
}

Result<void> Connection::send(const std::string& sql, const Params& params) {
    std::vector<const char*> values;
    std::vector<int> lengths;
    for (const auto& value : params.values()) {
        values.push_back(value ? value->data() : nullptr);
        lengths.push_back(value ? static_cast<int>(value->size()) : 0);
    }
    const std::vector<int> formats(values.size(), kBinary);
    int sent = 0;
    if (options_.prepared) {
        SEMEL_TRY(name, prepare(sql, params));
        sent = PQsendQueryPrepared(connection_.get(), name->c_str(), params.count(), values.data(),
                                   lengths.data(), formats.data(), kBinary);
    } else {
        sent =
            PQsendQueryParams(connection_.get(), sql.c_str(), params.count(), params.types().data(),
                              values.data(), lengths.data(), formats.data(), kBinary);
    }
    if (sent != 1) {
        return lost(failure());
    }
    is_prepare_.push_back(false);
    return {};
}

Result<std::vector<Rows>> Connection::flush() {
    last_state_.clear();
    if (queue_error_) {
        const Error error = *std::exchange(queue_error_, std::nullopt);
        is_prepare_.clear();
        return error;
    }
    if (!is_alive() || PQpipelineSync(connection_.get()) != 1) {
        is_prepare_.clear();
        return lost(failure());
    }
    return receive();
}

// Each answer ends with a null. The end of the pipeline follows the last one.
Result<std::vector<Rows>> Connection::receive() {
    const auto until = steady_clock::now() + options_.patience;
    std::vector<Rows> answers;
    std::optional<Error> first_error;
    std::size_t message = 0;
    for (bool ended = false; !ended;) {
        SEMEL_CHECK(wait_for_input(until));
        PGresult* raw = PQgetResult(connection_.get());
        if (raw == nullptr) {
            if (!is_alive()) return lost(first_error.value_or(failure()));
            continue;
        }
        Rows result(raw);
        const ExecStatusType status = PQresultStatus(raw);
        if (status == PGRES_PIPELINE_SYNC) {
            ended = true;
        } else if (status == PGRES_PIPELINE_ABORTED) {
            ++message;
        } else if (is_error(raw)) {
            if (!first_error) {
                first_error = error_of(raw);
                last_state_ = state_of(raw);
            }
            broken_ = broken_ || ends_session(state_of(raw));
            ++message;
        } else if (const bool skip = is_prepare_.at(message++); !skip) {
            answers.push_back(std::move(result));
        }
    }
    collect_notices();
    is_prepare_.clear();
    const auto fresh = std::exchange(fresh_, {});
    if (first_error) {
        for (const std::string& sql : fresh) prepared_.erase(sql);  // some of them were not reached
        return *first_error;
    }
    return answers;
}

Result<void> Connection::wait_for_input(steady_clock::time_point until) {
    PGconn* connection = connection_.get();
    for (;;) {
        const int unsent = PQflush(connection);
        if (unsent < 0) {
            return lost(failure());
        }
        if (unsent == 0 && PQisBusy(connection) == 0) {
            return {};
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now());
        pollfd poll_on{PQsocket(connection), POLLIN, 0};
        if (unsent > 0) poll_on.events |= POLLOUT;
        const int ready = left.count() > 0 ? poll(&poll_on, 1, static_cast<int>(left.count())) : 0;
        if (ready == 0) {
            return lost(Error(ErrorCode::unavailable, "PostgreSQL did not answer in time"));
        }
        if (ready < 0 && errno != EINTR) {
            return lost(Error(ErrorCode::unavailable, "the connection cannot be waited for"));
        }
        if ((poll_on.revents & (POLLIN | POLLHUP | POLLERR)) != 0 &&
            PQconsumeInput(connection) != 1) {
            return lost(failure());
        }
    }
}

Result<std::set<std::string>> Connection::wait_for_notice(std::chrono::milliseconds most, int fd) {
    if (!told_.empty()) {
        return std::exchange(told_, {});
    }
    std::array<pollfd, 2> poll_on = {pollfd{PQsocket(connection_.get()), POLLIN, 0},
                                     pollfd{fd, POLLIN, 0}};
    if (poll(poll_on.data(), poll_on.size(), static_cast<int>(most.count())) < 0 &&
        errno != EINTR) {
        return lost(Error(ErrorCode::unavailable, "the connection cannot be waited for"));
    }
    if (poll_on[0].revents != 0 && PQconsumeInput(connection_.get()) != 1) {
        return lost(failure());
    }
    collect_notices();
    return std::exchange(told_, {});
}

void Connection::collect_notices() {
    while (PGnotify* notice = PQnotifies(connection_.get())) {
        if (notice->be_pid != PQbackendPID(connection_.get())) {
            told_.insert(notice->relname);
        }
        PQfreemem(notice);
    }
}

Result<Rows> Connection::ask(const std::string& sql, const Params& params) {
    queue(sql, params);
    SEMEL_TRY(answers, flush());
    return std::move(answers.front());
}

}  // namespace semel::postgres
