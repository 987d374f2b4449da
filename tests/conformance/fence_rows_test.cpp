// The rows of fences come back as they were written: claims with an effect, their first content,
// their sources.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kOddKeys = {
    "'; drop table job; --", "\xF0\x9F\xA6\x8A",   " a b ", "\\x00",
    "{\"a\",NULL}",          std::string(255, 'x')};

class FenceRows : public StoreConformance {
protected:
    void write_claim(Change<Claim> change) {
        Changes changes;
        changes.claims.push_back(std::move(change));
        write(changes);
    }
    void write_source(Change<Source> change) {
        Changes changes;
        changes.sources.push_back(std::move(change));
        write(changes);
    }
    // With its content, and as far away from the newest claims as a store may put it.
    void insert_old(const Claim& claim, const std::string& content) {
        Changes changes;
        changes.claims.push_back(inserted(claim));
        changes.contents.emplace_back(claim.id, Content{content});
        for (int i = 0; i < 40; ++i) changes.claims.push_back(inserted(small_claim(1000 + i)));
        write(changes);
    }
    // What a request with another fingerprint is compared with.
    std::optional<std::string> content_of(const ClaimId& id) {
        const Loaded loaded =
            driver.look({.claims = {id}, .contents = {{.claim = id, .known = hash_of(999)}}});
        return loaded.contents.empty() ? std::nullopt
                                       : std::optional(loaded.contents.front().second.json);
    }
    std::vector<Source> sources(const SourceKey& key) {
        return driver.look({.sources = {key}}).sources;
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, FenceRows, fence_stores(), name_of_store);

TEST_P(FenceRows, AClaimGoesThroughEveryStateAndKeepsEveryField) {
    const Claim held = held_fence(1);
    const Claim sealed = sealed_fence(1);
    Claim uncertain = held;
    uncertain.state = ClaimState::uncertain;
    uncertain.expires_at.reset();
    Claim freed = small_claim(1);
    freed.space = "fences";
    freed.state = ClaimState::free;
    freed.expires_at = kStart + Millis(7);
    freed.effect.emplace().previous = sealed.effect->previous;
    insert_old(held, "{}");
    EXPECT_EQ(find_claim(held.id), held);
    const std::vector<Claim> states = {held, uncertain, sealed, freed, held, freed, sealed, held};
    for (std::size_t i = 1; i < states.size(); ++i) {
        write_claim(changed(states[i - 1], states[i]));
        EXPECT_EQ(find_claim(held.id), states[i]) << i;
        EXPECT_EQ(driver.get_claim("acme", held.id), states[i]) << i;
    }
    write_claim(deleted(held));
    EXPECT_EQ(find_claim(held.id), std::nullopt);
    write_claim(inserted(sealed));
    EXPECT_EQ(find_claim(held.id), sealed);
}

TEST_P(FenceRows, TheFirstContentIsReadWhereTheFingerprintDiffers) {
    const Claim held = held_fence(1);
    insert_old(held, R"({ "a": 1.0 })");
    EXPECT_EQ(content_of(held.id), R"({ "a": 1.0 })");
    const LoadSpec same{.claims = {held.id},
                        .contents = {{.claim = held.id, .known = *held.fingerprint}}};
    EXPECT_THAT(driver.look(same).contents, IsEmpty());
    EXPECT_EQ(content_of(hash_of(1000)), std::nullopt) << "it has none";
    EXPECT_EQ(content_of(hash_of(77)), std::nullopt) << "there is no such claim";
}

TEST_P(FenceRows, AContentIsReplacedForgottenAndGoesWithItsClaim) {
    const Claim held = held_fence(1);
    Claim other = held;
    other.token = Token{6};
    insert_old(held, "1");
    Changes replacing;
    replacing.claims.push_back(changed(held, other));
    replacing.contents.emplace_back(held.id, Content{std::string(64 * 1024, '2')});
    write(replacing);
    EXPECT_EQ(content_of(held.id), std::string(64 * 1024, '2'));
    Changes forgetting;
    forgetting.claims.push_back(changed(other, held));
    forgetting.contents.emplace_back(held.id, std::nullopt);
    write(forgetting);
    EXPECT_EQ(content_of(held.id), std::nullopt);
    Changes again;
    again.claims.push_back(changed(held, other));
    again.contents.emplace_back(held.id, Content{"3"});
    write(again);
    write_claim(deleted(other));
    write_claim(inserted(held));
    EXPECT_EQ(content_of(held.id), std::nullopt);
}

TEST_P(FenceRows, AContentMayBeForgottenInTheCommitThatDeletesItsClaim) {
    insert_old(held_fence(1), "1");
    Changes changes;
    changes.claims.push_back(deleted(held_fence(1)));
    changes.contents.emplace_back(held_fence(1).id, std::nullopt);
    write(changes);
    EXPECT_EQ(find_claim(held_fence(1).id), std::nullopt);
}

TEST_P(FenceRows, SourcesAreInsertedChangedAndDeleted) {
    const Source full = full_source(1);
    Source bare = full;
    bare.highest.reset();
    bare.holder.reset();
    bare.expires_at = kStart + Millis(1'000'000);
    write_source(inserted(full));
    EXPECT_THAT(sources(full.key), ElementsAre(full));
    write_source(changed(full, bare));
    EXPECT_THAT(sources(full.key), ElementsAre(bare));
    write_source(changed(bare, full));
    EXPECT_THAT(sources(full.key), ElementsAre(full));
    write_source(deleted(full));
    EXPECT_THAT(sources(full.key), IsEmpty());
    write_source(inserted(bare));
    EXPECT_THAT(sources(full.key), ElementsAre(bare));
}

TEST_P(FenceRows, ASourceIsNeitherMadeTwiceNorChangedWhereThereIsNone) {
    write_source(inserted(full_source(1)));
    Changes twice;
    twice.sources.push_back(inserted(full_source(1)));
    EXPECT_FALSE(driver.write(twice).has_value());
    Changes none;
    none.sources.push_back(changed(full_source(2), full_source(2)));
    EXPECT_FALSE(driver.write(none).has_value());
    EXPECT_THAT(sources(full_source(2).key), IsEmpty());
}

TEST_P(FenceRows, SourcesWithOddNamesAreEachTheirOwn) {
    std::vector<Source> all;
    Changes changes;
    for (const std::string& odd : kOddKeys) {
        for (const SourceKey& key : {SourceKey{odd, "t", "i"}, SourceKey{"acme", odd, "i"},
                                     SourceKey{"acme", "t", odd}, SourceKey{"acme", odd, ""}}) {
            Source source = full_source(static_cast<int>(all.size()));
            source.key = key;
            all.push_back(source);
            changes.sources.push_back(inserted(source));
        }
    }
    write(changes);
    for (const Source& source : all) {
        EXPECT_THAT(sources(source.key), ElementsAre(source));
    }
}

TEST_P(FenceRows, AClaimBringsTheSourceWhoseVersionItHolds) {
    const Claim held = held_fence(1);
    Changes changes;
    changes.claims.push_back(inserted(held));
    changes.sources = {inserted(full_source(1)), inserted(full_source(2))};
    write(changes);
    EXPECT_THAT(driver.look({.claims = {held.id}}).sources, ElementsAre(full_source(1)));
    // Named as well, it is there once.
    EXPECT_THAT(driver.look({.claims = {held.id}, .sources = {full_source(1).key}}).sources,
                ElementsAre(full_source(1)));
}

TEST_P(FenceRows, ExpiredSourcesAreFoundTheEarliestFirst) {
    Changes changes;
    for (int i : {3, 1, 2, 4}) changes.sources.push_back(inserted(full_source(i)));
    write(changes);
    EXPECT_THAT(ask(ExpiredSourcesQuery{}).sources, IsEmpty());
    clock.now = kStart + Millis(3);
    EXPECT_THAT(ask(ExpiredSourcesQuery{}).sources,
                ElementsAre(full_source(1).key, full_source(2).key, full_source(3).key));
    EXPECT_THAT(ask(ExpiredSourcesQuery{.limit = 2}).sources,
                ElementsAre(full_source(1).key, full_source(2).key));
    EXPECT_EQ(driver.look({.queries = {ExpiredSourcesQuery{}}}).sources.size(), 3U)
        << "with their rows";
}

}  // namespace
}  // namespace semel::test
