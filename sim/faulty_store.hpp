// FaultyStore: the surviving store as one process sees it. Each step takes its time and may fail;
// at a commit the process may crash, before or after it.
#pragma once

#include <functional>
#include <memory>

#include "sim/checker.hpp"
#include "sim/context.hpp"
#include "store/store.hpp"

namespace semel::sim {

class FaultyStore final : public Store {
public:
    // `crash` ends the process once the current event is over.
    FaultyStore(Context& context, Checker& checker, Store& inner, ProcessId process,
                std::function<void()> crash);

    std::unique_ptr<Committer> open_committer(Post post) override;
    Reads& reads() override { return inner_.reads(); }
    [[nodiscard]] Time now() const override { return inner_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return inner_.clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return inner_.info(); }

private:
    class Steps;

    Context& context_;
    Checker& checker_;
    Store& inner_;
    ProcessId process_;
    std::function<void()> crash_;
};

}  // namespace semel::sim
