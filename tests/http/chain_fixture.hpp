// What the tests of chains over HTTP share.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {

inline constexpr const char* kNobody = "0192f0c1-2b7e-7000-8000-000000000001";

class ChainTest : public ApiTest {
protected:
    static std::string path(const std::string& chain, const std::string& more = {}) {
        return "/v1/chains/" + chain + more;
    }
    // The chain's id; expects 201.
    std::string start(const std::string& body) {
        const Answered started = client_.post("/v1/chains", body);
        EXPECT_EQ(started.status, 201) << started.body;
        return started.text("/chain/id");
    }
    // One that waits for these.
    std::string start_behind(const std::string& type, const std::vector<std::string>& blockers) {
        std::string ids;
        for (const std::string& id : blockers) {
            ids += (ids.empty() ? "\"" : ",\"") + id + "\"";
        }
        return start(fmt::format(R"({{"type":"{}","blockers":[{}]}})", type, ids));
    }
    Answered complete(const std::string& chain, int index, const std::string& more) {
        return client_.post(
            path(chain, "/complete"),
            fmt::format(R"({{"chainIndex":{}{}{}}})", index, more.empty() ? "" : ",", more));
    }
    // Completes its current job, which is at this index.
    void finish(const std::string& chain, int index = 0, const std::string& output = "1") {
        const Answered completed = complete(chain, index, R"("output":)" + output);
        EXPECT_EQ(completed.status, 200) << completed.body;
    }
    std::string status_of(const std::string& chain) {
        return client_.get(path(chain)).text("/chain/status");
    }
    // As it is when it has ended.
    Answered ended(const std::string& chain) {
        Answered waited = client_.get(path(chain, "/wait?timeoutMs=25000"));
        EXPECT_EQ(waited.status, 200) << waited.body;
        return waited;
    }
    std::size_t chains() { return client_.get("/v1/chains?limit=500").size("/items"); }
};

}  // namespace semel::test
