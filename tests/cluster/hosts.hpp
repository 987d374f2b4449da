// Hosts: nodes of this process on one store, and the commands for chains that tests send to them.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/chains/chain_request.hpp"
#include "runtime/host.hpp"
#include "runtime/open_store.hpp"

namespace semel::test {

class Hosts {
public:
    Hosts(const std::string& url, std::size_t nodes, const NodeOptions& options = {}) {
        for (std::size_t i = 0; i < nodes; ++i) {
            hosts_.push_back(std::make_unique<Host>(open_store(url).value(), options, silent_));
        }
    }
    ~Hosts() { stop(); }
    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    [[nodiscard]] Host& operator[](std::size_t i) { return *hosts_.at(i % hosts_.size()); }
    void add_handler(const std::string& type, const HandlerFunction& handler) {
        for (const auto& host : hosts_) host->add_handler(type, {}, handler);
    }
    void start() {
        for (const auto& host : hosts_) host->start();
    }
    // Lets what runs end.
    void stop() {
        for (const auto& host : hosts_) host->stop(std::chrono::seconds(5));
    }

private:
    Observer silent_;
    std::vector<std::unique_ptr<Host>> hosts_;
};

[[nodiscard]] inline Item<ChainRequest> chain_request(const std::string& body) {
    return read_chain_request(json::Document::parse(body)->root(), "default", Settings{}, "");
}

// Starts chains in one commit. A refusal is a failure of the test.
inline std::vector<StartedChain> start_chains(Host& host, const std::vector<std::string>& bodies) {
    StartChains command{.tenant = "default", .items = {}};
    for (const std::string& body : bodies) command.items.push_back(chain_request(body));
    const auto reply = host.execute(std::move(command));
    EXPECT_TRUE(reply.has_value()) << reply.error().message();
    std::vector<StartedChain> started;
    for (const auto& item : std::get<StartChains::Outcome>(*reply)) {
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        if (problem == nullptr) started.push_back(std::get<StartedChain>(item));
    }
    return started;
}
inline StartedChain start_chain(Host& host, const std::string& body) {
    auto started = start_chains(host, {body});
    return started.empty() ? StartedChain{} : std::move(started.front());
}

// Completes the first job of a chain without a worker.
inline void complete_chain(Host& host, const JobId& chain, const std::string& output) {
    const auto reply =
        host.execute(CompleteChain{.tenant = "default", .chain = chain, .output = output});
    ASSERT_TRUE(reply.has_value()) << reply.error().message();
    const auto* problem = std::get_if<Problem>(&*reply);
    ASSERT_EQ(problem, nullptr) << problem->detail;
}

// All that match, of the tenant that these tests use.
inline std::vector<ActionView> list_jobs(Host& host, const ActionFilter& filter) {
    std::promise<Result<std::vector<ActionView>>> listed;
    host.store().reads().list_actions(
        "default", filter, std::nullopt, 1'000'000,
        [&](Result<std::vector<ActionView>> jobs) { listed.set_value(std::move(jobs)); });
    return listed.get_future().get().value();
}

}  // namespace semel::test
