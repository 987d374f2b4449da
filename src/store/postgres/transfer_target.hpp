// A PostgreSQL store as the target of a transfer (store/transfer/transfer.hpp). Errors: see
// TransferTarget, or those of the connection. Threads: one at a time. Blocks.
#pragma once

#include <memory>
#include <string>

#include "store/transfer/transfer.hpp"

namespace semel::postgres {

// Connects. begin() creates the schema. While the transfer is unfinished, `semel serve` does not
// start on the store, and running nodes cannot commit.
[[nodiscard]] Result<std::unique_ptr<TransferTarget>> open_transfer_target(const std::string& url);

}  // namespace semel::postgres
