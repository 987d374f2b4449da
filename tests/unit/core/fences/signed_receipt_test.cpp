// What a signature of a receipt covers, and how a signed receipt is read.
#include "core/fences/signed_receipt.hpp"

#include <algorithm>
#include <cctype>

#include <gmock/gmock.h>

#include "core/fences/signing_key.hpp"
#include "core/json/json_writer.hpp"
#include "support/fence_table.hpp"

namespace semel {
namespace {

using test::FenceTable;
using testing::HasSubstr;

const std::string kNull = sha256("null").to_hex();

Claim sealed_claim() {
    Claim claim;
    claim.tenant = "acme";
    claim.state = ClaimState::sealed;
    claim.token = Token{1789};
    Effect& effect = claim.effect.emplace();
    effect.id = "ch_9";
    effect.sealed_at = *parse_rfc3339("2026-03-01T12:00:00.250Z");
    return claim;
}

// As the API answers, with some members changed or taken away (an empty value).
std::variant<SignedReceipt, Problem> read(
    const std::vector<std::pair<std::string, std::string>>& changes = {}) {
    std::vector<std::pair<std::string, std::string>> members = {
        {"key", R"("k")"},
        {"state", R"("sealed")"},
        {"token", "1789"},
        {"effectId", R"("ch_9")"},
        {"receipt", R"({"b":1,"a":2.0})"},
        {"sealedAt", R"("2026-03-01T12:00:00.250Z")"},
        {"tenant", R"("acme")"},
        {"fingerprint", "null"},
        {"signature", R"({"algorithm":"Ed25519","keyId":"00ff","value":"AAAA"})"}};
    for (const auto& [name, value] : changes) {
        for (auto& member : members) {
            if (member.first == name) member.second = value;
        }
    }
    JsonWriter out;
    out.begin_object();
    for (const auto& [name, value] : members) {
        if (!value.empty()) out.member_raw(name, value);
    }
    const auto document = json::Document::parse(out.end_object().take());
    EXPECT_TRUE(document.has_value());
    return read_signed_receipt(document->root());
}

ReceiptStatement statement(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
    auto answer = read(changes);
    const auto* problem = std::get_if<Problem>(&answer);
    EXPECT_EQ(problem, nullptr) << problem->detail;
    return problem == nullptr ? std::get<SignedReceipt>(answer).statement : ReceiptStatement{};
}

TEST(SignedReceipts, CoverACanonicalStatement) {
    EXPECT_EQ(statement_of(sealed_claim(), "k\"1").text(),
              R"({"effectId":"ch_9","fingerprint":null,"key":"k\"1","receipt":")" + kNull +
                  R"(","sealedAt":"2026-03-01T12:00:00.250Z","tenant":"acme","token":"1789",)" +
                  R"("type":"semel.receipt.v1"})");
}

TEST(SignedReceipts, AreReadBackAsTheyWereSigned) {
    Claim claim = sealed_claim();
    claim.receipt = Receipt{.status = 200, .body = R"({"a":2,"b":1})"};
    claim.fingerprint = sha256("content");
    EXPECT_EQ(statement({{"fingerprint", json::quote(claim.fingerprint->to_hex())}}).text(),
              statement_of(claim, "k").text())
        << "also where the receipt's JSON was written in another way";
    std::string upper = claim.fingerprint->to_hex();
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    EXPECT_NE(statement({{"fingerprint", json::quote(upper)}}).text(),
              statement_of(claim, "k").text())
        << "a text that is signed counts to the letter";
    const auto answer = std::get<SignedReceipt>(read());
    EXPECT_EQ(answer.key_id, "00ff");
    EXPECT_EQ(answer.signature, "AAAA");
}

TEST(SignedReceipts, CoverEveryPartByItself) {
    const std::string whole = statement().text();
    const std::vector<std::pair<std::string, std::string>> others = {
        {"key", R"("k2")"},        {"token", "1790"},
        {"effectId", R"("ch_8")"}, {"receipt", R"({"b":1,"a":3})"},
        {"receipt", "null"},       {"sealedAt", R"("2026-03-01T12:00:00.251Z")"},
        {"tenant", R"("other")"},  {"fingerprint", json::quote(std::string(64, '0'))}};
    for (const auto& other : others) {
        EXPECT_NE(statement({other}).text(), whole) << other.first;
    }
    EXPECT_EQ(statement({{"state", R"("free")"}}).text(), whole) << "this is not signed";
}

TEST(SignedReceipts, WhatIsMissingOrWrongIsNamed) {
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"key", ""},        {"key", "7"},
        {"tenant", "null"}, {"effectId", R"("")"},
        {"sealedAt", "12"}, {"token", R"("1789")"},
        {"token", "0"},     {"token", "17.5"},
        {"receipt", ""},    {"fingerprint", R"("abc")"},
        {"signature", ""},  {"signature", R"("AAAA")"}};
    for (const auto& one : wrong) {
        const auto answer = read({one});
        const auto* problem = std::get_if<Problem>(&answer);
        ASSERT_NE(problem, nullptr) << one.first << " " << one.second;
        EXPECT_THAT(problem->detail, HasSubstr(one.first)) << one.second;
    }
    for (const char* signature :
         {R"({"algorithm":"none","keyId":"1","value":"A"})", R"({"keyId":"1","value":"A"})",
          R"({"algorithm":"Ed25519","value":"A"})", R"({"algorithm":"Ed25519","keyId":"1"})"}) {
        EXPECT_TRUE(std::holds_alternative<Problem>(read({{"signature", signature}}))) << signature;
    }
    const auto list = json::Document::parse("[]");
    EXPECT_TRUE(std::holds_alternative<Problem>(read_signed_receipt(list->root())));
}

TEST(SigningKeyRow, TheFirstOneIsKeptForEver) {
    FenceTable t;
    EXPECT_EQ(std::get<std::string>(t.run(KeepSigningKey{.secret = "first"})), "first");
    const auto replies =
        t.run_batch(std::vector<KeepSigningKey>{{.secret = "second"}, {.secret = "third"}});
    for (const auto& reply : replies) {
        EXPECT_EQ(std::get<std::string>(reply), "first");
    }
    t.advance(std::chrono::hours(24 * 3650));
    EXPECT_EQ(t.prune_claims().count, 0);
    EXPECT_EQ(std::get<std::string>(t.run(KeepSigningKey{.secret = "fourth"})), "first");
    EXPECT_TRUE(t.decisions.empty());
}

TEST(SigningKeyRow, OfTwoInOneCommitTheFirstWins) {
    FenceTable t;
    const auto replies =
        t.run_batch(std::vector<KeepSigningKey>{{.secret = "one"}, {.secret = "two"}});
    EXPECT_EQ(std::get<std::string>(replies[0]), "one");
    EXPECT_EQ(std::get<std::string>(replies[1]), "one");
}

TEST(SigningKeyRow, IsNoTenants) {
    FenceTable t;
    t.run(KeepSigningKey{.secret = "secret"});
    const ClaimId id = signing_key_claim().claim;
    EXPECT_FALSE(t.row(id).has_value());
    EXPECT_EQ(test::code_of(t.delete_claim(id)), ProblemCode::not_found);
    std::vector<Claim> found;
    t.reads().find_claims("default", std::nullopt, "receipts", 10,
                          [&](auto claims) { found = std::move(*claims); });
    EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace semel
