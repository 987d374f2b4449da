// What Redis alone does: commits that compare before they write, replies that are lost, rows that
// are gone.
#include "store/redis/redis_store.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "core/fences/fence_request.hpp"
#include "core/limits.hpp"
#include "store/ladder/ladder.hpp"
#include "store/redis/fetched_rows.hpp"
#include "store/redis/layout.hpp"
#include "support/redis_server.hpp"
#include "support/reply_thief.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::unique_ptr<Store> open_store(const std::string& url) {
    return std::move(open_redis_store({.url = url})).value();
}

Changes inserting(const Claim& claim) {
    Changes changes;
    changes.claims.push_back(inserted(claim));
    return changes;
}

bool warns_of(const Store& store, const std::string& name) {
    const auto all = store.warnings();
    return std::ranges::any_of(all, [&](const auto& warning) { return warning.name == name; });
}

// By then its line has read what was published before, and has noticed what was lost.
void let_it_poll(Store& store) {
    std::promise<void> polled;
    int looks = 0;
    store.watch([&] {
        if (++looks == 2) polled.set_value();
    });
    polled.get_future().wait();
    store.watch(nullptr);
}

class RedisStoreTest : public testing::Test {
protected:
    // The same database as a user who may do everything but this.
    std::string url_without(const std::string& user, const std::vector<std::string>& rights) {
        redis::Command command{"ACL", "SETUSER", user, "reset", "on", ">word", "~*", "&*", "+@all"};
        command.insert(command.end(), rights.begin(), rights.end());
        ask(command);
        std::string url = url_;
        return url.insert(url.find("://") + 3, user + ":word@");
    }
    // A command of a test's own.
    redis::Reply ask(const redis::Command& command) {
        if (connection_ == nullptr) {
            redis::ConnectionOptions options;
            options.url = redis::parse_url(url_).value();
            connection_ = std::move(redis::Connection::open(options)).value();
        }
        return connection_->ask(command).value();
    }
    std::optional<Claim> find(StoreDriver& driver, const ClaimId& id) {
        const auto found = driver.look({.claims = {id}}).claims;
        return found.empty() ? std::nullopt : std::optional(found.front());
    }
    // Nothing: it could be read.
    static std::optional<ErrorCode> read_error(StoreDriver& driver, const std::string& tenant,
                                               const ClaimId& id) {
        const auto read = driver.read<std::optional<Claim>>(
            [&](Reads& reads, const auto& done) { reads.get_claim(tenant, id, done); });
        return read ? std::nullopt : std::optional(read.error().code());
    }

    const std::string url_ = RedisServer::shared().make_database();
    std::unique_ptr<redis::Connection> connection_;
    const Claim claim_ = held_fence(1);
};

TEST_F(RedisStoreTest, OfTwoWhoSawNothingOneWritesAndTheOtherDecidesAgain) {
    const auto first = open_store(url_);
    const auto second = open_store(url_);
    StoreDriver one(*first);
    StoreDriver other(*second);
    ASSERT_TRUE(one.load({.claims = {claim_.id}}).has_value());
    ASSERT_TRUE(other.load({.claims = {claim_.id}}).has_value());
    EXPECT_TRUE(one.commit(inserting(claim_)).has_value());
    EXPECT_EQ(other.commit(inserting(claim_)).error().code(), ErrorCode::busy);
    EXPECT_EQ(find(other, claim_.id), claim_);
}

TEST_F(RedisStoreTest, ARowThatChangedBackAndForthHasChanged) {
    const auto store = open_store(url_);
    StoreDriver late(*store);
    StoreDriver quick(*store);
    ASSERT_TRUE(quick.write(inserting(claim_)).has_value());
    ASSERT_TRUE(late.load({.claims = {claim_.id}}).has_value());
    Changes dropping;
    dropping.claims.push_back(deleted(claim_));
    ASSERT_TRUE(quick.write(dropping).has_value());
    ASSERT_TRUE(quick.write(inserting(claim_)).has_value());
    EXPECT_EQ(late.commit(dropping).error().code(), ErrorCode::busy);
    EXPECT_EQ(find(quick, claim_.id), claim_);
}

TEST_F(RedisStoreTest, ACommitWhoseReplyIsLostIsLookedUp) {
    ReplyThief thief(RedisServer::shared().port());
    const auto store = open_store(thief.url(url_));
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.load({.claims = {claim_.id}}).has_value());
    thief.steal_reply_to("semel:mark:");
    EXPECT_TRUE(driver.commit(inserting(claim_)).has_value())
        << "it happened, and that was found out";
    EXPECT_EQ(thief.stolen(), 1);
    EXPECT_EQ(find(driver, claim_.id), claim_);
}

TEST_F(RedisStoreTest, ACommitThatNeverArrivedIsAFailureAndNothingWasChanged) {
    ReplyThief thief(RedisServer::shared().port());
    const auto store = open_store(thief.url(url_));
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.load({.claims = {claim_.id}}).has_value());
    thief.steal_request("semel:mark:");
    EXPECT_EQ(driver.commit(inserting(claim_)).error().code(), ErrorCode::unavailable);
    EXPECT_EQ(thief.stolen(), 1);
    EXPECT_EQ(find(driver, claim_.id), std::nullopt);
}

TEST_F(RedisStoreTest, AReceiptStaysWhileRepeatsAreCountedOnItsClaim) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Claim sealed = sealed_fence(1);
    ASSERT_TRUE(driver.write(inserting(sealed)).has_value());
    Claim counted = sealed;
    counted.repeats += 3;
    Changes counting;
    counting.claims.push_back(changed(sealed, counted));
    ASSERT_TRUE(driver.write(counting).has_value());
    EXPECT_EQ(find(driver, sealed.id), counted);
    Claim other = counted;
    other.receipt->body = "8";
    Changes changing;
    changing.claims.push_back(changed(counted, other));
    ASSERT_TRUE(driver.write(changing).has_value());
    EXPECT_EQ(find(driver, sealed.id), other);
}

TEST_F(RedisStoreTest, AScriptThatTheServerForgotIsSentAgain) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting(claim_)).has_value());
    ask({"SCRIPT", "FLUSH"});
    EXPECT_TRUE(driver.write(inserting(held_fence(2))).has_value());
}

TEST_F(RedisStoreTest, EntriesByExpiryWhoseRowsRedisDroppedAreSwept) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    Claim past = claim_;
    past.expires_at = store->now() - Millis(1);
    ASSERT_TRUE(driver.write(inserting(past)).has_value());
    EXPECT_THAT(driver.look({.queries = {ExpiredClaimsQuery{}}}).queries.at(0).claims, SizeIs(1));
    ask({"DEL", redis::claim_key(past.id)});
    EXPECT_THAT(driver.look({.queries = {ExpiredClaimsQuery{}}}).queries.at(0).claims, IsEmpty());
    EXPECT_EQ(ask({"ZCARD", redis::kClaimsByExpiry}).number, 0);
}

TEST_F(RedisStoreTest, RowsMayLieBeyondTheirTimeAndNotForEver) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting(claim_)).has_value());
    EXPECT_GT(ask({"PTTL", redis::claim_key(claim_.id)}).number,
              Millis(kTombstoneRetention).count());
    Claim uncertain = claim_;
    uncertain.expires_at.reset();
    Changes changes;
    changes.claims.push_back(changed(claim_, uncertain));
    ASSERT_TRUE(driver.write(changes).has_value());
    EXPECT_EQ(ask({"PTTL", redis::claim_key(claim_.id)}).number, -1)
        << "until somebody resolves it";
}

TEST_F(RedisStoreTest, StoreTimeNeverGoesBackNotEvenWithTheServersClock) {
    const Time late = from_ms(to_ms(open_store(url_)->now()) + 3'600'000);
    ask({"HSET", redis::kMetaKey, "time_mark", std::to_string(to_ms(late))});
    EXPECT_GE(open_store(url_)->now(), late);
}

TEST_F(RedisStoreTest, ATimeThatNoNodeCanHaveWrittenIsRefused) {
    { const auto makes_it = open_store(url_); }
    ask({"HSET", redis::kMetaKey, "time_mark", "9250000000000"});  // in 2263
    const auto opened = open_redis_store({.url = url_});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::refused);
    EXPECT_THAT(opened.error().message(), HasSubstr("time_mark"));
}

TEST_F(RedisStoreTest, AnotherFormatAndAStrangersKeysAreRefused) {
    { const auto makes_it = open_store(url_); }
    for (const std::string format : {"1", "9"}) {
        ask({"HSET", redis::kMetaKey, "format", format});
        const auto other = open_redis_store({.url = url_});
        ASSERT_FALSE(other.has_value());
        EXPECT_EQ(other.error().code(), ErrorCode::refused);
        EXPECT_THAT(other.error().message(), HasSubstr("the format " + format));
    }
    ask({"HDEL", redis::kMetaKey, "id"});
    EXPECT_FALSE(open_redis_store({.url = url_}).has_value()) << "it is not new";
    ask({"DEL", redis::kMetaKey});
    ask({"SET", redis::kMetaKey, "somebody's"});
    EXPECT_FALSE(open_redis_store({.url = url_}).has_value());
}

TEST_F(RedisStoreTest, ADamagedRowIsNamedAndTheOthersAreWell) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting(held_fence(2))).has_value());
    const SourceKey source{"default", "order", "7"};
    ask({"HSET", redis::claim_key(claim_.id), "v", "1", "d", "nonsense"});
    ask({"SET", redis::source_key(source), "somebody's"});
    const Loaded loaded =
        driver.look({.claims = {claim_.id, held_fence(2).id}, .sources = {source}});
    EXPECT_THAT(loaded.claims, ElementsAre(held_fence(2)));
    ASSERT_THAT(loaded.damaged.claims, SizeIs(1));
    EXPECT_EQ(loaded.damaged.claims[0].first, claim_.id);
    EXPECT_THAT(loaded.damaged.claims[0].second, AllOf(HasSubstr(redis::claim_key(claim_.id)),
                                                       HasSubstr("`semel fence delete KEY")));
    ASSERT_THAT(loaded.damaged.sources, SizeIs(1));
    EXPECT_THAT(loaded.damaged.sources[0].second, HasSubstr("`DEL " + redis::source_key(source)));
    EXPECT_EQ(read_error(driver, "default", claim_.id), ErrorCode::damaged_row);
}

TEST_F(RedisStoreTest, ARowThatWasCopiedFromAnotherKeyIsDamaged) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Claim other = held_fence(2);
    ASSERT_TRUE(driver.write(inserting(other)).has_value());
    ask({"COPY", redis::claim_key(other.id), redis::claim_key(claim_.id)});
    const Loaded loaded = driver.look({.claims = {claim_.id, other.id}});
    EXPECT_THAT(loaded.claims, ElementsAre(other));
    ASSERT_THAT(loaded.damaged.claims, SizeIs(1));
    EXPECT_EQ(loaded.damaged.claims[0].first, claim_.id);
    EXPECT_THAT(loaded.damaged.claims[0].second, Not(HasSubstr(other.tenant)))
        << "it may be another tenant's";
    EXPECT_EQ(read_error(driver, other.tenant, claim_.id), ErrorCode::damaged_row);
    EXPECT_THAT(driver.find_claims(other.tenant, "fences", "2"), ElementsAre(other));
    using Holders = std::vector<std::optional<SourceHolder>>;
    const auto holders = driver.read<Holders>([&](Reads& reads, Done<Holders> done) {
        reads.get_holds({{other.tenant, claim_.id}, {other.tenant, other.id}}, std::move(done));
    });
    EXPECT_EQ(holders.value().at(0), std::nullopt);
    EXPECT_NE(holders.value().at(1), std::nullopt);
}

TEST_F(RedisStoreTest, BytesThatWereCopiedFromAnotherKeyAreDamaged) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Claim sealed = sealed_fence(1);
    const Claim other = sealed_fence(2);
    ASSERT_TRUE(driver.write(inserting(sealed)).has_value());
    ASSERT_TRUE(driver.write(inserting(other)).has_value());
    ASSERT_THAT(driver.look({.claims = {sealed.id}}).claims, ElementsAre(sealed));
    const std::string others = ask({"HGET", redis::claim_key(other.id), "d"}).text;
    ask({"HSET", redis::claim_key(sealed.id), "d", others});
    const Loaded loaded = driver.look({.claims = {sealed.id, other.id}});
    EXPECT_THAT(loaded.claims, ElementsAre(other));
    ASSERT_THAT(loaded.damaged.claims, SizeIs(1));
    EXPECT_EQ(loaded.damaged.claims[0].first, sealed.id);
    EXPECT_EQ(read_error(driver, sealed.tenant, sealed.id), ErrorCode::damaged_row);
    EXPECT_THAT(driver.find_claims(other.tenant, "fences", "2"), ElementsAre(other));
}

TEST_F(RedisStoreTest, ARowThatHasLostAFieldIsDamagedAndNotAbsent) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Claim sealed = sealed_fence(1);
    const std::string key = redis::claim_key(sealed.id);
    for (const char* field : {"v", "d", "x", "b"}) {
        ask({"DEL", key});
        ASSERT_TRUE(driver.write(inserting(sealed)).has_value());
        ASSERT_EQ(find(driver, sealed.id), sealed);
        ask({"HDEL", key, field});
        const Loaded loaded = driver.look({.claims = {sealed.id}});
        EXPECT_THAT(loaded.claims, IsEmpty()) << field;
        EXPECT_THAT(loaded.damaged.claims, SizeIs(1)) << field;
        EXPECT_EQ(read_error(driver, sealed.tenant, sealed.id), ErrorCode::damaged_row) << field;
        EXPECT_EQ(driver.write(inserting(held_fence(1))).error().code(), ErrorCode::busy)
            << "nobody writes over it: " << field;
    }
}

TEST_F(RedisStoreTest, ASourceWithoutItsStampIsDamagedAndNotAbsent) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Source source = full_source(1);
    Changes changes;
    changes.sources.push_back(inserted(source));
    ASSERT_TRUE(driver.write(changes).has_value());
    ask({"HDEL", redis::source_key(source.key), "v"});
    const Loaded loaded = driver.look({.sources = {source.key}});
    EXPECT_THAT(loaded.sources, IsEmpty());
    ASSERT_THAT(loaded.damaged.sources, SizeIs(1));
    EXPECT_EQ(loaded.damaged.sources[0].first, source.key);
    EXPECT_EQ(driver.write(changes).error().code(), ErrorCode::busy);
    ask({"DEL", redis::source_key(source.key)});
    ask({"HSET", redis::source_key(source.key), "x", "1"});
    EXPECT_THAT(driver.look({.sources = {source.key}}).damaged.sources, SizeIs(1))
        << "a commit and a look agree on what is there";
    ask({"DEL", redis::source_key(source.key)});
    EXPECT_TRUE(driver.write(changes).has_value()) << "as its words say";
}

TEST_F(RedisStoreTest, AReceiptThatIsNoJsonIsDamaged) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const Claim sealed = sealed_fence(1);
    ASSERT_TRUE(driver.write(inserting(sealed)).has_value());
    for (const char* body : {"", "nonsense", "{} {}", "\"\xFF\""}) {
        ask({"HSET", redis::claim_key(sealed.id), "b", body});
        EXPECT_EQ(read_error(driver, sealed.tenant, sealed.id), ErrorCode::damaged_row) << body;
    }
    ask({"HSET", redis::claim_key(sealed.id), "b", "1e999"});
    EXPECT_EQ(find(driver, sealed.id).value().receipt->body, "1e999");
}

TEST_F(RedisStoreTest, ADamagedRowDoesNotStopUpkeep) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const SourceKey source{"default", "order", "7"};
    ask({"ZADD", redis::kClaimsByExpiry, "1", claim_.id.to_hex()});
    ask({"ZADD", redis::kSourcesByExpiry, "1", redis::source_member(source)});
    ask({"SET", redis::claim_key(claim_.id), "somebody's"});
    ask({"SET", redis::source_key(source), "somebody's"});
    const Loaded loaded = driver.look({.queries = {ExpiredClaimsQuery{}, ExpiredSourcesQuery{}}});
    EXPECT_THAT(loaded.queries.at(0).claims, IsEmpty());
    EXPECT_THAT(loaded.queries.at(1).sources, IsEmpty());
}

TEST_F(RedisStoreTest, ADamagedRowIsDeletedAndItsKeyIsNew) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    Claim claim = claim_;
    claim.id = fence_key("default", "k").claim;
    const std::string key = redis::claim_key(claim.id);
    const std::string others = redis::claim_key(held_fence(2).id);
    ASSERT_TRUE(driver.write(inserting(held_fence(2))).has_value());
    const std::string bytes = ask({"HGET", others, "d"}).text;
    const redis::Command damages[] = {{"HSET", key, "v", "1", "d", "nonsense"},
                                      {"HSET", key, "v", "1", "x", "", "d", bytes},
                                      {"HSET", key, "v", "", "d", "nonsense"},
                                      {"HSET", key, "d", "nonsense"},
                                      {"HSET", key, "b", "{}"},
                                      {"COPY", others, key},
                                      {"SET", key, "somebody's"}};
    for (const redis::Command& damage : damages) {
        ask({"DEL", key});
        ask(damage);
        const auto [reply] = driver.run(
            DeleteClaim{.tenant = "default", .claim = claim.id, .reason = "seen", .key = "k"});
        EXPECT_TRUE(std::holds_alternative<Claim>(reply));
        EXPECT_EQ(ask({"EXISTS", key}).number, 0);
        EXPECT_TRUE(driver.write(inserting(claim)).has_value());
        EXPECT_EQ(find(driver, claim.id), claim);
    }
}

// Between a look at the index and what follows from it.
TEST_F(RedisStoreTest, AnEntryByExpiryStaysWhereItsRowCameBack) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    Claim past = claim_;
    past.expires_at = store->now() - Millis(1);
    ask({"ZADD", redis::kClaimsByExpiry, std::to_string(to_ms(*past.expires_at)),
         past.id.to_hex()});
    redis::FetchedRows rows;
    const LoadSpec spec{.queries = {ExpiredClaimsQuery{}}};
    (void)climb_ladder(rows, spec, store->now());
    while (rows.has_wishes()) {
        ASSERT_TRUE(rows.queue(*connection_).has_value());
        ASSERT_TRUE(rows.take(connection_->flush().value(), 0).has_value());
        (void)climb_ladder(rows, spec, store->now());
    }
    ASSERT_TRUE(driver.write(inserting(past)).has_value());
    ASSERT_TRUE(rows.sweep(*connection_).has_value());
    EXPECT_EQ(ask({"ZCARD", redis::kClaimsByExpiry}).number, 1);
    EXPECT_THAT(driver.look({.queries = {ExpiredClaimsQuery{}}}).queries.at(0).claims,
                ElementsAre(past.id));
}

TEST_F(RedisStoreTest, WhoMayNotDoAllOfACommitIsRefusedBeforeTheFirst) {
    const auto opened = open_redis_store({.url = url_without("weak", {"-zadd", "-pexpire"})});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::refused);
    EXPECT_THAT(opened.error().message(),
                AllOf(HasSubstr("ZADD semel:claims_by_expiry"), HasSubstr("PEXPIRE semel:claim:"),
                      HasSubstr("ACL SETUSER"), Not(HasSubstr("HSET"))));
    EXPECT_EQ(ask({"DBSIZE"}).number, 0) << "nothing is left of the look";
    const auto polled = inspect_redis(url_without("weak", {"-hdel"}));
    EXPECT_THAT(polled.error().message(), HasSubstr("HDEL semel:meta"));
    const auto timeless = open_redis_store({.url = url_without("weak", {"-time"})});
    ASSERT_FALSE(timeless.has_value());
    EXPECT_THAT(timeless.error().message(), HasSubstr("Redis refuses TIME: "));
}

TEST_F(RedisStoreTest, ACommitThatIsRefusedMidwayIsNeitherDoneNorUndone) {
    ReplyThief thief(RedisServer::shared().port());
    const auto store = open_store(thief.url(url_without("torn", {})));
    StoreDriver driver(*store);
    ask({"ACL", "SETUSER", "torn", "-pexpire"});
    const auto told = driver.write(inserting(claim_));
    EXPECT_EQ(told.error().code(), ErrorCode::commit_unknown);
    EXPECT_THAT(told.error().message(), HasSubstr("a part of a commit"));
    thief.steal_reply_to("semel:mark:");
    EXPECT_EQ(driver.write(inserting(held_fence(2))).error().code(), ErrorCode::commit_unknown);
    EXPECT_EQ(thief.stolen(), 1);
    ask({"ACL", "SETUSER", "torn", "+pexpire"});
    EXPECT_TRUE(driver.write(inserting(held_fence(3))).has_value());
}

TEST_F(RedisStoreTest, AnIndexThatIsNoneIsFoundBeforeAnythingIsWritten) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    ask({"SET", redis::kSourcesByExpiry, "somebody's"});
    EXPECT_FALSE(driver.write(inserting(claim_)).has_value());
    EXPECT_EQ(ask({"EXISTS", redis::claim_key(claim_.id)}).number, 0);
}

TEST_F(RedisStoreTest, WhoMayNotSubscribeIsToldSoAndDoesNotTryAgainAndAgain) {
    const auto store = open_store(url_without("deaf", {"-subscribe"}));
    while (!warns_of(*store, "redis_no_hints")) {
        std::this_thread::yield();
    }
    const auto connections = [this] {
        const std::string info = ask({"INFO", "stats"}).text;
        const std::string name = "total_connections_received:";
        return std::stoi(info.substr(info.find(name) + name.size()));
    };
    constexpr int kPolls = 4;
    std::promise<void> polled;
    std::atomic<int> looks = 0;
    const int before = connections();
    store->watch([&] {
        if (++looks == kPolls) polled.set_value();
    });
    EXPECT_EQ(polled.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready)
        << "it looks by itself";
    store->watch(nullptr);
    EXPECT_LE(connections() - before, 1) << "the last is its chores' own, perhaps";
}

TEST_F(RedisStoreTest, WhoMayNotPublishIsToldSo) {
    const auto store = open_store(url_without("mute", {"-publish"}));
    while (!warns_of(*store, "redis_no_hints")) {
        std::this_thread::yield();
    }
    const auto all = store->warnings();
    const auto said = std::ranges::find(all, "redis_no_hints", &StoreWarning::name);
    ASSERT_NE(said, all.end());
    EXPECT_THAT(said->detail, HasSubstr("may not publish to semel:ends"));
}

TEST_F(RedisStoreTest, ATrialOfARightIsNoHint) {
    const auto store = open_store(url_);
    let_it_poll(*store);
    std::atomic<int> heard = 0;
    store->watch_ends([&] { ++heard; });
    EXPECT_EQ(ask({"PUBLISH", redis::kEndsChannel, redis::kTrial}).number, 1);
    let_it_poll(*store);
    EXPECT_EQ(heard, 0);
    store->watch_ends(nullptr);
}

TEST(FrozenRedis, IsSaidSoInTimeAndNotWaitedForAgain) {
    RedisServer server;
    const auto store = open_store(server.url());
    StoreDriver driver(*store);
    const Claim claim = held_fence(1);
    ASSERT_TRUE(driver.write(inserting(claim)).has_value());
    server.freeze();
    const auto load = [&] { return driver.load({.claims = {claim.id}}); };
    const auto refused = load();
    EXPECT_EQ(refused.error().code(), ErrorCode::timeout);
    EXPECT_EQ(refused.error().message(),
              "Redis at 127.0.0.1:" + std::to_string(server.port()) + " did not answer within 2 s");
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(load().error().code(), ErrorCode::timeout);
    const auto read = driver.read<std::optional<Claim>>(
        [&](Reads& reads, const auto& done) { reads.get_claim("default", claim.id, done); });
    EXPECT_EQ(read.error().code(), ErrorCode::timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(2));
    server.thaw();
    while (!load()) {
        std::this_thread::yield();
    }
}

TEST(RedisPassword, IsNotInWhatAServerRepliesThatDoesNotKnowIt) {
    const RedisServer server({"rename-command=AUTH unknown"});
    std::string url = server.url();
    url.insert(url.find("://") + 3, ":opensesame@");
    const auto opened = open_redis_store({.url = url});
    ASSERT_FALSE(opened.has_value());
    EXPECT_THAT(opened.error().message(), HasSubstr("does not take the password"));
    EXPECT_THAT(opened.error().message(), Not(HasSubstr("opensesame")));
}

// Whoever changes it is in already, and so is the node.
TEST(RedisPassword, ThatIsChangedIsAskedOfConnectionsThatComeAnew) {
    const RedisServer server;
    redis::ConnectionOptions connecting;
    connecting.url = redis::parse_url(server.url()).value();
    const auto admin = std::move(redis::Connection::open(connecting)).value();
    const auto tell = [&](const redis::Command& command) { return admin->ask(command).value(); };
    tell({"CONFIG", "SET", "requirepass", "opensesame"});
    std::string url = server.url();
    const auto store = open_store(url.insert(url.find("://") + 3, ":opensesame@"));
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting(held_fence(1))).has_value());
    tell({"CONFIG", "SET", "requirepass", "shutsesame"});
    EXPECT_TRUE(driver.write(inserting(held_fence(2))).has_value()) << "who is in stays in";

    EXPECT_GT(tell({"CLIENT", "KILL", "USER", "default"}).number, 0);
    const auto load = [&] { return driver.load({.claims = {held_fence(1).id}}); };
    const auto refused = load();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::refused);
    EXPECT_THAT(refused.error().message(), AllOf(HasSubstr("WRONGPASS"), Not(HasSubstr("sesame"))));
    const auto read = driver.read<std::optional<Claim>>(
        [](Reads& reads, const auto& done) { reads.get_claim("acme", held_fence(1).id, done); });
    EXPECT_EQ(read.error().code(), ErrorCode::refused);
    let_it_poll(*store);
    EXPECT_FALSE(warns_of(*store, "redis_no_hints")) << "that is another right";

    tell({"ACL", "SETUSER", "default", ">opensesame"});
    while (!load()) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(driver.write(inserting(held_fence(3))).has_value());
    while (tell({"PUBSUB", "NUMSUB", redis::kEndsChannel}).items.at(1).number == 0) {
        std::this_thread::yield();
    }
}

TEST_F(RedisStoreTest, AnErrorThatTheServerRepliesIsNoDamage) {
    redis::Reply loading;
    loading.kind = redis::Reply::Kind::error;
    loading.text = "LOADING Redis is loading the dataset in memory";
    EXPECT_EQ(redis::read_claim(claim_.id, loading).error().code(), ErrorCode::unavailable);
    EXPECT_EQ(redis::read_source({"t", "type", "id"}, loading).error().code(),
              ErrorCode::unavailable);
}

TEST_F(RedisStoreTest, OtherRowsThanFencesAreRefused) {
    const auto store = open_store(url_);
    StoreDriver driver(*store);
    const auto loaded = driver.load({.jobs = {{.id = id_at(kStart, 1)}}});
    EXPECT_EQ(loaded.error().code(), ErrorCode::refused);
    EXPECT_TRUE(driver.load({.claims = {claim_.id}}).has_value()) << "and it goes on";
}

TEST_F(RedisStoreTest, AUserWhoMayNotPublishStillEndsAHold) {
    ask({"ACL", "SETUSER", "quiet", "on", ">word", "~*", "+@all", "resetchannels"});
    std::string url = url_;
    url.insert(url.find("://") + 3, "quiet:word@");
    const auto store = open_store(url);
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting(claim_)).has_value());
    Changes sealing;
    sealing.claims.push_back(changed(claim_, sealed_fence(1)));
    EXPECT_TRUE(driver.write(sealing).has_value());
    EXPECT_EQ(find(driver, claim_.id), sealed_fence(1));
}

TEST_F(RedisStoreTest, AnEndIsHeardByOtherNodes) {
    const auto here = open_store(url_);
    const auto there = open_store(url_);
    while (ask({"PUBSUB", "NUMSUB", redis::kEndsChannel}).items.at(1).number < 2) {
        std::this_thread::yield();
    }
    StoreDriver driver(*here);
    ASSERT_TRUE(driver.write(inserting(claim_)).has_value());
    std::promise<void> heard;
    std::atomic<bool> was_heard = false;
    there->watch_ends([&] {
        if (!was_heard.exchange(true)) heard.set_value();
    });
    Changes sealing;
    sealing.claims.push_back(changed(claim_, sealed_fence(1)));
    ASSERT_TRUE(driver.write(sealing).has_value());
    EXPECT_EQ(heard.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
    there->watch_ends(nullptr);
}

}  // namespace
}  // namespace semel::test
