// The law of the diff: applied to the first document, the patch gives the second.
#include <string>

#include <gtest/gtest.h>

#include "core/json/canonical_json.hpp"
#include "core/json/json_diff.hpp"
#include "unit/core/json/json_tree.hpp"

namespace semel {
namespace {

using test::parsed;
using test::Tree;
using test::TreeMaker;

const DiffOptions kUncapped = {
    .bytes_max = 1 << 24, .operations_max = 1 << 24, .mask = {}, .mask_default_names = false};

// Returns how many operations it took.
std::size_t check_law(TreeMaker& maker, const Tree& first, const Tree& second) {
    const json::Document a = parsed(maker.text(first));
    const json::Document b = parsed(maker.text(second));
    const DiffResult result = json_diff(a.root(), b.root(), kUncapped);
    EXPECT_FALSE(result.truncated);
    const json::Document patch = parsed(result.patch_json);
    Tree patched = test::tree_of(a.root());
    EXPECT_TRUE(test::apply_patch(patched, patch.root())) << a.text() << result.patch_json;
    EXPECT_TRUE(test::same(patched, second)) << a.text() << " to " << b.text() << result.patch_json;
    EXPECT_EQ(patch.root().size() == 0, same_content(a.root(), b.root())) << a.text() << b.text();
    return patch.root().size();
}

TEST(JsonDiffRandom, LeadsFromAnyDocumentToAnyOther) {
    TreeMaker maker(31);
    for (int round = 0; round < 3000 && !testing::Test::HasFailure(); ++round) {
        check_law(maker, maker.tree(4), maker.tree(4));
    }
}

TEST(JsonDiffRandom, LeadsFromADocumentToItsEdit) {
    TreeMaker maker(32);
    std::size_t changed = 0;
    for (int round = 0; round < 5000 && !testing::Test::HasFailure(); ++round) {
        const Tree first = maker.tree(5);
        changed += check_law(maker, first, maker.edited(first)) > 0 ? 1 : 0;
    }
    EXPECT_GT(changed, 1000U);
}

// Or replaces the whole, where a number makes their bytes count.
TEST(JsonDiffRandom, IsEmptyBetweenTwoWritingsOfOneDocument) {
    TreeMaker maker(33);
    std::size_t replaced = 0;
    for (int round = 0; round < 2000 && !testing::Test::HasFailure(); ++round) {
        const Tree tree = maker.tree(5);
        const std::size_t operations = check_law(maker, tree, tree);
        EXPECT_LE(operations, 1U);
        replaced += operations;
    }
    EXPECT_GT(replaced, 0U);
    EXPECT_LT(replaced, 1500U);
}

TEST(JsonDiffRandom, IsAlwaysValidAndWithinItsCaps) {
    TreeMaker maker(34);
    bool truncated = false;
    for (int round = 0; round < 2000; ++round) {
        const json::Document a = parsed(maker.text(maker.tree(5)));
        const json::Document b = parsed(maker.text(maker.tree(5)));
        const std::size_t bytes_max = 2 + maker.below(200);
        const std::size_t operations_max = maker.below(5);
        const DiffResult result =
            json_diff(a.root(), b.root(),
                      {.bytes_max = bytes_max, .operations_max = operations_max, .mask = {}});
        ASSERT_LE(result.patch_json.size(), bytes_max);
        ASSERT_LE(parsed(result.patch_json).root().size(), operations_max);
        truncated = truncated || result.truncated;
    }
    EXPECT_TRUE(truncated);
}

}  // namespace
}  // namespace semel
