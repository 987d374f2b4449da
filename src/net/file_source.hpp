// Gives a file as a body that is read while it is sent. If the file has become shorter, the body
// ends with an error.
#pragma once

#include <memory>

#include "base/file.hpp"
#include "net/body_source.hpp"

namespace semel::net {

[[nodiscard]] std::shared_ptr<BodySource> make_file_source(std::shared_ptr<const OpenFile> file);

}  // namespace semel::net
