// How often a node looks for what it was not told of.
#include "store/postgres/wake_channel.hpp"

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
TEST(WakeChannel, PollsAsOftenWhereItHasSomethingToTell) {
    test::Record<char> looks;
    WakeChannel teller(on_database_of_its_own(), [](Connection&) {});
    WakeChannel silent(on_database_of_its_own(), [](Connection&) {});
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

TEST(WakeChannel, AnEndIsTold) {
    const ConnectionOptions options = on_database_of_its_own();
    test::Record<char> ends;
    test::Record<char> looks;
    WakeChannel here(options, [](Connection&) {});
    WakeChannel there(options, [](Connection&) {});
    there.watch_ends([&] { ends.add('e'); });
    there.watch([&] { looks.add('l'); });
    // Connected by its first look at the latest, and told of nothing before.
    (void)looks.wait_for(1);
    const std::size_t before = ends.wait_for(0).size();
    here.tell_ends();
    EXPECT_GT(ends.wait_for(before + 1).size(), before);
    there.watch_ends(nullptr);
    there.watch(nullptr);
}

}  // namespace
}  // namespace semel::postgres
