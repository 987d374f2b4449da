// What a commit that this server acknowledged survives, by its own settings.
#pragma once

#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

struct Durability {
    std::string words;
    bool is_durable = false;  // survives a power cut of the server
};

[[nodiscard]] Result<Durability> read_durability(Connection& connection);

}  // namespace semel::postgres
