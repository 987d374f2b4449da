// Makes a BodySource from an open file, so that a large file is sent without loading it whole.
//
// Errors: a read gives the file's error, or `io_error` if the file has become shorter.
// Threads: those of a BodySource. Each read blocks its io thread for one piece of the file.
#pragma once

#include <memory>

#include "base/file.hpp"
#include "net/body_source.hpp"

namespace semel::net {

[[nodiscard]] std::shared_ptr<BodySource> make_file_source(std::shared_ptr<const OpenFile> file);

}  // namespace semel::net
