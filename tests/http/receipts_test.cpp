// Receipts: signed on request, and told from memory.
#include <thread>

#include "api/base64.hpp"
#include "base/ed25519.hpp"
#include "core/fences/signed_receipt.hpp"
#include "http/fence_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SignedReceiptsOverHttp : public FenceTest {
protected:
    Answered key() {
        Answered answer = client_.get("/v1/receipts/key");
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer;
    }
    // Whether somebody who has the answer and the public key alone finds it good.
    bool is_good(const Answered& answer) {
        const auto read = read_signed_receipt(answer.document->root());
        if (const auto* problem = std::get_if<Problem>(&read)) {
            ADD_FAILURE() << problem->detail << " " << answer.body;
            return false;
        }
        const auto& receipt = std::get<SignedReceipt>(read);
        const auto public_key = from_base64url(key().text("/publicKey"));
        const auto signature = from_base64url(receipt.signature);
        return public_key && signature &&
               is_signed_by(*public_key, receipt.statement.text(), *signature);
    }
    Answered get_signed(const std::string& key) { return client_.get(path(key, "?signed=true")); }
};

TEST_F(SignedReceiptsOverHttp, AreGoodForWhoeverHasThePublicKey) {
    const auto token = own("k", R"("content":{"total":12})");
    seal("k", token, R"("effectId":"ch_9","receipt":{"big":12345678901234567890,"a":[1.0]})");
    const Answered answer = get_signed("k");
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_TRUE(is_good(answer));
    EXPECT_EQ(answer.text("/key"), "k");
    EXPECT_EQ(answer.text("/effectId"), "ch_9");
    EXPECT_EQ(answer.text("/tenant"), "default");
    EXPECT_EQ(answer.integer("/token"), token);
    EXPECT_THAT(answer.text("/fingerprint"), testing::MatchesRegex("[0-9a-f]{64}"));
    EXPECT_EQ(answer.text("/signature/algorithm"), "Ed25519");
    EXPECT_EQ(answer.text("/signature/keyId"), key().text("/keyId"));
    EXPECT_EQ(get_signed("k").raw("/signature"), answer.raw("/signature"))
        << "the same each time, whoever answers";
}

TEST_F(SignedReceiptsOverHttp, NeedNeitherContentNorAReceipt) {
    seal("bare", own("bare"));
    const Answered answer = get_signed("bare");
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.raw("/fingerprint"), "null");
    EXPECT_TRUE(is_good(answer));
}

TEST_F(SignedReceiptsOverHttp, AreOnlyForWhatIsSealed) {
    EXPECT_EQ(get_signed("nothing").status, 404);
    own("k");
    EXPECT_EQ(get_signed("k").status, 404);
    EXPECT_EQ(client_.get(path("k", "?signed=maybe")).status, 400);
    EXPECT_EQ(client_.get(path("k", "?signed=false")).status, 200);
}

TEST_F(SignedReceiptsOverHttp, AreOnRequest) {
    seal("k", own("k"));
    EXPECT_THAT(client_.get(path("k")).body, Not(HasSubstr("signature")));
    EXPECT_THAT(client_.get(path("k", "?sealed=true")).body, Not(HasSubstr("signature")));
}

TEST_F(SignedReceiptsOverHttp, AreOfOneTenant) {
    seal("k", own("k"));
    Caller acme = tenant_caller("acme");
    const Answered claimed = acme.post("/v1/fences/claim", R"({"key":"k"})");
    acme.post(path("k", "/seal"), token_body(claimed.integer("/token"), R"("effectId":"e")"));
    const Answered theirs = acme.get(path("k", "?signed=true"));
    ASSERT_EQ(theirs.status, 200) << theirs.body;
    EXPECT_EQ(theirs.text("/tenant"), "acme");
    EXPECT_TRUE(is_good(theirs));
    EXPECT_NE(theirs.text("/signature/value"), get_signed("k").text("/signature/value"));
    EXPECT_EQ(acme.get("/v1/receipts/key").body, key().body);
}

// Also of several servers on one database, each of which offers a key of its own.
TEST_F(SignedReceiptsOverHttp, HaveOneKeyHoweverManyAskForItFirst) {
    std::vector<std::future<std::string>> asked;
    for (int i = 0; i < 6; ++i) {
        asked.push_back(std::async(std::launch::async, [this, i] {
            Caller own = caller();
            for (int skipped = 0; skipped < i % 3; ++skipped) (void)own.get("/healthz");
            return own.get("/v1/receipts/key").body;
        }));
    }
    const std::string body = key().body;
    for (auto& one : asked) {
        EXPECT_EQ(one.get(), body);
    }
}

TEST_F(SignedReceiptsOverHttp, ShowNoSecret) {
    const Answered shown = key();
    EXPECT_EQ(shown.document->root().size(), 3U) << shown.body;
    EXPECT_EQ(from_base64url(shown.text("/publicKey")).value_or("").size(), 32U);
    EXPECT_EQ(client_.get("/v1/explain?key=receipts").size("/items"), 0U);
    const Headers nobody = {{"semel-tenant", ""}};
    EXPECT_EQ(client_.get("/v1/explain?key=receipts", nobody).status, 400) << "whose it is";
    EXPECT_EQ(client_.get("/v1/receipts/key?x=1").status, 400);
}

class ReceiptsFromMemory : public FenceTest {};

TEST_F(ReceiptsFromMemory, AreTheSameBytesAndAreCounted) {
    seal("k", own("k"), R"("effectId":"ch_9","receipt":{"x": 1.50})");
    const Answered first = expect("duplicate", "k");
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(expect("duplicate", "k").body, first.body);
    }
    const std::string metrics = client_.get("/metrics").body;
    EXPECT_THAT(
        metrics,
        HasSubstr(R"(semel_decisions_total{decision="duplicate",route="",surface="fences"} 6)"));
    EXPECT_THAT(metrics, HasSubstr("semel_receipts_from_memory_total "));
    // The sums are written within a second.
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (client_.get(path("k")).integer("/duplicates") < 6 &&
           std::chrono::steady_clock::now() < until) {
        std::this_thread::yield();
    }
    EXPECT_EQ(client_.get(path("k")).integer("/duplicates"), 6);
}

TEST_F(ReceiptsFromMemory, EndWithADeletionAtThisNode) {
    seal("k", own("k"));
    expect("duplicate", "k");
    expect("duplicate", "k");
    const Answered freed =
        client_.send("DELETE", "/v1/claims/" + claim_id("k") + "?reason=a%20test");
    EXPECT_EQ(freed.status, 200) << freed.body;
    own("k");
}

class DeletedReceiptsOverHttp : public FenceTest {};

// Each server has told it, and hears of the deletion a moment later, if it was another's.
TEST_F(DeletedReceiptsOverHttp, AreForgottenByEveryServer) {
    constexpr int kServers = 3;
    seal("k", own("k"));
    for (int i = 0; i < 2 * kServers; ++i) expect("duplicate", "k");
    const std::string id = claim_id("k");
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + id + "?reason=r").status, 200);
    int others_in_a_row = 0;
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (others_in_a_row < kServers && std::chrono::steady_clock::now() < until) {
        const bool is_old = ask(R"({"key":"k"})").text("/decision") == "duplicate";
        others_in_a_row = is_old ? 0 : others_in_a_row + 1;
    }
    EXPECT_EQ(others_in_a_row, kServers);
}

}  // namespace
}  // namespace semel::test
