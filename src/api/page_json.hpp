// One page of a list that is walked by cursors.
#pragma once

#include <string>
#include <vector>

#include "api/cursor.hpp"
#include "api/query_reader.hpp"
#include "core/json_writer.hpp"

namespace semel {

// `rows` may have one more than the page: it tells that there is a next page. `write` shows a row,
// `position` is where a cursor says that it stands.
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
