// The one place that opens concrete stores.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace semel {

// What to do where there is no store yet.
enum class IfMissing { create, refuse };

// A file path opens the embedded store; it is always a path, never a URI. A URL of a store that
// this build does not have is refused with words.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url,
                                                        IfMissing if_missing = IfMissing::create);

}  // namespace semel
