// A host that stops while others still talk to its node.
#include "runtime/host.hpp"

#include <future>

#include <gtest/gtest.h>

#include "runtime/open_store.hpp"
#include "support/temp_folder.hpp"

namespace semel {
namespace {

// As a request does that was let in just before: dropped, it would be answered 500.
TEST(HostTest, ACommandThatComesAfterTheDrainIsAnsweredStopped) {
    const test::TempFolder folder;
    Observer observer;
    Host host(open_store(folder.file("semel.db")).value(), {}, observer);
    host.start();
    host.drain(Millis(0));

    std::promise<ErrorCode> answered;
    Node& node = host.node();
    const bool is_posted = node.post([&] {
        node.submit(PromoteDue{}, [&answered](const Result<Reply<PromoteDue>>& reply) {
            answered.set_value(reply.error().code());
        });
    });

    ASSERT_TRUE(is_posted);
    EXPECT_EQ(answered.get_future().get(), ErrorCode::stopped);
    host.stop(Millis(0));
    EXPECT_FALSE(node.post([] {}));
}

}  // namespace
}  // namespace semel
