#include "engine/fence_waits.hpp"

namespace semel {

FenceWaits::FenceWaits(Env& env, Store& store, Ledger& ledger)
    : HoldWaits(env, store, ledger,
                {.let_go = [&ledger](const ClaimFence& command, const FenceAnswer& answer) {
                    ledger.submit(std::make_unique<CommandTask<CallFence>>(
                        CallFence{command.tenant, let_go(answer)},
                        [](const Result<Reply<CallFence>>&) {}));
                }}) {}

}  // namespace semel
