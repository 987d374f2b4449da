// How often a node looks for what it was not told of.
#include "store/postgres/wake_line.hpp"

#include <gtest/gtest.h>

#include "cluster/cluster.hpp"

namespace semel::postgres {
namespace {

ConnectionOptions on_database_of_its_own() {
    ConnectionOptions options;
    options.url = test::PostgresServer::shared().make_database();
    return options;
}

// Beside one that has nothing to tell, and whose looks are the measure.
TEST(WakeLine, LooksAsOftenWhereItHasSomethingToTell) {
    test::Record<char> looks;
    WakeLine teller(on_database_of_its_own(), [](Connection&) {});
    WakeLine silent(on_database_of_its_own(), [](Connection&) {});
    // As after a drain of the outbox that made work.
    teller.watch([&] {
        looks.add('t');
        teller.tell();
    });
    silent.watch([&] { looks.add('s'); });
    const auto seen = looks.wait_for(16);
    teller.watch(nullptr);
    silent.watch(nullptr);
    int turns = 0;
    for (std::size_t i = 1; i < seen.size(); ++i) turns += seen[i - 1] != seen[i] ? 1 : 0;
    EXPECT_GE(turns, 11) << std::string(seen.begin(), seen.end());
}

}  // namespace
}  // namespace semel::postgres
