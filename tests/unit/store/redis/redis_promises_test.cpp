// What a Redis server promises by its settings, and which of them people should change.
#include <gmock/gmock.h>

#include "store/redis/promises.hpp"

namespace semel::redis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ServerSettings best() {
    return {.appendonly = "yes",
            .appendfsync = "always",
            .maxmemory_policy = "noeviction",
            .version = "7.0.15",
            .role = "master"};
}

std::vector<std::string> names_of(const ServerSettings& settings) {
    std::vector<std::string> names;
    for (const StoreWarning& warning : warnings_of(settings)) names.push_back(warning.name);
    return names;
}

TEST(RedisPromises, TheBestThatItCanGiveStillNamesAFailover) {
    EXPECT_THAT(promise_of(best()), HasSubstr("survives a crash and a power cut"));
    EXPECT_THAT(promise_of(best()), HasSubstr("a failover to a replica may lose it"));
    EXPECT_THAT(names_of(best()), IsEmpty());
}

TEST(RedisPromises, WhatLosesFencesIsNamedWithItsSetting) {
    ServerSettings everysec = best();
    everysec.appendfsync = "everysec";
    EXPECT_THAT(promise_of(everysec), HasSubstr("appendfsync = everysec"));
    EXPECT_THAT(names_of(everysec), ElementsAre("redis_forgets"));
    ServerSettings none = best();
    none.appendonly = "no";
    EXPECT_THAT(promise_of(none), HasSubstr("appendonly = no"));
    EXPECT_THAT(names_of(none), ElementsAre("redis_forgets"));
    ServerSettings evicting = best();
    evicting.maxmemory_policy = "allkeys-lru";
    EXPECT_THAT(promise_of(evicting), HasSubstr("maxmemory-policy = allkeys-lru"));
    EXPECT_THAT(names_of(evicting), ElementsAre("redis_evicts"));
}

TEST(RedisPromises, AServerThatDoesNotShowItsSettingsPromisesNothing) {
    const ServerSettings silent{.version = "7.2.4", .role = "master"};
    EXPECT_THAT(promise_of(silent), HasSubstr("is not known"));
    EXPECT_THAT(names_of(silent), IsEmpty());
    EXPECT_TRUE(check_usable(silent).has_value());
}

TEST(RedisPromises, WhatIsTooOldOrOfAClusterOrAReplicaIsRefused) {
    EXPECT_TRUE(check_usable(best()).has_value());
    ServerSettings old = best();
    old.version = "6.2.1";
    EXPECT_THAT(check_usable(old).error().message(), HasSubstr("Redis 6.2.1"));
    ServerSettings of_cluster = best();
    of_cluster.mode = "cluster";
    EXPECT_THAT(check_usable(of_cluster).error().message(), HasSubstr("cluster"));
    ServerSettings replica = best();
    replica.role = "slave";
    EXPECT_THAT(check_usable(replica).error().message(), HasSubstr("replica"));
    EXPECT_THAT(names_of(replica), ElementsAre("redis_is_replica"));
}

}  // namespace
}  // namespace semel::redis
