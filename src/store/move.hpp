// Moves everything from one store to another, page by page. Each page is one transaction of the
// target, together with where it ended: a move that was cut off goes on behind its last page. At
// the end every row is read from both and compared; only then the target may be used.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/row_page.hpp"
#include "store/row_tally.hpp"

namespace semel {

// What is known of the source before the first row.
struct MoveOrigin {
    std::string path;
    std::string mark;                // two sources with the same mark hold the same
    Time time_mark;                  // no stored time is later
    std::int64_t rows = 0;           // of all kinds
    std::int64_t last_decision = 0;  // the log goes on behind it
};

// Nobody else has it while this object lives, and it is left as it is.
class MoveSource : public RowPages {
public:
    [[nodiscard]] virtual const MoveOrigin& origin() const = 0;
};

// How far a move has come.
struct MoveState {
    std::size_t kind =
        0;              // of the rows that are next, as an index; kRowKinds.size(): all are there
    std::string after;  // the key behind which they begin
    std::int64_t rows = 0;            // that are there
    std::optional<Time> started_at;   // absent: it has not begun
    std::optional<Time> finished_at;  // absent: it is under way

    [[nodiscard]] bool is_copied() const { return kind == kRowKinds.size(); }
};

class MoveTarget : public RowPages {
public:
    // As it stands. Changes nothing. `refused`: it holds something that is not of this origin, or
    // somebody uses it.
    [[nodiscard]] virtual Result<MoveState> look(const MoveOrigin& origin) = 0;
    // The same, and from now on nobody else uses it.
    [[nodiscard]] virtual Result<MoveState> begin(const MoveOrigin& origin) = 0;
    // Writes a page and goes from one state to the next, in one transaction.
    [[nodiscard]] virtual Result<void> put(const RowPage& page, const MoveState& from,
                                           const MoveState& to) = 0;
    // Opens it for everybody.
    [[nodiscard]] virtual Result<void> finish(const MoveOrigin& origin) = 0;
};

struct MoveReport {
    std::optional<Time> finished_before;  // by an earlier run: nothing was done
    StoreTally tally;                     // of what was moved
};

// What is being done, and which part of the whole is done. False: stop.
using MoveWatch = std::function<bool(std::string_view what, double part)>;

// `stopped`: the watch said so; the same call goes on. `corrupt`: the two differ at the end.
[[nodiscard]] Result<MoveReport> move_rows(MoveSource& source, MoveTarget& target,
                                           const MoveWatch& watch);

}  // namespace semel
