// An embedded store as the source of a transfer (store/transfer/transfer.hpp). Threads: one at a
// time.
#pragma once

#include <memory>
#include <string>

#include "store/transfer/transfer.hpp"

namespace semel::sqlite {

// Locks the store, checks every page and row, and changes nothing. Blocks as long as reading the
// file takes.
// Errors: `busy` if a process has the store open, `refused` if the file is no store or needs a
// migration.
[[nodiscard]] Result<std::unique_ptr<TransferSource>> open_transfer_source(
    const std::string& path, const PageLimits& limits = {});

}  // namespace semel::sqlite
