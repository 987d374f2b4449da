#include "store/postgres/postgres_store.hpp"

#include "base/random.hpp"
#include "store/postgres/agreed_times.hpp"
#include "store/postgres/chores.hpp"
#include "store/postgres/decision_days.hpp"
#include "store/postgres/durability.hpp"
#include "store/postgres/first_connection.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/queue_rebuild.hpp"
#include "store/postgres/queue_vacuum.hpp"
#include "store/postgres/read_session.hpp"
#include "store/postgres/rehearsal.hpp"
#include "store/postgres/vacuum_watch.hpp"
#include "store/postgres/wake_channel.hpp"
#include "store/postgres/worker_board.hpp"
#include "store/postgres/writer.hpp"
#include "store/threads/queued_reads.hpp"
#include "store/threads/threaded_committer.hpp"

namespace semel {
namespace postgres {
namespace {

using PostgresCommitter = ThreadedCommitter<Writer>;
using PostgresReads = QueuedReads<ReadSession>;

constexpr std::size_t kReaders = 2;  // a long list leaves one for short reads

Uuid some_uuid(Time now) {
    return UuidGenerator(random_u64).next(now);
}

class PostgresStore final : public Store {
public:
    PostgresStore(ConnectionOptions connecting, const PostgresUrl& url,
                  DurabilitySettings durability, std::unique_ptr<SharedTime> time)
        : durability_(std::move(durability)),
          connecting_(watched(std::move(connecting))),
          shown_(url.shown),
          committers_(url.committers),
          time_(std::move(time)),
          board_(some_uuid(now())),
          wake_channel_(connecting_, [this](Connection& beside) { keep_books(beside); }) {
        std::vector<ReadSession> readers;
        readers.reserve(kReaders);
        for (std::size_t i = 0; i < kReaders; ++i) {
            readers.emplace_back(connecting_);
        }
        reads_ = std::make_unique<PostgresReads>(std::move(readers));
    }

    [[nodiscard]] std::unique_ptr<Committer> open_committer(Post post) override {
        auto marks = std::make_shared<UuidGenerator>(random_u64);
        auto writer = std::make_unique<Writer>(
            connecting_, *time_, remembered_, [marks, this] { return marks->next(now()); },
            Writer::Tell{.work = [this] { wake_channel_.tell(); },
                         .ends = [this] { wake_channel_.tell_ends(); }},
            [writer = writers_++, this](const std::string& synchronous_commit) {
                durability_.commits_with(writer, synchronous_commit);
            });
        return std::make_unique<PostgresCommitter>(std::move(writer), std::move(post));
    }

    [[nodiscard]] int committers() const override { return committers_; }

    [[nodiscard]] Reads& reads() override { return *reads_; }
    [[nodiscard]] Time now() const override { return time_->now(); }
    [[nodiscard]] Millis clock_offset() const override { return time_->offset(); }
    void watch(const std::function<void()>& poll) override { wake_channel_.watch(poll); }
    void watch_ends(const std::function<void()>& poll) override { wake_channel_.watch_ends(poll); }
    void tell_workers(const KnownWorkers& own) override { board_.tell(own); }
    [[nodiscard]] bool has_worker_elsewhere(const Lane& lane) const override {
        return board_.has_elsewhere(lane, now());
    }
    [[nodiscard]] StoreInfo info() const override {
        const Durability durability = durability_.present();
        return {"postgres", shown_, durability.words, durability.is_durable};
    }
    [[nodiscard]] std::vector<StoreWarning> warnings() const override {
        std::vector<StoreWarning> all = vacuum_watch_.warnings();
        for (StoreWarning& warning : chores_.warnings()) all.push_back(std::move(warning));
        return all;
    }

private:
    // Called about every 500 ms.
    void keep_books(Connection& connection) {
        PostgresAgreedTimes agreed(connection);
        time_->agree(agreed);
        chores_.run(connection, now());
        board_.exchange(connection, now());
        vacuum_watch_.inspect(connection, now());
        queue_vacuum_.run(connection, vacuum_watch_.held_back(), now());
        durability_.inspect(connection, now());
    }

    // Reads the durability again with each new connection, which can be to another server.
    [[nodiscard]] ConnectionOptions watched(ConnectionOptions connecting) {
        connecting.opened = [this](Connection& connection) { durability_.heard(connection); };
        return connecting;
    }

    DurabilityWatch durability_;
    const ConnectionOptions connecting_;
    const std::string shown_;
    const int committers_;
    std::size_t writers_ = 0;  // that were opened
    const std::unique_ptr<SharedTime> time_;
    RememberedJobs remembered_;
    Chores chores_;
    WorkerBoard board_;
    VacuumWatch vacuum_watch_;
    QueueVacuum queue_vacuum_;
    WakeChannel wake_channel_;
    std::unique_ptr<PostgresReads> reads_;
};

Result<std::unique_ptr<Store>> open_store(const PostgresOptions& options) {
    SEMEL_TRY(opened, connect_first(options.url));
    Connection& connection = *opened.connection;
    const auto cannot_open = [&](const Error& error) {
        return error.prefixed("cannot open " + opened.url.shown);
    };
    if (const auto migrated = migrate(connection); !migrated) {
        return cannot_open(migrated.error());
    }
    if (const auto works = rehearse(connection); !works) {
        return cannot_open(works.error());
    }
    if (const auto mended = rebuild_queues(connection); !mended) {
        return cannot_open(mended.error());
    }
    auto time = open_shared_time(connection, options.clock);
    if (!time) {
        return cannot_open(time.error());
    }
    keep_decision_days(connection, (*time)->now());
    SEMEL_TRY(durability, read_durability_settings(connection));
    return std::unique_ptr<Store>(std::make_unique<PostgresStore>(
        std::move(opened.connecting), opened.url, std::move(durability), *std::move(time)));
}

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options) {
    return postgres::open_store(options);
}

Result<SchemaVersions> inspect_postgres_schema(const std::string& url) {
    SEMEL_TRY(opened, postgres::connect_first(url));
    SEMEL_TRY(versions, postgres::schema_versions(*opened.connection));
    if (versions.is_current()) {
        SEMEL_CHECK(postgres::check_whole(*opened.connection));
    }
    return versions;
}

Result<SchemaVersions> migrate_postgres_schema(const std::string& url) {
    SEMEL_TRY(opened, postgres::connect_first(url));
    SEMEL_TRY(versions, postgres::migrate(*opened.connection));
    SEMEL_CHECK(postgres::check_whole(*opened.connection));
    return versions;
}

}  // namespace semel
