// Cluster: several engines of this process on one database, each with its own connections and
// threads, as if they were nodes.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <semel/semel.hpp>

#include "support/postgres_server.hpp"

namespace semel::test {

using Nodes = std::vector<std::unique_ptr<Engine>>;

[[nodiscard]] std::unique_ptr<Engine> open_node(const std::string& url, int concurrency = 8);
[[nodiscard]] Nodes open_nodes(const std::string& url, int count, int concurrency = 8);

// Things that handlers did, in order; a test waits until there are enough of them.
template <typename T>
class Record {
public:
    void add(T thing) {
        const std::lock_guard lock(mutex_);
        things_.push_back(std::move(thing));
        changed_.notify_all();
    }
    // What is there once it is `count` or more; a failure if it takes too long.
    [[nodiscard]] std::vector<T> wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60),
                                      [&] { return things_.size() >= count; }))
            << things_.size() << " of " << count;
        return things_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<T> things_;
};

}  // namespace semel::test
