// Joins what was read of a body and what follows it into one body.
#pragma once

#include <memory>
#include <string>

#include "net/body_source.hpp"

namespace semel::gateway {

// The length is that of `rest` as a whole, since `begin` was read from it.
[[nodiscard]] std::shared_ptr<net::BodySource> join_body(std::string begin,
                                                         std::shared_ptr<net::BodySource> rest);

}  // namespace semel::gateway
