// Server: what clients and workers can reach. It may be down, and it may crash while they wait.
#pragma once

#include "sim/process.hpp"

namespace semel::sim {

class Server {
public:
    virtual ~Server() = default;

    // Null while it is down.
    [[nodiscard]] virtual Process* process() = 0;
};

}  // namespace semel::sim
