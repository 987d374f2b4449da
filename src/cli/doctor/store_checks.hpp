// The doctor's checks of a store: its schema, integrity, durability, clock, free space and work.
//
// Each function adds findings. A store that cannot be read is a finding too. The checks change
// nothing, and work while other processes use the store. They block: an integrity check reads the
// whole store. Threads: one.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "cli/doctor/checkup.hpp"
#include "config/config.hpp"

namespace semel::cli {

// Checks the file of an embedded store. `now` is the wall clock. `config` is the configuration of
// the store's server, if known: check_exposure() is then called too.
void check_store(Checkup& checkup, const std::string& path, Time now,
                 const std::optional<Config>& config);

// Checks a PostgreSQL store.
void check_postgres_store(Checkup& checkup, const std::string& url);

// Checks whether the listen address needs an API token or TLS. `tokens` is how many exist, if
// known.
void check_exposure(Checkup& checkup, const Config& config, std::optional<std::int64_t> tokens);

}  // namespace semel::cli
