// What the doctor finds in a PostgreSQL store.
#include <fmt/format.h>

#include "cli/doctor/store_checks.hpp"
#include "store/postgres/store_look.hpp"

namespace semel::cli {

namespace {

void check_schema(Checkup& checkup, const postgres::StoreLook& look) {
    if (look.schema.from == 0) {
        checkup.good("schema", fmt::format("none yet: the first `semel serve` makes version {}",
                                           look.schema.to));
        return;
    }
    checkup.good("schema", look.schema.is_current()
                               ? fmt::format("version {}", look.schema.from)
                               : fmt::format("version {}: migrated to {} by the next `semel serve`",
                                             look.schema.from, look.schema.to));
    if (look.filled_from) {
        checkup.bad("move", "it is half filled from " + *look.filled_from,
                    "finish that with `semel migrate --from " + *look.filled_from +
                        " --to …`, or drop the schema semel");
    } else if (look.fault) {
        checkup.bad("statements", look.fault->message(), "until then no node starts on it");
    } else if (look.schema.is_current()) {
        checkup.good("statements", "every one that a node needs works");
    }
}

std::string advice_on(ErrorCode code) {
    if (code == ErrorCode::invalid) {
        return "docs/guides/postgres.md has what a URL may say";
    }
    if (code == ErrorCode::refused || code == ErrorCode::corrupt) {
        return "until then no node starts on it";
    }
    return "look whether the server runs and has that database, and at what the role may do";
}

}  // namespace

void check_postgres_store(Checkup& checkup, const std::string& url) {
    const auto look = postgres::look_at_store(url);
    if (!look) {
        checkup.bad("store", look.error().message(), advice_on(look.error().code()));
        return;
    }
    checkup.good("store", look->location + " answers, in UTF-8");
    check_schema(checkup, *look);
    if (look->durability.is_durable) {
        checkup.good("durability", look->durability.words);
    } else {
        checkup.warn("durability", look->durability.words,
                     "`durability: strict` refuses such a store");
    }
    for (const StoreWarning& warning : look->warnings) {
        checkup.warn(warning.name, warning.detail, warning.fix);
    }
}

}  // namespace semel::cli
