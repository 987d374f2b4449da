// What the tests of fences over HTTP share.
#pragma once

#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {

class FenceTest : public ApiTest {
protected:
    static std::string path(const std::string& key, const std::string& more = {}) {
        return "/v1/fences/" + key + more;
    }
    Answered ask(const std::string& body) { return client_.post("/v1/fences/claim", body); }
    // Claims a key, with more members; expects to be told this.
    Answered expect(const std::string& decision, const std::string& key,
                    const std::string& more = {}) {
        Answered told =
            ask(fmt::format(R"({{"key":"{}"{}{}}})", key, more.empty() ? "" : ",", more));
        EXPECT_EQ(told.status, 200) << told.body;
        EXPECT_EQ(told.text("/decision"), decision) << told.body;
        return told;
    }
    // The token of a claim that must be new.
    std::int64_t own(const std::string& key, const std::string& more = {}) {
        return expect("new", key, more).integer("/token");
    }
    Answered call(const std::string& key, const std::string& verb, std::int64_t token,
                  const std::string& more = {}) {
        return client_.post(path(key, "/" + verb), token_body(token, more));
    }
    Answered seal(const std::string& key, std::int64_t token,
                  const std::string& more = R"("effectId":"e")") {
        Answered sealed = call(key, "seal", token, more);
        EXPECT_EQ(sealed.status, 200) << sealed.body;
        return sealed;
    }
    // Somebody who asks on a thread and a connection of its own.
    std::future<Answered> ask_meanwhile(const std::string& body) {
        return std::async(std::launch::async, [this, body] {
            Caller own = caller();
            return own.post("/v1/fences/claim", body);
        });
    }
    // An answer, once it has this text: fences that are kept elsewhere have their lines in the log
    // a moment later.
    Answered get_until(const std::string& target, const std::string& text) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        Answered seen = client_.get(target);
        while (seen.body.find(text) == std::string::npos &&
               std::chrono::steady_clock::now() < deadline) {
            seen = client_.get(target);
        }
        return seen;
    }
    std::string claim_id(const std::string& key) { return client_.get(path(key)).text("/claimId"); }
};

}  // namespace semel::test
