#include "config/config.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace semel {
namespace {

class ConfigTest : public testing::Test {
protected:
    static std::string write(const std::string& yaml) {
        std::ofstream("semel_test.yaml", std::ios::binary) << yaml;
        return "semel_test.yaml";
    }
    static Result<Config> load(const std::string& yaml) {
        return load_config({.file = write(yaml), .flags = {}, .environment = {}});
    }
    static std::string error_of(const std::string& yaml) {
        const auto config = load(yaml);
        return config ? "it was accepted" : config.error().message();
    }
    void TearDown() override { std::remove("semel_test.yaml"); }
};

TEST_F(ConfigTest, WithoutAnythingTheDefaultsHold) {
    const auto config = load_config({});
    ASSERT_TRUE(config);
    EXPECT_EQ(config->store, "./semel.db");
    EXPECT_EQ(config->listen.to_string(), "127.0.0.1:7363");
    EXPECT_EQ(config->settings.window, std::chrono::seconds(5));
    EXPECT_EQ(config->settings.key_retention, std::chrono::hours(24 * 30));
    EXPECT_EQ(config->concurrency, 64);
    EXPECT_FALSE(config->has_tls());
}

TEST_F(ConfigTest, AnEmptyFileIsAFile) {
    EXPECT_TRUE(load(""));
    EXPECT_TRUE(load("# only words\n"));
}

TEST_F(ConfigTest, EveryKeyOfThisVersionIsRead) {
    const auto config = load(
        "store: /var/lib/semel.db\n"
        "listen: '[::1]:80'\n"
        "durability: strict\n"
        "tls: { cert: /c.pem, key: file:/k.pem }\n"
        "hosts: [a.example.com, b.example.com]\n"
        "keys: { retention: forever }\n"
        "actions:\n"
        "  deduplication: { window_seconds: 60 }\n"
        "  default_timeout: 1m\n"
        "  retention_days: 14\n"
        "  concurrency: 8\n"
        "receipts: { memory_mib: 3 }\n"
        "stop_grace: 500ms\n"
        "log: { level: warn, decisions: false }\n");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->store, "/var/lib/semel.db");
    EXPECT_EQ(config->listen.to_string(), "[::1]:80");
    EXPECT_TRUE(config->is_durability_strict);
    ASSERT_TRUE(config->has_tls());
    EXPECT_EQ(config->tls_cert, "/c.pem");
    EXPECT_EQ(config->tls_key, "/k.pem");
    EXPECT_EQ(config->hosts, (std::vector<std::string>{"a.example.com", "b.example.com"}));
    EXPECT_FALSE(config->settings.key_retention);
    EXPECT_EQ(config->settings.window, std::chrono::seconds(60));
    EXPECT_EQ(config->settings.default_timeout, std::chrono::minutes(1));
    EXPECT_EQ(config->settings.job_retention, std::chrono::hours(24 * 14));
    EXPECT_EQ(config->concurrency, 8);
    EXPECT_EQ(config->settings.receipts_in_memory, std::size_t{3} << 20);
    EXPECT_EQ(config->stop_grace, Millis(500));
    EXPECT_EQ(config->log_level, "warn");
    EXPECT_FALSE(config->logs_decisions);
}

TEST_F(ConfigTest, AFlagWinsOverTheEnvironmentAndThatOverTheFile) {
    ConfigSources sources;
    sources.file = write("store: file.db\nlisten: 127.0.0.1:1\nactions: { retention_days: 1 }\n");
    sources.environment = {"SEMEL_STORE=env.db", "SEMEL_LISTEN=127.0.0.1:2", "PATH=/bin"};
    sources.flags = {{"store", "flag.db"}};
    const auto config = load_config(sources);
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->store, "flag.db");
    EXPECT_EQ(config->listen.port, 2);
    EXPECT_EQ(config->settings.job_retention, std::chrono::hours(24));
}

TEST_F(ConfigTest, TheEnvironmentKnowsNestedKeysAndLists) {
    ConfigSources sources;
    sources.environment = {"SEMEL_ACTIONS_DEDUPLICATION_WINDOW_SECONDS=9",
                           "SEMEL_HOSTS=a.example.com,b.example.com"};
    const auto config = load_config(sources);
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->settings.window, std::chrono::seconds(9));
    EXPECT_EQ(config->hosts.size(), 2U);
}

TEST_F(ConfigTest, AnErrorNamesTheVariableOrTheFlag) {
    ConfigSources sources;
    sources.environment = {"SEMEL_ACTIONS_RETENTION_DAYS=yes"};
    EXPECT_EQ(load_config(sources).error().message(),
              "SEMEL_ACTIONS_RETENTION_DAYS: `actions.retention_days`: it must be a whole number "
              "from 1 to 36600, not `yes`");
    sources.environment = {"SEMEL_STORE="};
    EXPECT_EQ(load_config(sources).error().message(),
              "SEMEL_STORE is empty; `store` must be a path, or `postgres://…`");
    for (const char* hosts : {"SEMEL_HOSTS=,", "SEMEL_HOSTS=a.example.com,"}) {
        sources.environment = {hosts};
        ASSERT_FALSE(load_config(sources)) << hosts;
        EXPECT_NE(load_config(sources).error().message().find("SEMEL_HOSTS: `hosts`: a host is"),
                  std::string::npos);
    }
    sources.environment = {"SEMEL_SOURCES=x.yml"};
    EXPECT_EQ(load_config(sources).error().message(),
              "SEMEL_SOURCES: `sources`: it is not in this version of Semel; remove it");
    sources.environment = {"SEMEL_GATEWAY_ROUTES=[]"};
    EXPECT_EQ(load_config(sources).error().message(),
              "SEMEL_GATEWAY_ROUTES: `gateway.routes`: it has no variable; write it into the "
              "configuration file");
    sources.environment = {"SEMEL_GATEWAY_LISTEN=:80",
                           "SEMEL_GATEWAY_TRUSTED_PROXIES=10.0.0.1,::1"};
    const auto gateway = load_config(sources);
    ASSERT_TRUE(gateway) << gateway.error().message();
    EXPECT_EQ(gateway->gateway.listen.to_string(), "0.0.0.0:80");
    EXPECT_EQ(gateway->gateway.trusted_proxies.size(), 2U);
    sources.environment = {};
    sources.flags = {{"log.level", "loud"}};
    EXPECT_EQ(load_config(sources).error().message(),
              "--log-level: `log.level`: it must be one of debug, info, warn, error, off, not "
              "`loud`");
}

TEST_F(ConfigTest, AMisspeltVariableIsWarnedOfAndOthersAreNot) {
    ConfigSources sources;
    sources.environment = {"SEMEL_ACTIONS_RETENTION_DAY=1", "SEMEL_CRON_SECRET=x", "SEMEL_URL=y"};
    const auto config = load_config(sources);
    ASSERT_TRUE(config);
    ASSERT_EQ(config->warnings.size(), 1U);
    EXPECT_EQ(config->warnings[0],
              "the environment variable SEMEL_ACTIONS_RETENTION_DAY is not a setting; did you mean "
              "SEMEL_ACTIONS_RETENTION_DAYS?");
}

struct BadFile {
    const char* yaml;
    const char* message;
};

const BadFile kBadFiles[] = {
    // unknown keys, with the nearest known one
    {"stroe: x\n", "1:1: unknown key `stroe`; the nearest known key is `store`"},
    {"store: x\nactions:\n  retension_days: 7\n",
     "3:3: unknown key `actions.retension_days`; the nearest known key is "
     "`actions.retention_days`"},
    {"actions: { deduplication: { window: 5 } }\n",
     "1:29: unknown key `actions.deduplication.window`; known here are "
     "`actions.deduplication.window_seconds`"},
    {"retention_days: 7\n",
     "1:1: unknown key `retention_days`; the nearest known key is `actions.retention_days`"},
    {"log: { colour: 1 }\n",
     "1:8: unknown key `log.colour`; known here are `log.level`, `log.decisions`"},
    {"Store: x\n", "1:1: unknown key `Store`; the nearest known key is `store`"},
    {"<<: { store: x }\n",
     "1:1: unknown key `<<`; known here are `store`, `listen`, `durability`, `tls`, `hosts`, "
     "`keys`, `actions`, `decisions`, `receipts`, `stop_grace`, `log`, `handlers`, `delivery`, "
     "`webhooks`, `sources`, `gateway`, `policy`"},
    // keys that stand twice
    {"store: a\nlisten: 127.0.0.1:1\nstore: b\n", "3:1: the key `store` stands here a second time"},
    {"keys: { retention: 1d, retention: 2d }\n",
     "1:24: the key `keys.retention` stands here a second time"},
    {"keys.retention: 1d\nkeys: { retention: 2d }\n",
     "2:9: the key `keys.retention` stands here a second time"},
    {"keys: { retention: 1d }\nkeys.retention: 2d\n",
     "2:1: the key `keys.retention` stands here a second time"},
    // shapes
    {"store: [a, b]\n", "1:8: `store` must be a path, or `postgres://…`, not a list"},
    {"store: { a: b }\n", "1:8: `store` must be a path, or `postgres://…`, not a map"},
    {"store:\n", "1:1: `store` must be a path, or `postgres://…`; it has no value"},
    {"store: ''\n", "1:8: `store` must be a path, or `postgres://…`; it is empty"},
    {"actions: 5\n", "1:10: `actions` must be a map of keys, like `deduplication: …`"},
    {"- store\n", "1:1: the file must be a map of keys, like `store: …`"},
    {"hosts: a.example.com\n",
     "1:8: `hosts` must be a list of names, like [a.example.com, b.example.com]"},
    {"hosts: [[a]]\n", "1:9: `hosts` must be a list of names"},
    {"hosts: [a.example.com, 'b c']\n",
     "1:8: `hosts`: a host is a name or an address, with a port or without, like "
     "semel.example.com, 192.0.2.1:7363 or [::1], not `b c`"},
    {"hosts: ['https://a.example.com']\n",
     "1:8: `hosts`: a host is a name or an address, with a port or without, like "
     "semel.example.com, 192.0.2.1:7363 or [::1], not `https://a.example.com`"},
    {"hosts: [a.example.com:99999]\n",
     "1:8: `hosts`: a host is a name or an address, with a port or without, like "
     "semel.example.com, 192.0.2.1:7363 or [::1], not `a.example.com:99999`"},
    {"? [a, b]\n: c\n", "1:3: a key must be a plain word"},
    {"store: a\n---\nstore: b\n", "2:1: a second document; the file may have only one"},
    {" ,a\n", "1:2: a second document; the file may have only one"},
    // values
    {"log: { decisions: yes }\n", "1:19: `log.decisions`: it must be `true` or `false`, not `yes`"},
    {"actions: { retention_days: 0x10 }\n",
     "1:28: `actions.retention_days`: it must be a whole number from 1 to 36600, not `0x10`"},
    {"actions: { retention_days: 0 }\n",
     "1:28: `actions.retention_days`: it must be a whole number from 1 to 36600, not `0`"},
    {"receipts: { memory_mib: -1 }\n",
     "1:25: `receipts.memory_mib`: it must be a whole number from 0 to 65536, not `-1`"},
    {"actions: { concurrency: 1001 }\n",
     "1:25: `actions.concurrency`: it must be a whole number from 1 to 1000, not `1001`"},
    {"actions: { default_timeout: 30 }\n",
     "1:29: `actions.default_timeout`: `30` is not a duration; write a whole number and its unit, "
     "like 500ms, 15s, 15m, 24h or 14d"},
    {"actions: { default_timeout: 25h }\n",
     "1:29: `actions.default_timeout`: it must be at most 24h, not `25h`"},
    {"keys: { retention: never }\n",
     "1:20: `keys.retention`: `never` is not a duration; write a whole number and its unit, like "
     "500ms, 15s, 15m, 24h or 14d (or `forever`)"},
    {"listen: 7363\n",
     "1:9: `listen`: `7363` is not an address to listen on; write host:port, like 127.0.0.1:7363 "
     "or [::1]:7363"},
    {"durability: best\n", "1:13: `durability`: it must be `store` or `strict`, not `best`"},
    {"tls: { cert: a, key: env:KEY }\n",
     "1:22: `tls.key`: a TLS key is read from a file: give file:PATH"},
    {"actions: { cron_secret: abc }\n",
     "1:25: `actions.cron_secret`: a secret is given as env:NAME or file:PATH"},
    {"actions: { cron_secret: env:SEMEL_TEST_NO_SUCH }\n",
     "1:25: `actions.cron_secret`: the environment has no variable SEMEL_TEST_NO_SUCH"},
    {"decisions: { retention: 0s }\n",
     "1:25: `decisions.retention`: it must be at least 1s, not `0s` (or `forever`)"},
    // what comes later
    {"handlers: []\n", "1:1: `handlers` is not in this version of Semel; remove it"},
    // not YAML
    {"store: [a\n", "2:1: not valid YAML: end of sequence flow not found"},
    {"store: \"./real.db\nactions:\n  retention_days: 30\n",
     "4:1: not valid YAML: a quote is opened and not closed before here"},
    {"store: 'it''s\nlisten: 127.0.0.1:1\n",
     "3:1: not valid YAML: a quote is opened and not closed before here"},
    {"store: *nowhere\n", "1:8: not valid YAML: the referenced anchor is not defined"},
};

TEST_F(ConfigTest, WhatIsWrongIsSaidWithItsPlace) {
    for (const BadFile& bad : kBadFiles) {
        EXPECT_EQ(error_of(bad.yaml), "semel_test.yaml:" + std::string(bad.message)) << bad.yaml;
    }
}

TEST_F(ConfigTest, WhatOnlyTheWholeShows) {
    EXPECT_EQ(error_of("tls: { cert: a }\n"), "TLS needs both `tls.cert` and `tls.key`");
    EXPECT_EQ(error_of("keys: { retention: 1s }\n"),
              "`actions.deduplication.window_seconds` is longer than `keys.retention`");
    EXPECT_EQ(
        load_config({.file = "./no/such.yaml", .flags = {}, .environment = {}}).error().message(),
        "cannot read ./no/such.yaml: No such file or directory");
}

TEST_F(ConfigTest, APolicyIsUsedOnlyWhereNothingIsWrongWithIt) {
    const auto load_policy = [](const std::string& policy, bool refuses) {
        std::ofstream("policy_test.yml", std::ios::binary) << policy;
        return load_config({.file = write("policy: policy_test.yml\n"),
                            .flags = {},
                            .environment = {},
                            .refuses_findings = refuses});
    };
    const auto good = load_policy("stores: { url: 'redis://x', ttl: { api_hours: 3 } }\n", true);
    ASSERT_TRUE(good) << good.error().message();
    EXPECT_EQ(good->settings.fences.api.ttl, std::chrono::hours(3));
    ASSERT_EQ(good->warnings.size(), 1U);
    EXPECT_TRUE(good->warnings[0].starts_with("policy_test.yml: stores.url: "));
    const std::string absurd = "stores: { ttl: { api_hours: 9223372036854775807 } }\n";
    const auto refused = load_policy(absurd, true);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message(),
              "policy_test.yml: stores.ttl.api_hours: 9223372036854775807 is not a time that a key "
              "can be remembered for; write a number from 1 to 87600");
    const auto shown = load_policy(absurd, false);
    ASSERT_TRUE(shown) << "for `semel check`, which says so itself";
    EXPECT_EQ(shown->settings.fences, FencePolicy{});
    std::remove("policy_test.yml");
}

TEST_F(ConfigTest, NumbersAreDecimalWhateverYamlThinks) {
    const auto config = load("actions: { retention_days: 0123 }\n");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->settings.job_retention, std::chrono::hours(24 * 123));
}

}  // namespace
}  // namespace semel
