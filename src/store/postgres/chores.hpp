// Chores: the small books of a store, kept beside the commits and not in them.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

class Chores {
public:
    // Does what is due by now. What fails is done the next time.
    void run(Connection& connection, Time now);

private:
    Time marked_at_;
    Time tidied_at_;
};

}  // namespace semel::postgres
