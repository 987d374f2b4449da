// What the tests of claims over HTTP share: requests of a gateway, made by their commands.
#pragma once

#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"
#include "support/pass_calls.hpp"

namespace semel::test {

// Runs commands on the node of a server, one after another.
class NodeCommands {
public:
    explicit NodeCommands(Node& node) : node_(node) {}

    template <typename Command>
    Reply<Command> run(const Command& command) {
        std::promise<Result<Reply<Command>>> told;
        node_.post([&] {
            node_.submit(command, [&told](auto reply) { told.set_value(std::move(reply)); });
        });
        return told.get_future().get().value();
    }

private:
    Node& node_;
};

class ClaimTest : public ApiTest {
protected:
    // A request of the gateway whose outcome nobody knows.
    PassAnswer doubt(const Asked& asked) {
        const PassAnswer pass = passes_.send(asked);
        passes_.settle(pass, PassEnd::doubt);
        return pass;
    }
    static std::string id_of(const std::shared_ptr<const Claim>& claim) {
        return claim->id.to_hex();
    }
    Answered resolve(const std::shared_ptr<const Claim>& claim, const std::string& body) {
        return client_.post("/v1/claims/" + id_of(claim) + "/resolve", body);
    }
    Answered list(const std::string& more = {}) {
        Answered listed = client_.get("/v1/claims?state=uncertain" + more);
        EXPECT_EQ(listed.status, 200) << listed.body;
        return listed;
    }
    // The ids on a page.
    static std::vector<std::string> ids(const Answered& listed) {
        std::vector<std::string> ids;
        for (std::size_t i = 0; i < listed.size("/items"); ++i) {
            ids.push_back(listed.text(fmt::format("/items/{}/claimId", i)));
        }
        return ids;
    }
    // The stored body of a claim's answer.
    std::optional<std::string> body_of(const Claim& claim) {
        std::promise<std::optional<std::string>> told;
        server_.host().node().store().reads().get_response(
            claim.effect->pass->effect, [&told](auto body) { told.set_value(body.value()); });
        return told.get_future().get();
    }

    PassCalls<NodeCommands> passes_{server_.host().node()};
};

}  // namespace semel::test
