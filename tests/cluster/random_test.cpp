// Random commands of many clients through three nodes at once: what holds between rows holds at the
// end, and nobody is told of a broken store.
#include <atomic>
#include <thread>

#include "cluster/cluster.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"
#include "support/store_world.hpp"

namespace semel::test {
namespace {

constexpr int kNodes = 3;
constexpr int kClients = 6;
constexpr int kCommandsOfEach = 250;  // of each client

class Client {
public:
    Client(std::uint64_t seed, const std::string& url, std::vector<std::unique_ptr<Host>>& nodes)
        : nodes_(nodes), next_(seed), reading_(open_store(url).value(), seed), commands_(seed) {}

    void run() {
        for (int sent = 0; sent < kCommandsOfEach;) {
            for (AnyCommand& command : commands_.next_batch(reading_)) {
                std::visit([this](auto& one) { send(std::move(one)); }, command);
                ++sent;
            }
        }
    }

    int answered = 0;
    std::vector<std::string> errors;

private:
    template <typename Command>
    void send(Command command) {
        Host& node = *nodes_[++next_ % nodes_.size()];
        auto reply = node.execute(std::move(command));
        if (reply) {
            commands_.learn(AnyReply(std::move(*reply)));
            ++answered;
        } else {
            errors.push_back(reply.error().message());
        }
    }

    std::vector<std::unique_ptr<Host>>& nodes_;
    std::size_t next_;
    StoreWorld reading_;
    RandomCommands commands_;
};

TEST(ClusterRandom, WhatHoldsBetweenRowsHoldsWithThreeNodes) {
    const std::string url = PostgresServer::shared().make_database();
    Observer silent;
    std::vector<std::unique_ptr<Host>> nodes;
    for (int i = 0; i < kNodes; ++i) {
        nodes.push_back(std::make_unique<Host>(open_store(url).value(), NodeOptions{}, silent));
        nodes.back()->start();
    }
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= kClients; ++seed) {
        clients.push_back(std::make_unique<Client>(seed, url, nodes));
        threads.emplace_back([client = clients.back().get()] { client->run(); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& node : nodes) node->stop(Millis(0));
    for (const auto& client : clients) {
        EXPECT_THAT(client->errors, testing::IsEmpty());
        EXPECT_GE(client->answered, kCommandsOfEach);
    }
    StoreWorld left(open_store(url).value(), 1);
    const StoredRows rows = left.rows();
    EXPECT_THAT(broken_invariants(rows), testing::IsEmpty());
    EXPECT_GT(rows.actions.size(), 100U);
}

}  // namespace
}  // namespace semel::test
