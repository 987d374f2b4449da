// transfer_rows: copies all rows from one store to another, page by page.
//
// Each page is one transaction of the target, together with the position of the transfer. So an
// interrupted transfer continues after its last page. At the end, all rows are read from both
// stores and compared. The target can be used only if they are equal.
//
// Errors: see transfer_rows(). Threads: one at a time. Blocks until the transfer ends.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/transfer/row_page.hpp"
#include "store/transfer/row_tally.hpp"

namespace semel {

// The source before its first row is read.
struct TransferOrigin {
    std::string path;
    std::string mark;                // two sources with the same mark have the same rows
    Time time_mark;                  // no stored time is later
    std::int64_t rows = 0;           // of all kinds
    std::int64_t last_decision = 0;  // the target's log continues after it
};

// Excludes other processes from the store while this object lives, and does not change the store.
class TransferSource : public RowPages {
public:
    [[nodiscard]] virtual const TransferOrigin& origin() const = 0;
};

// The position of a transfer.
struct TransferState {
    std::size_t kind =
        0;  // index in kRowKinds of the next rows; kRowKinds.size(): every row has been copied
    std::string after;                // the next page begins after this key
    std::int64_t rows = 0;            // rows copied
    std::optional<Time> started_at;   // absent: the transfer has not begun
    std::optional<Time> finished_at;  // absent: the transfer has not finished

    [[nodiscard]] bool is_copied() const { return kind == kRowKinds.size(); }
};

class TransferTarget : public RowPages {
public:
    // Reads the position and changes nothing. Errors: `refused` if the target has rows from
    // elsewhere, `busy` if a node uses it.
    [[nodiscard]] virtual Result<TransferState> inspect(const TransferOrigin& origin) = 0;
    // Does the same, and prevents commits of nodes to the target until finish().
    [[nodiscard]] virtual Result<TransferState> begin(const TransferOrigin& origin) = 0;
    // Writes a page and moves the position from `from` to `to`, in one transaction.
    [[nodiscard]] virtual Result<void> put(const RowPage& page, const TransferState& from,
                                           const TransferState& to) = 0;
    // Lets nodes use the target.
    [[nodiscard]] virtual Result<void> finish(const TransferOrigin& origin) = 0;
};

struct TransferReport {
    std::optional<Time> finished_before;  // an earlier run finished then: this run did nothing
    StoreTally tally;                     // of the transferred rows
};

// Receives the current step and the part of the work that is done, from 0 to 1. Returns false to
// stop.
using TransferWatch = std::function<bool(std::string_view what, double part)>;

// Transfers all rows. Errors: `stopped` if `watch` returned false (the same call continues),
// `corrupt` if the stores differ at the end, or an error of either store.
[[nodiscard]] Result<TransferReport> transfer_rows(TransferSource& source, TransferTarget& target,
                                                   const TransferWatch& watch);

}  // namespace semel
