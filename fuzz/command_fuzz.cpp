// Whatever commands come, in whatever order and at whatever times: they are decided, and what holds
// between the rows of a store holds after every commit.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "store/memory/memory_store.hpp"
#include "support/rows.hpp"
#include "support/store_world.hpp"

namespace {

using namespace semel;

constexpr int kCommitsMax = 150;  // an input is to take milliseconds

void expect_none(const std::vector<std::string>& broken) {
    for (const std::string& line : broken) std::fprintf(stderr, "broken: %s\n", line.c_str());
    SEMEL_ASSERT(broken.empty());
}

}  // namespace

// The input is the choices of RandomCommands, one after another.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    Time now = test::kStart;
    test::StoreWorld world(make_memory_store([&] { return now; }), 1);
    test::RandomCommands commands{test::Dice(bytes)};
    test::StoredRows before = world.rows();
    for (int commit = 0; commit < kCommitsMax && !commands.is_used_up(); ++commit) {
        now += commands.pause();
        const auto batch = commands.next_batch(world);
        for (const test::AnyReply& reply : world.run(batch)) commands.learn(reply);
        test::StoredRows after = world.rows();
        expect_none(test::broken_invariants(after));
        expect_none(test::broken_changes(before, after, test::retried_by(batch, before)));
        before = std::move(after);
    }
    return 0;
}
