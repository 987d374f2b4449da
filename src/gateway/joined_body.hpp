// Joins the part of a body that was read already and its rest into one BodySource. Errors, threads
// and lifetime: those of a BodySource.
#pragma once

#include <memory>
#include <string>

#include "net/body_source.hpp"

namespace semel::gateway {

// The length is that of `rest` as a whole, since `begin` was read from it.
[[nodiscard]] std::shared_ptr<net::BodySource> join_body(std::string begin,
                                                         std::shared_ptr<net::BodySource> rest);

}  // namespace semel::gateway
