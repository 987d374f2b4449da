// The one place that names concrete stores.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace semel {

// A file path opens the embedded store. A URL of a store that this
// build does not have is refused with words.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url);

}  // namespace semel
