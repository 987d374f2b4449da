// The key that receipts are signed with: one for each store, kept by it, and nobody's.
#include "core/fences/signing_key.hpp"

#include "conformance/fence_fixture.hpp"

namespace semel::test {
namespace {

class SigningKeys : public FenceConformance {
protected:
    std::string offer(const std::string& secret) {
        return std::get<std::string>(run(KeepSigningKey{.secret = secret}));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, SigningKeys, all_stores(), name_of_store);

const std::string kFirst(64, 'a');
const std::string kSecond(64, 'b');

TEST_P(SigningKeys, TheFirstIsKept) {
    EXPECT_EQ(offer(kFirst), kFirst);
    EXPECT_EQ(offer(kSecond), kFirst);
    advance(std::chrono::hours(24 * 1000));
    EXPECT_EQ(prune_claims().count, 0);
    EXPECT_EQ(offer(kSecond), kFirst);
}

TEST_P(SigningKeys, IsNoTenants) {
    offer(kFirst);
    const ClaimId id = signing_key_claim().claim;
    ASSERT_TRUE(find_claim(id).has_value());
    EXPECT_EQ(row(id), std::nullopt);
    EXPECT_EQ(code_of(delete_claim(id)), ProblemCode::not_found);
    EXPECT_EQ(offer(kSecond), kFirst);
}

}  // namespace
}  // namespace semel::test
