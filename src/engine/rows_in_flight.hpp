// RowsInFlight: records which commit stream works on which rows of a store.
//
// A row is in flight from the time a command that names it is sent to a stream until that command's
// batch ends. INVARIANT: a row is in flight on one stream at most.
//
// Rows are kept as 64-bit hashes. If two rows share a hash, their commands go to one stream, which
// costs time and changes no result.
//
// Threads: the engine's executor.
// Lifetime: outlives its Holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/batch/load_spec.hpp"

namespace semel {

class RowsInFlight {
public:
    using Row = std::uint64_t;
    using RowSet = std::unordered_set<Row>;

    // The rows that one command names. On destruction they are no longer in flight.
    class Hold {
    public:
        Hold() = default;
        Hold(RowsInFlight& all, std::vector<Row> rows) : all_(&all), rows_(std::move(rows)) {}
        ~Hold() { leave(); }
        Hold(Hold&& other) noexcept { *this = std::move(other); }
        Hold& operator=(Hold&& other) noexcept;
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

        // Puts the rows in flight on this stream, except those that another stream has.
        void enter(std::size_t stream);
        // Does the same, on the stream of the last call.
        void enter_again() { enter(stream_); }
        void leave();

        [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

    private:
        RowsInFlight* all_ = nullptr;
        std::vector<Row> rows_;
        std::size_t entered_ = 0;  // the number of rows in flight; they come first in rows_
        std::size_t stream_ = 0;
    };

    [[nodiscard]] Hold hold_of(const LoadSpec& spec);

    // The streams that have one of the rows.
    struct Found {
        std::optional<std::size_t> stream;  // one of them
        bool on_several = false;
    };
    [[nodiscard]] Found find(const Hold& hold) const;

private:
    struct Use {
        std::size_t stream = 0;
        std::size_t commands = 0;
    };
    [[nodiscard]] bool try_enter(Row row, std::size_t stream);
    void leave(Row row);

    std::unordered_map<Row, Use> uses_;  // INVARIANT: of each at least one command
};

}  // namespace semel
