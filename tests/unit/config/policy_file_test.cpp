// The policy file of fences: what it says, and what is said of a file that is none.
#include "config/policy_file.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

// As the seed has it.
constexpr const char* kSeed = R"(# opsdeploy/idempotency.yml
require_headers:
  - Idempotency-Key
reject_on_body_mismatch: true
stores:
  fence: redis
  ttl:
    webhook_days: 14
    api_hours: 48
    batch_days: 3
logging:
  include_fields:
    - idempotency_key
    - effect_id
    - decision   # new, duplicate, conflict
    - source_type
    - source_id
on_conflict:
  status: 409
  include_diff: true
)";

TEST(PolicyFile, OfTheSeedIsReadAsItStands) {
    const auto policy = parse_policy("p.yml", kSeed);
    ASSERT_TRUE(policy.has_value()) << policy.error().message();
    const Policy expected{
        .require_headers = {"Idempotency-Key"},
        .reject_on_body_mismatch = true,
        .fence_store = FenceStore::redis,
        .webhook_days = 14,
        .api_hours = 48,
        .batch_days = 3,
        .include_fields = {"idempotency_key", "effect_id", "decision", "source_type", "source_id"},
        .conflict_status = 409,
        .include_diff = true};
    EXPECT_EQ(*policy, expected);
    EXPECT_TRUE(looks_like_policy(kSeed));
}

TEST(PolicyFile, WithoutAnythingSaysNothing) {
    for (const char* text : {"", "# nothing\n"}) {
        const auto policy = parse_policy("p.yml", text);
        ASSERT_TRUE(policy.has_value());
        EXPECT_EQ(*policy, Policy{});
        EXPECT_FALSE(looks_like_policy(text));
    }
    EXPECT_FALSE(looks_like_policy("store: ./semel.db\n"));
    EXPECT_FALSE(looks_like_policy("["));
}

TEST(PolicyFile, EveryErrorSaysWhereAndWhatWouldBeRight) {
    const std::pair<const char*, const char*> cases[] = {
        {"- a\n", "p.yml:1:1: the file must be a map of keys, like `logging: …`"},
        {"stores: 1\n", "p.yml:1:9: `stores` must be a map of keys, like `fence: …`"},
        {"stores:\n  fence: mongo\n", "p.yml:2:10: `stores.fence` must be `main` or `redis`"},
        {"stores: { ttl: { api_hours: -1 } }\n",
         "p.yml:1:29: `stores.ttl.api_hours` must be a whole number, not below 0"},
        {"stores: { ttl: { api_hours: 1.5 } }\n",
         "p.yml:1:29: `stores.ttl.api_hours` must be a whole number, not below 0"},
        {"require_headers: Idempotency-Key\n",
         "p.yml:1:18: `require_headers` must be a list of words, like [a, b]"},
        {"reject_on_body_mismatch: yes\n",
         "p.yml:1:26: `reject_on_body_mismatch` must be `true` or `false`"},
        {"reject_on_body_mismatch:\n",
         "p.yml:1:1: `reject_on_body_mismatch` must be `true` or `false`"},
        {"on_conflict: { stauts: 409 }\n",
         "p.yml:1:16: unknown key `on_conflict.stauts`; the nearest known key is "
         "`on_conflict.status`"},
        {"stores: { ttl: { web_hook_days: 3 } }\n",
         "p.yml:1:18: unknown key `stores.ttl.web_hook_days`; the nearest known key is "
         "`stores.ttl.webhook_days`"},
        {"api_hours: 3\n",
         "p.yml:1:1: unknown key `api_hours`; the nearest known key is `stores.ttl.api_hours`"},
        {"on_conflict: { colour: red }\n",
         "p.yml:1:16: unknown key `on_conflict.colour`; known here are "
         "`on_conflict.include_diff`, `on_conflict.mask`, `on_conflict.status`"},
        {"colour: red\n",
         "p.yml:1:1: unknown key `colour`; known here are `logging`, `on_conflict`, "
         "`reject_on_body_mismatch`, `require_headers`, `stores`"},
        {"logging: {}\n---\nstores: {}\n",
         "p.yml:2:1: a second document; the file may have only one"},
        {" ,a", "p.yml:1:2: a second document; the file may have only one"},
        {"logging: {}\non_conflict: { mask: [\"/a] }\n",
         "p.yml:3:1: not valid YAML: a quote is opened and not closed before here"},
        {"stores: { ttl: { api_hours: 99999999999999999999 } }\n",
         "p.yml:1:29: `stores.ttl.api_hours` must be a whole number, not below 0"},
        {"logging: {}\nlogging: {}\n", "p.yml:2:1: the key `logging` stands here a second time"},
        {"stores.fence: redis\nstores: { fence: main }\n",
         "p.yml:2:11: the key `stores.fence` stands here a second time"},
    };
    for (const auto& [text, expected] : cases) {
        const auto policy = parse_policy("p.yml", text);
        ASSERT_FALSE(policy.has_value()) << text;
        EXPECT_EQ(policy.error().message(), expected) << text;
    }
    EXPECT_EQ(read_policy_file("/nowhere/p.yml").error().code(), ErrorCode::not_found);
}

}  // namespace
}  // namespace semel
