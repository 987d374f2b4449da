// semel fence verify and key: signed receipts that are checked without a server.
#include <algorithm>
#include <cctype>
#include <csignal>

#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Without the quotes of a JSON string.
std::string bare(const std::string& quoted) {
    return quoted.size() < 2 ? quoted : quoted.substr(1, quoted.size() - 2);
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

class FenceVerify : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        const Ended claimed =
            semel({"fence", "claim", "invoice-17", "--content", R"({"total":12})", "--json"});
        const Ended sealed = semel({"fence", "seal", "invoice-17", member(claimed.out, "token"),
                                    "--effect-id", "ch_9", "--receipt", R"({"paid":true})"});
        EXPECT_EQ(sealed.code, 0) << sealed.err;
        const Ended answer = semel({"fence", "get", "invoice-17", "--signed", "--json"});
        EXPECT_EQ(answer.code, 0) << answer.err;
        receipt_ = answer.out;
        write("receipt.json", receipt_);
        const Ended key = semel({"fence", "key"});
        EXPECT_EQ(key.code, 0) << key.err;
        write("semel.key", key.out);
        key_ = key.out.substr(0, key.out.find('\n'));
    }
    void stop_server() {
        server_->signal(SIGTERM);
        EXPECT_EQ(server_->wait().code, 0);
    }
    // The receipt with one text in it replaced.
    std::string changed(const std::string& from, const std::string& to) const {
        std::string text = receipt_;
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from << " in " << text;
        return text.replace(at, from.size(), to);
    }
    Ended verify(const std::string& text) {
        write("changed.json", text);
        return run({"fence", "verify", "changed.json", "--key", "semel.key"});
    }

    std::string receipt_;
    std::string key_;
};

TEST_F(FenceVerify, AGoodReceiptNeedsNoServer) {
    write("key.json", semel({"fence", "key", "--json"}).out);
    stop_server();
    for (const std::string& key : {std::string("semel.key"), std::string("key.json"), key_}) {
        const Ended good = run({"fence", "verify", "receipt.json", "--key", key});
        EXPECT_EQ(good.code, 0) << key << good.err;
        EXPECT_THAT(good.out, StartsWith("good  invoice-17"));
        EXPECT_THAT(good.out, AllOf(HasSubstr("ch_9"), HasSubstr("default")));
        EXPECT_EQ(good.err, "");
    }
    const Ended from_input = run({"fence", "verify", "-", "--key", key_, "--json"}, {}, receipt_);
    EXPECT_EQ(from_input.code, 0) << from_input.err;
    EXPECT_EQ(member(from_input.out, "good"), "true");
    EXPECT_EQ(member(from_input.out, "effectId"), "\"ch_9\"");
}

TEST_F(FenceVerify, AnythingThatWasChangedIsFound) {
    const std::string token = member(receipt_, "token");
    const std::string print = member(receipt_, "fingerprint");
    const std::vector<std::pair<std::string, std::string>> changes = {
        {"\"invoice-17\"", "\"invoice-18\""},
        {"\"ch_9\"", "\"ch_8\""},
        {"{\"paid\":true}", "{\"paid\":false}"},
        {"\"tenant\":\"default\"", "\"tenant\":\"acme\""},
        {"\"token\":" + token, "\"token\":" + token + "1"},
        {print, "null"},
        {print, upper(print)},
        {member(receipt_, "sealedAt"), "\"2026-01-01T00:00:00.000Z\""}};
    for (const auto& [from, to] : changes) {
        const Ended bad = verify(changed(from, to));
        EXPECT_EQ(bad.code, 1) << to << bad.out;
        EXPECT_THAT(bad.err, HasSubstr("bad signature")) << to;
        EXPECT_EQ(bad.out, "") << to;
    }
    EXPECT_EQ(verify(changed("{\"paid\":true}", "{ \"paid\" : true }")).code, 0)
        << "white space says nothing";
    const Ended told = run({"fence", "verify", "changed.json", "--key", "semel.key", "--json"});
    EXPECT_EQ(member(told.out, "good"), "true");
}

TEST_F(FenceVerify, AnotherKeyIsTold) {
    const std::string other(43, 'A');
    const Ended bad = run({"fence", "verify", "receipt.json", "--key", other, "--json"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr(bare(member(member(receipt_, "signature"), "keyId"))));
    EXPECT_EQ(member(bad.out, "good"), "false");
}

TEST_F(FenceVerify, WhatCannotBeCheckedIsNoBadSignature) {
    const Ended no_key = run({"fence", "verify", "receipt.json"});
    EXPECT_EQ(no_key.code, 2);
    EXPECT_THAT(no_key.err, HasSubstr("--key"));
    EXPECT_EQ(run({"fence", "verify", "missing.json", "--key", key_}).code, 4);
    EXPECT_EQ(run({"fence", "verify", "receipt.json", "--key", "missing.key"}).code, 2);
    EXPECT_EQ(run({"fence", "verify", "receipt.json", "--key", "receipt.json"}).code, 2);

    const Ended not_signed = verify(semel({"fence", "get", "invoice-17", "--json"}).out);
    EXPECT_EQ(not_signed.code, 2);
    EXPECT_THAT(not_signed.err, AllOf(HasSubstr("signature"), HasSubstr("--signed")));
    for (const std::string& text : {std::string(), std::string("{"), std::string("[]"),
                                    std::string("\xFF"), changed("Ed25519", "none"),
                                    changed("\"key\":", "\"other\":"), std::string(9 << 20, ' ')}) {
        const Ended odd = verify(text);
        EXPECT_EQ(odd.code, 2) << text.substr(0, 80) << odd.err;
        EXPECT_THAT(odd.err, HasSubstr("changed.json"));
        EXPECT_THAT(odd.err, Not(HasSubstr("bad signature")));
    }
}

TEST_F(FenceVerify, OnlyWhatIsSealedIsSigned) {
    EXPECT_EQ(semel({"fence", "claim", "open"}).code, 0);
    EXPECT_EQ(semel({"fence", "get", "open", "--signed"}).code, 4);
}

TEST_F(FenceVerify, TheKeyStaysWithTheStore) {
    ASSERT_EQ(semel({"backup", "b.db"}).code, 0);
    stop_server();
    EXPECT_THAT(run({"fence", "key", "--store", "semel.db"}).out, StartsWith(key_));
    ASSERT_EQ(run({"restore", "b.db", "--store", "new.db"}).code, 0);
    EXPECT_THAT(run({"fence", "key", "--store", "new.db"}).out, StartsWith(key_));
    const Ended again =
        run({"fence", "get", "invoice-17", "--signed", "--json", "--store", "new.db"});
    EXPECT_EQ(member(again.out, "signature"), member(receipt_, "signature"));
}

}  // namespace
}  // namespace semel::cli
