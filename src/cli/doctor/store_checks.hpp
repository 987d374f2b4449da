// What the doctor finds in the file of an embedded store. It reads, beside whoever has it open, and
// changes nothing.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "cli/doctor/checkup.hpp"
#include "config/config.hpp"

namespace semel::cli {

// `now` is the wall clock's. `config`: what the store's server is told, if that is known.
void check_store(Checkup& checkup, const std::string& path, Time now,
                 const std::optional<Config>& config);

// The same of a PostgreSQL store, beside the nodes that use it.
void check_postgres_store(Checkup& checkup, const std::string& url);

// What the listen address asks for.
void check_exposure(Checkup& checkup, const Config& config, std::optional<std::int64_t> tokens);

}  // namespace semel::cli
