#include "cluster/cluster.hpp"

namespace semel::test {

std::unique_ptr<Engine> open_node(const std::string& url, int concurrency) {
    auto engine = Engine::open({.store = url, .concurrency = concurrency});
    EXPECT_TRUE(engine.has_value()) << engine.error().message();
    return std::move(*engine);
}

Nodes open_nodes(const std::string& url, int count, int concurrency) {
    Nodes nodes;
    for (int i = 0; i < count; ++i) {
        nodes.push_back(open_node(url, concurrency));
    }
    return nodes;
}

}  // namespace semel::test
