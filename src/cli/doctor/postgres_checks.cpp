// The doctor's checks of a PostgreSQL store.
#include <fmt/format.h>

#include "cli/doctor/store_checks.hpp"
#include "store/postgres/store_inspection.hpp"

namespace semel::cli {

namespace {

void check_schema(Checkup& checkup, const postgres::StoreInspection& inspection) {
    if (inspection.schema.from == 0) {
        checkup.good("schema", fmt::format("none yet: the first `semel serve` makes version {}",
                                           inspection.schema.to));
        return;
    }
    checkup.good("schema", inspection.schema.is_current()
                               ? fmt::format("version {}", inspection.schema.from)
                               : fmt::format("version {}: migrated to {} by the next `semel serve`",
                                             inspection.schema.from, inspection.schema.to));
    if (inspection.filled_from) {
        checkup.bad("move", "it is half filled from " + *inspection.filled_from,
                    "finish that with `semel migrate --from " + *inspection.filled_from +
                        " --to …`, or drop the schema semel");
    } else if (inspection.fault) {
        checkup.bad("statements", inspection.fault->message(), "until then no node starts on it");
    } else if (inspection.schema.is_current()) {
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
    const auto inspection = postgres::inspect_store(url);
    if (!inspection) {
        checkup.bad("store", inspection.error().message(), advice_on(inspection.error().code()));
        return;
    }
    checkup.good("store", inspection->location + " answers, in UTF-8");
    check_schema(checkup, *inspection);
    if (inspection->durability.is_durable) {
        checkup.good("durability", inspection->durability.words);
    } else {
        checkup.warn("durability", inspection->durability.words,
                     "`durability: strict` refuses such a store");
    }
    for (const StoreWarning& warning : inspection->warnings) {
        checkup.warn(warning.name, warning.detail, warning.fix);
    }
}

}  // namespace semel::cli
