#include "store/sqlite/transfer_source.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "store/packing/packed.hpp"
#include "store/packing/response_pack.hpp"
#include "store/packing/row_columns.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/row_codec.hpp"
#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/store_file.hpp"

namespace semel::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr int kSourceCacheKib = 16 * 1024;
constexpr char kKeyVersion = 1;

// The position of a walk over rows with a key of several parts.
struct NameKey {
    std::string tenant;
    std::string name;
};
std::string pack_key(const NameKey& key) {
    Packer packer(kKeyVersion);
    packer.bytes(key.tenant);
    packer.bytes(key.name);
    return packer.take();
}
NameKey unpack_name_key(const std::string& bytes) {
    Unpacker unpacker(bytes, kKeyVersion);
    NameKey key;
    key.tenant = unpacker.string();
    key.name = unpacker.string();
    return key;
}

struct LogKey {
    std::int64_t day = 0;
    std::int64_t tenant = 0;
    std::int64_t sequence = 0;
};
std::string pack_key(const LogKey& key) {
    Packer packer(kKeyVersion);
    packer.number(key.day);
    packer.number(key.tenant);
    packer.number(key.sequence);
    return packer.take();
}
LogKey unpack_log_key(const std::string& bytes) {
    Unpacker unpacker(bytes, kKeyVersion);
    LogKey key;
    key.day = unpacker.number();
    key.tenant = unpacker.number();
    key.sequence = unpacker.number();
    return key;
}

// Numbers are counted from 1.
std::string pack_key(std::int64_t number) {
    Packer packer(kKeyVersion);
    packer.number(number);
    return packer.take();
}
std::int64_t unpack_number(const std::string& bytes) {
    return Unpacker(bytes, kKeyVersion).number();
}

std::string pack_key(const EdgeKey& key) {
    Packer packer(kKeyVersion);
    packer.id(key.blocked);
    packer.number(key.position);
    return packer.take();
}
// Positions are counted from 0.
EdgeKey unpack_edge_key(const std::string& bytes) {
    if (bytes.empty()) {
        return {.blocked = {}, .position = -1};
    }
    Unpacker unpacker(bytes, kKeyVersion);
    EdgeKey key;
    key.blocked = unpacker.id();
    key.position = unpacker.integer();
    return key;
}

std::string pack_key(const SourceKey& key) {
    Packer packer(kKeyVersion);
    packer.bytes(key.tenant);
    packer.bytes(key.type);
    packer.bytes(key.id);
    return packer.take();
}
SourceKey unpack_source_key(const std::string& bytes) {
    Unpacker unpacker(bytes, kKeyVersion);
    SourceKey key;
    key.tenant = unpacker.string();
    key.type = unpacker.string();
    key.id = unpacker.string();
    return key;
}

std::string rows_after(std::string_view table, std::string_view columns, std::string_view key) {
    const bool is_single = key.find(',') == std::string_view::npos;
    return fmt::format("select {0} from {1} where ({2}) > ({3}) order by {2} limit ?", columns,
                       table, key, is_single ? "?" : "?, ?");
}

class SqliteTransferSource final : public TransferSource {
public:
    SqliteTransferSource(LockFile lock, std::unique_ptr<Connection> connection,
                         TransferOrigin origin, const PageLimits& limits)
        : limits_(limits),
          lock_(std::move(lock)),
          connection_(std::move(connection)),
          origin_(std::move(origin)),
          names_(*connection_),
          numbers_(*connection_),
          rows_(*connection_, names_, numbers_),
          claims_(*connection_, rows_after("claim", "number, id, expires_at, data", "number")),
          receipt_(*connection_, "select body from receipt where claim = ?"),
          content_(*connection_, "select body from content where claim = ?"),
          jobs_(*connection_,
                "select number, high, low from job where number >= ? order by number limit ?"),
          attempts_(*connection_, fmt::format("select {} from attempt where job = ? order by token",
                                              kAttemptColumns)),
          groups_(*connection_, rows_after("lock_group", "tenant, name, head", "tenant, name")),
          schedules_(*connection_, rows_after("schedule", kScheduleColumns, "tenant, name")),
          bulk_runs_(*connection_, rows_after("bulk_run", kBulkRunColumns, "id")),
          api_tokens_(*connection_, rows_after("api_token", kApiTokenColumns, "id")),
          decisions_(*connection_,
                     fmt::format("select day, tenant, {} from decision where (day, tenant, "
                                 "sequence) > (?, ?, ?) order by day, tenant, sequence limit ?",
                                 kDecisionColumns)),
          edges_(*connection_, rows_after("edge", kEdgeColumns, "blocked, position")),
          sources_(*connection_,
                   fmt::format("select {} from source where (tenant, type, id) > (?, ?, ?) "
                               "order by tenant, type, id limit ?",
                               kSourceColumns)),
          responses_(*connection_,
                     "select id, expires_at, body from response where id > ? order by id "
                     "limit ?") {}

    [[nodiscard]] const TransferOrigin& origin() const override { return origin_; }

    Result<RowPage> page(RowKind kind, const std::string& after) override {
        RowPage page;
        read(kind, after, page);
        SEMEL_CHECK(connection_->outcome());
        return page;
    }

private:
    void read(RowKind kind, const std::string& after, RowPage& page) {
        switch (kind) {
            case RowKind::claims: return read_claims(after, page);
            case RowKind::jobs: return read_jobs(after, page);
            case RowKind::groups: return read_groups(after, page);
            case RowKind::schedules: return read_schedules(after, page);
            case RowKind::bulk_runs: return read_bulk_runs(after, page);
            case RowKind::api_tokens: return read_api_tokens(after, page);
            case RowKind::decisions: return read_decisions(after, page);
            case RowKind::edges: return read_edges(after, page);
            case RowKind::sources: return read_sources(after, page);
            case RowKind::responses: return read_responses(after, page);
        }
    }

    void read_claims(const std::string& after, RowPage& page) {
        Cursor cursor(claims_);
        cursor.integer(unpack_number(after)).integer(limits_.rows);
        std::size_t bytes = 0;
        while (bytes < limits_.bytes && cursor.next_row()) {
            const std::int64_t number = cursor.read_integer();
            const ClaimId id = cursor.read_hash();
            Claim claim = read_claim(cursor, id);
            Cursor receipt(receipt_);
            if (claim.receipt && receipt.integer(number).next_row()) {
                claim.receipt->body = receipt.read_string();
                bytes += claim.receipt->body.size();
            }
            Cursor content(content_);
            const bool has_content = claim.effect && claim.effect->has_content;
            if (has_content && content.integer(number).next_row()) {
                Content& first = page.rows.contents.emplace_back(id, Content()).second.value();
                first.json = content.read_string();
                bytes += first.json.size();
            }
            page.last = pack_key(number);
            page.rows.claims.push_back({std::nullopt, std::move(claim)});
            ++page.count;
        }
    }

    void read_jobs(const std::string& after, RowPage& page) {
        // A caller can choose any id, and so any number, also the smallest and the largest.
        using Numbers = std::numeric_limits<std::int64_t>;
        if (!after.empty() && unpack_number(after) == Numbers::max()) return;
        Cursor cursor(jobs_);
        cursor.integer(after.empty() ? Numbers::min() : unpack_number(after) + 1);
        cursor.integer(limits_.rows);
        std::size_t bytes = 0;
        while (bytes < limits_.bytes && cursor.next_row()) {
            const std::int64_t number = cursor.read_integer();
            const JobId id = cursor.read_key();
            auto found = rows_.job(id, true);
            if (!found) return;  // the connection has kept why
            page.rows.jobs.push_back({std::nullopt, std::move(found->job)});
            if (found->body) {
                bytes += found->body->payload.size();
                page.rows.bodies.emplace_back(id, std::move(*found->body));
            }
            if (auto result = rows_.result(id)) {
                bytes += result->output ? result->output->size() : 0;
                page.rows.results.emplace_back(id, std::move(result));
            }
            read_attempts(number, id, page);
            page.last = pack_key(number);
            ++page.count;
        }
    }

    void read_attempts(std::int64_t number, const JobId& id, RowPage& page) {
        Cursor cursor(attempts_);
        cursor.integer(number);
        while (cursor.next_row()) page.rows.attempts.push_back(read_attempt(cursor, id));
    }

    void read_groups(const std::string& after, RowPage& page) {
        const NameKey key = unpack_name_key(after);
        Cursor cursor(groups_);
        cursor.text(key.tenant).text(key.name).integer(limits_.rows);
        while (cursor.next_row()) {
            LockGroup group;
            group.key.tenant = cursor.read_string();
            group.key.name = cursor.read_string();
            group.head = cursor.read_id();
            page.last = pack_key(NameKey{group.key.tenant, group.key.name});
            page.rows.groups.push_back({std::nullopt, std::move(group)});
            ++page.count;
        }
    }

    void read_schedules(const std::string& after, RowPage& page) {
        const NameKey key = unpack_name_key(after);
        Cursor cursor(schedules_);
        cursor.text(key.tenant).text(key.name).integer(limits_.rows);
        std::size_t bytes = 0;
        while (bytes < limits_.bytes && cursor.next_row()) {
            Schedule schedule = read_schedule(cursor);
            bytes += schedule.spec.payload.size();
            page.last = pack_key(NameKey{schedule.key.tenant, schedule.key.name});
            page.rows.schedules.push_back({std::nullopt, std::move(schedule)});
            ++page.count;
        }
    }

    void read_bulk_runs(const std::string& after, RowPage& page) {
        Cursor cursor(bulk_runs_);
        cursor.bytes(after).integer(limits_.rows);
        while (cursor.next_row()) {
            BulkRun run = read_bulk_run(cursor);
            page.last = key_of(run.id);
            page.rows.bulk_runs.push_back({std::nullopt, std::move(run)});
            ++page.count;
        }
    }

    void read_api_tokens(const std::string& after, RowPage& page) {
        Cursor cursor(api_tokens_);
        cursor.bytes(after).integer(limits_.rows);
        while (cursor.next_row()) {
            ApiToken token = read_api_token(cursor);
            page.last = key_of(token.id);
            page.rows.api_tokens.push_back({std::nullopt, std::move(token)});
            ++page.count;
        }
    }

    void read_decisions(const std::string& after, RowPage& page) {
        const LogKey key = unpack_log_key(after);
        Cursor cursor(decisions_);
        cursor.integer(key.day).integer(key.tenant).integer(key.sequence).integer(limits_.rows);
        while (cursor.next_row()) {
            const std::int64_t day = cursor.read_integer();
            const std::int64_t number = cursor.read_integer();
            const std::string tenant = names_.name(number);
            LoggedDecision logged = read_decision(cursor, tenant);
            page.last = pack_key(LogKey{day, number, logged.sequence});
            page.decisions.push_back({{tenant, day, logged.sequence}, std::move(logged.entry)});
            ++page.count;
        }
    }

    void read_edges(const std::string& after, RowPage& page) {
        const EdgeKey key = unpack_edge_key(after);
        Cursor cursor(edges_);
        cursor.id(key.blocked).integer(key.position).integer(limits_.rows);
        while (cursor.next_row()) {
            const Edge edge = read_edge(cursor);
            page.last = pack_key(edge.key);
            page.rows.edges.push_back({std::nullopt, edge});
            ++page.count;
        }
    }

    void read_sources(const std::string& after, RowPage& page) {
        const SourceKey key = unpack_source_key(after);
        Cursor cursor(sources_);
        cursor.text(key.tenant).text(key.type).text(key.id).integer(limits_.rows);
        while (cursor.next_row()) {
            Source source = read_source(cursor);
            page.last = pack_key(source.key);
            page.rows.sources.push_back({std::nullopt, std::move(source)});
            ++page.count;
        }
    }

    void read_responses(const std::string& after, RowPage& page) {
        const Uuid last = id_of_key(after);
        Cursor cursor(responses_);
        cursor.id(last).integer(limits_.rows);
        std::size_t bytes = 0;
        while (bytes < limits_.bytes && cursor.next_row()) {
            ResponseChange response;
            response.id = cursor.read_id();
            response.expires_at = cursor.read_time();
            auto body = unpack_response(cursor.view());
            if (!body) return cursor.report_damage();
            bytes += body->size();
            response.body = std::make_shared<const std::string>(*std::move(body));
            page.last = key_of(response.id);
            page.rows.responses.push_back(std::move(response));
            ++page.count;
        }
    }

    const PageLimits limits_;
    const LockFile lock_;  // declared first, so it is destroyed after the connection
    const std::unique_ptr<Connection> connection_;
    const TransferOrigin origin_;
    NameTable names_;
    JobNumbers numbers_;
    SqliteRows rows_;
    Statement claims_;
    Statement receipt_;
    Statement content_;
    Statement jobs_;
    Statement attempts_;
    Statement groups_;
    Statement schedules_;
    Statement bulk_runs_;
    Statement api_tokens_;
    Statement decisions_;
    Statement edges_;
    Statement sources_;
    Statement responses_;
};

Result<TransferOrigin> read_origin(Connection& connection, const std::string& path,
                                   const StoreFileFacts& facts) {
    TransferOrigin origin;
    origin.path = path;
    origin.time_mark = facts.time_mark;
    // Both grow with every commit, and a copy of the store has the same ones.
    origin.mark = fmt::format("{}.{}", to_ms(facts.time_mark), facts.commits);
    SEMEL_TRY(last, connection.query_int("select decisions from meta"));
    origin.last_decision = last;
    SEMEL_TRY(rows, connection.query_int(
                        "select (select count(*) from claim) + (select count(*) from job) + "
                        "(select count(*) from lock_group) + (select count(*) from schedule) + "
                        "(select count(*) from bulk_run) + (select count(*) from api_token) + "
                        "(select count(*) from decision) + (select count(*) from edge) + "
                        "(select count(*) from source)"));
    origin.rows = rows;
    return origin;
}

// Checks this first, because a lock would create the file.
Result<void> check_file(const std::string& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        return Error(ErrorCode::not_found, "there is no store " + path);
    }
    if (!fs::is_regular_file(path, ignored)) {
        return Error(ErrorCode::invalid, path + " is not a file");
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<TransferSource>> open_transfer_source(const std::string& path,
                                                             const PageLimits& limits) {
    SEMEL_CHECK(check_file(path));
    SEMEL_TRY(lock, LockFile::take(path));
    // A process that died has left its last commits in the log.
    std::error_code ignored;
    const auto log_bytes = fs::file_size(path + "-wal", ignored);
    const bool has_log = !ignored && log_bytes > 0;
    SEMEL_TRY(facts, inspect_store(path, {.state = has_log ? FileState::open : FileState::closed}));
    if (!facts.is_schema_newest) {
        return Error(ErrorCode::refused,
                     fmt::format("the schema of {0} has version {1}: run `semel migrate --store "
                                 "{0}` first, which changes the file",
                                 path, facts.schema_version));
    }
    ConnectionOptions reading;
    reading.path = fs::absolute(path);
    reading.access = has_log ? Access::read : Access::inspect;
    reading.cache_kib = kSourceCacheKib;
    SEMEL_TRY(connection, Connection::open(reading));
    SEMEL_TRY(origin, read_origin(*connection, reading.path, facts));
    auto source = std::make_unique<SqliteTransferSource>(std::move(lock), std::move(connection),
                                                         std::move(origin), limits);
    return std::unique_ptr<TransferSource>(std::move(source));
}

}  // namespace semel::sqlite
