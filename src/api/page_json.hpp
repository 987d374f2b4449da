// Renders a page of a list that is walked by cursors. Pure. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "api/cursor.hpp"
#include "api/query_reader.hpp"
#include "core/json/json_writer.hpp"

namespace semel {

// Returns the page as an object with `items` and `nextCursor`, which is null on the last page.
//
// `rows` has at most `limit` + 1 rows; the extra row shows that a next page exists. `write(out,
// row)` writes a row, and `position(row)` is the position that a cursor stores for it. A page ends
// early above kPageBytesMax, but has at least one row if `rows` has.
template <typename Row, typename Write, typename Position>
[[nodiscard]] std::string page_json(const std::vector<Row>& rows, int limit, const WalkFields& walk,
                                    const Write& write, const Position& position) {
    JsonWriter out;
    out.begin_object().begin_array("items");
    std::size_t written = 0;
    while (written < rows.size() && written < static_cast<std::size_t>(limit) &&
           (written == 0 || out.size() < kPageBytesMax)) {
        write(out, rows[written]);
        ++written;
    }
    out.end_array();
    if (written < rows.size()) {
        out.member("nextCursor", make_cursor(walk, position(rows[written - 1])));
    } else {
        out.member_null("nextCursor");
    }
    return out.end_object().take();
}

}  // namespace semel
