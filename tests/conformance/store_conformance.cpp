#include "conformance/store_conformance.hpp"

#include "store/postgres/postgres_store.hpp"
#include "store/redis/redis_store.hpp"
#include "support/postgres_server.hpp"
#include "support/redis_server.hpp"

namespace semel::test {

std::unique_ptr<Store> make_sqlite(const TempFolder& folder, TestClock& clock) {
    SqliteOptions options;
    options.path = folder.file("semel.db");
    options.clock = [&clock] { return clock.sample(); };
    options.full_sync = false;  // durability is tested elsewhere, and syncing is slow
    options.writer_cache_kib = 2048;
    options.segment_claims = 16;  // so that most claims lie in segments
    return std::move(open_sqlite_store(options)).value();
}

std::unique_ptr<Store> make_memory(const TempFolder&, TestClock& clock) {
    return make_memory_store([&clock]() -> Time { return clock.now; });
}

std::unique_ptr<Store> make_postgres(const TempFolder&, TestClock& clock) {
    PostgresOptions options;
    options.url = PostgresServer::shared().make_database() + "?prepared=true";
    options.clock = [&clock] { return clock.sample(); };
    return std::move(open_postgres_store(options)).value();
}

std::unique_ptr<Store> make_redis(const TempFolder&, TestClock& clock) {
    RedisOptions options;
    options.url = RedisServer::shared().make_database();
    options.clock = [&clock] { return clock.sample(); };
    return std::move(open_redis_store(options)).value();
}

}  // namespace semel::test
