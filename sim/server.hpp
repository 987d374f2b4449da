// Server: what clients and workers can reach. Each of its nodes may be down, and may crash while
// they wait.
#pragma once

#include "sim/process.hpp"

namespace semel::sim {

class Server {
public:
    virtual ~Server() = default;

    // One of those that are up; null while none is.
    [[nodiscard]] virtual Process* process() = 0;
};

}  // namespace semel::sim
