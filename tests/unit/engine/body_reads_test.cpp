// Bodies of kept answers, as the gateway reads them.
#include <vector>

#include "support/pass_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::PassNode;

// A node that has kept one answer.
struct Kept : PassNode {
    std::shared_ptr<std::optional<Result<BodyReads::Body>>> read() {
        auto told = std::make_shared<std::optional<Result<BodyReads::Body>>>();
        node.read_body(sealed->effect->pass->answer->response,
                       [told](auto body) { told->emplace(std::move(body)); });
        return told;
    }

    const std::shared_ptr<const Claim> sealed = settle(send({.key = "k"}), PassEnd::seal).key;
};

TEST(BodyReads, ACrowdSharesOneRead) {
    Kept t;
    const int reads = t.store.reads_asked;
    const auto first = t.read();
    const auto second = t.read();
    t.env.settle();
    EXPECT_EQ(t.store.reads_asked - reads, 1);
    ASSERT_TRUE(first->has_value() && second->has_value());
    EXPECT_EQ(***first, ***second) << "the same bytes";
    EXPECT_EQ(****first, "sent");
    t.read();
    t.env.settle();
    EXPECT_EQ(t.store.reads_asked - reads, 2);
}

TEST(BodyReads, ABodyThatIsGoneIsNull) {
    Kept t;
    t.erase(*t.sealed);
    const auto told = t.read();
    t.env.settle();
    ASSERT_TRUE(told->has_value() && **told);
    EXPECT_EQ(***told, nullptr);
}

}  // namespace
}  // namespace semel
