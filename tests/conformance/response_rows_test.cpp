// The rows that have the bodies of kept answers, on every store that holds main rows.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

const Uuid kOne = Uuid::parse("0190a5f4-0000-7000-8000-000000000001").value();
const Uuid kTwo = Uuid::parse("0190a5f4-0000-7000-8000-000000000002").value();

class ResponseRows : public StoreConformance {
protected:
    void apply(std::vector<ResponseChange> changes) {
        Changes all;
        all.responses = std::move(changes);
        write(std::move(all));
    }
    static ResponseChange body(const Uuid& id, Time until, const std::string& text) {
        return {ResponseVerb::write, id, until, std::make_shared<const std::string>(text)};
    }
    // The rows that upkeep finds at a time.
    std::vector<Uuid> expired_at(Time time, int limit = 500) {
        clock.now = time;
        return ask(ExpiredResponsesQuery{limit}).responses;
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, ResponseRows, all_stores(), name_of_store);

TEST_P(ResponseRows, AreWrittenReadAndReplaced) {
    EXPECT_EQ(driver.get_response(kOne), std::nullopt);
    apply({body(kOne, kStart + 1h, "a")});
    EXPECT_EQ(driver.get_response(kOne), "a");
    apply({body(kOne, kStart + 1min, "b")});
    EXPECT_EQ(driver.get_response(kOne), "b");
    EXPECT_TRUE(expired_at(kStart + 1h - 1ms).empty()) << "never earlier than before";
    EXPECT_EQ(expired_at(kStart + 1h), std::vector{kOne});
}

TEST_P(ResponseRows, AreExtendedIfTheyExist) {
    apply({body(kOne, kStart + 1h, "a")});
    apply({{ResponseVerb::extend, kOne, kStart + 2h}, {ResponseVerb::extend, kTwo, kStart + 2h}});
    apply({{ResponseVerb::extend, kOne, kStart + 1min}});
    EXPECT_EQ(driver.get_response(kTwo), std::nullopt);
    EXPECT_TRUE(expired_at(kStart + 2h - 1ms).empty());
    EXPECT_EQ(driver.get_response(kOne), "a");
}

TEST_P(ResponseRows, AreErasedOrExpired) {
    apply({body(kOne, kStart + 1h, "a"), body(kTwo, kStart + 1h, "b")});
    apply({{ResponseVerb::expire, kOne, kStart + 1h - 1ms}});
    EXPECT_EQ(driver.get_response(kOne), "a") << "it was extended meanwhile";
    apply({{ResponseVerb::expire, kOne, kStart + 1h}, {ResponseVerb::erase, kTwo}});
    EXPECT_EQ(driver.get_response(kOne), std::nullopt);
    EXPECT_EQ(driver.get_response(kTwo), std::nullopt);
    apply({{ResponseVerb::erase, kTwo}});  // two nodes may do so
}

TEST_P(ResponseRows, OfOneBatchAreChangedOneAfterAnother) {
    apply({body(kOne, kStart + 1h, "a"),
           body(kOne, kStart + 1min, "b"),
           {ResponseVerb::extend, kOne, kStart + 2h},
           body(kTwo, kStart, "c"),
           {ResponseVerb::erase, kTwo},
           {ResponseVerb::extend, kTwo, kStart + 2h}});
    EXPECT_EQ(driver.get_response(kOne), "b");
    EXPECT_EQ(driver.get_response(kTwo), std::nullopt);
    apply({{ResponseVerb::erase, kOne}, body(kOne, kStart + 1h, "d")});
    EXPECT_EQ(driver.get_response(kOne), "d");
    EXPECT_TRUE(expired_at(kStart + 1h - 1ms).empty());
}

TEST_P(ResponseRows, AreFoundUpToALimit) {
    apply({body(kOne, kStart, "a"), body(kTwo, kStart, "b")});
    EXPECT_EQ(expired_at(kStart, 1).size(), 1U);
    EXPECT_EQ(expired_at(kStart).size(), 2U);
}

}  // namespace
}  // namespace semel::test
