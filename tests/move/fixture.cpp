#include "move/fixture.hpp"

#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace semel::test {

std::unique_ptr<Store> TransferTest::open_file(const std::string& path) {
    SqliteOptions options;
    options.path = path;
    options.clock = clock();
    options.full_sync = false;
    options.writer_cache_kib = 2048;
    options.segment_claims = 16;
    return std::move(open_sqlite_store(options)).value();
}

std::unique_ptr<Store> TransferTest::open_database(const std::string& url) {
    PostgresOptions options;
    options.url = url + "?prepared=true";
    options.clock = clock();
    return std::move(open_postgres_store(options)).value();
}

std::string TransferTest::fill(std::uint64_t seed, int commands) {
    StoreWorld world(open_file(), seed);
    RandomCommands random(seed);
    // Stores take tenants in the order in which they came, or in that of their names: let that be
    // the same.
    for (const std::string& tenant : RandomCommands::tenants()) {
        const ActionRequest request{.type = "nobody's", .delay = std::chrono::hours(1)};
        static_cast<void>(world.run({ScheduleActions{tenant, {request}}}));
    }
    for (int sent = 0; sent < commands;) {
        pass(random.pause());
        const auto batch = random.next_batch(world);
        sent += static_cast<int>(batch.size());
        for (const AnyReply& reply : world.run(batch)) random.learn(reply);
    }
    return world.to_text_all();
}

void TransferTest::go_on_alike(StoreWorld& one, StoreWorld& other, std::uint64_t seed) {
    RandomCommands random(seed);
    for (int sent = 0; sent < 100;) {
        pass(random.pause());
        const auto batch = random.next_batch(one);
        sent += static_cast<int>(batch.size());
        const auto replies = one.run(batch);
        const auto same = other.run(batch);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            ASSERT_EQ(to_text(same[i]), to_text(replies[i])) << "seed " << seed;
            random.learn(replies[i]);
        }
    }
    ASSERT_EQ(other.to_text_all(), one.to_text_all()) << "seed " << seed;
}

Result<TransferReport> TransferTest::transfer_to(const std::string& url,
                                                 const TransferWatch& watch) {
    SEMEL_TRY(source, open_transfer_source(file, kSmallPages));
    SEMEL_TRY(target, open_transfer_target(url));
    return transfer_rows(*source, *target, watch);
}

Error TransferTest::refusal(const std::string& url) {
    const auto moved = transfer_to(url);
    EXPECT_FALSE(moved.has_value());
    return moved ? Error(ErrorCode::invalid, "not refused") : moved.error();
}

TransferWatch stop_at(int n) {
    return [left = std::make_shared<int>(n)](std::string_view, double) { return (*left)-- > 0; };
}

}  // namespace semel::test
