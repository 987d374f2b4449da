// `stores.fence: redis` of a policy: served, checked, and refused with words.
#include <csignal>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/exit_codes.hpp"
#include "cli/program.hpp"
#include "support/redis_server.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class RedisPolicy : public CliTest {
protected:
    void write_policy(const std::string& url) {
        write("p.yml", fmt::format("stores:\n  fence: redis\n  url: {}\n", url));
    }
    Ended serve(const std::string& more = "") {
        write("semel.yaml", "listen: 127.0.0.1:0\npolicy: p.yml\n" + more);
        return run({"serve", "--config", "semel.yaml"});
    }
};

TEST_F(RedisPolicy, IsServedAndTheBannerSaysWhereFencesAre) {
    const test::RedisServer redis;
    write_policy(redis.url());
    write("semel.yaml", "listen: 127.0.0.1:0\npolicy: p.yml\n");
    Program server({"serve", "--config", "semel.yaml"}, folder_);
    EXPECT_TRUE(server.out_shows(fmt::format("fences     {} (redis)", redis.url())));
    EXPECT_TRUE(server.err_shows("serving on"));
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait().code, kOk);
}

TEST_F(RedisPolicy, WithoutRedisSaysSoAndNotItsPassword) {
    write_policy("redis://:hush@127.0.0.1:1");
    const Ended ended = serve();
    EXPECT_EQ(ended.code, kUnavailable) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("cannot open redis://127.0.0.1:1/0: Redis at 127.0.0.1:1"));
    EXPECT_THAT(ended.err, HasSubstr("stores.fence: redis"));
    EXPECT_THAT(ended.err, Not(HasSubstr("hush")));
}

TEST_F(RedisPolicy, WhoRefusesThePasswordIsNamed) {
    const test::RedisServer redis({"requirepass=right"});
    write_policy(fmt::format("redis://:hush@127.0.0.1:{}", redis.port()));
    const Ended ended = serve();
    EXPECT_NE(ended.code, kOk);
    EXPECT_THAT(ended.err, HasSubstr("Redis refuses: WRONGPASS"));
    EXPECT_THAT(ended.err, Not(HasSubstr("hush")));
}

TEST_F(RedisPolicy, IsRefusedWhereDurabilityIsStrict) {
    write_policy("redis://127.0.0.1:1");
    const Ended ended = serve("durability: strict\n");
    EXPECT_EQ(ended.code, kUsage) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("`durability: strict`"));
    EXPECT_THAT(ended.err, HasSubstr("Redis"));
    const Ended checked = run({"check", "semel.yaml"});
    EXPECT_EQ(checked.code, kRefused);
    EXPECT_THAT(checked.out, HasSubstr("error  stores.fence"));
}

TEST_F(RedisPolicy, ThePasswordIsGivenByReference) {
    const test::RedisServer redis({"requirepass=hu/sh:@"});
    write("semel.yaml", "listen: 127.0.0.1:0\npolicy: p.yml\n");
    write("secret", "hu/sh:@\n");
    const std::string place = fmt::format("127.0.0.1:{}", redis.port());
    for (const char* reference : {"env:FENCES_SECRET", "file:secret"}) {
        write_policy(fmt::format("redis://:{}@{}", reference, place));
        Program server({"serve", "--config", "semel.yaml"}, folder_,
                       {{"FENCES_SECRET", "hu/sh:@"}});
        EXPECT_TRUE(server.out_shows(fmt::format("fences     redis://{}/0 (redis)", place)));
        EXPECT_TRUE(server.err_shows("serving on"));
        server.signal(SIGTERM);
        const Ended ended = server.wait();
        EXPECT_EQ(ended.code, kOk);
        EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("hu/sh")));
    }
    EXPECT_EQ(run({"check", "p.yml"}).code, kOk);
    const Ended found = run({"doctor", "--config", "semel.yaml"});
    EXPECT_THAT(found.out, HasSubstr(fmt::format("redis://{}/0 (redis)", place)));
    EXPECT_THAT(found.out + found.err, Not(HasSubstr("hu/sh")));
}

TEST_F(RedisPolicy, APasswordThatIsNotThereIsNamedByServeAndCheck) {
    write_policy("redis://:env:NO_SUCH_SECRET@127.0.0.1:1");
    for (const Ended& ended : {serve(), run({"check", "p.yml"}), run({"check", "semel.yaml"})}) {
        EXPECT_NE(ended.code, kOk);
        EXPECT_THAT(ended.err, HasSubstr("in `stores.url`, the environment has no variable "
                                         "NO_SUCH_SECRET"));
    }
}

TEST_F(RedisPolicy, DoctorLooksAtItAndChangesNothing) {
    const test::RedisServer redis;
    write("semel.yaml", "listen: 127.0.0.1:0\npolicy: p.yml\n");
    write_policy(redis.url());
    const Ended found = run({"doctor", "--config", "semel.yaml"});
    EXPECT_THAT(found.out, HasSubstr(redis.url() + " (redis)"));
    EXPECT_THAT(found.out, HasSubstr("set `appendfsync always`"));
    write_policy("redis://:hush@127.0.0.1:1");
    const Ended missed = run({"doctor", "--config", "semel.yaml"});
    EXPECT_EQ(missed.code, kRefused);
    EXPECT_THAT(missed.out, HasSubstr("cannot open redis://127.0.0.1:1/0"));
    EXPECT_THAT(missed.out, Not(HasSubstr("hush")));
}

TEST_F(RedisPolicy, AUrlThatIsNoneIsRefusedByServeAndCheck) {
    write_policy("rediss://:hush@host");
    for (const Ended& ended : {serve(), run({"check", "p.yml"}), run({"check", "semel.yaml"})}) {
        EXPECT_EQ(ended.code, kUsage);
        EXPECT_THAT(ended.err, HasSubstr("p.yml: in `stores.url`, `rediss://` asks for TLS"));
        EXPECT_THAT(ended.err, Not(HasSubstr("hush")));
    }
}

class FencesInRedis : public ServerTest {
protected:
    void SetUp() override {
        write("p.yml", fmt::format("stores:\n  fence: redis\n  url: {}\n", redis_.url()));
        write("semel.yaml", "policy: p.yml\n");
        start_server({"--config", "semel.yaml"});
    }

    test::RedisServer redis_;
};

TEST_F(FencesInRedis, AKeyWhoseRowIsDamagedIsDeletedAndNew) {
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, kOk);
    std::string id = member(semel({"fence", "get", "k", "--json"}).out, "claimId");
    std::erase(id, '"');
    redis_.send("HSET semel:claim:" + id + " d nonsense");
    const Ended refused = semel({"fence", "claim", "k"});
    EXPECT_EQ(refused.code, kUnavailable);
    EXPECT_THAT(refused.err, HasSubstr("semel fence delete"));
    const Ended deleted = semel({"fence", "delete", "k", "--reason", "seen"});
    EXPECT_EQ(deleted.code, kOk) << deleted.err;
    EXPECT_EQ(semel({"fence", "claim", "k"}).code, kOk);
}

}  // namespace
}  // namespace semel::cli
