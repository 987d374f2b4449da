// Secrets stand in the config and on the command line by reference: env:NAME or file:PATH.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel {

// The secret that `reference` points to, without the newline at a file's end. The error names the
// variable or file, never what is in it.
[[nodiscard]] Result<std::string> resolve_secret(std::string_view reference);

[[nodiscard]] bool is_secret_reference(std::string_view text);

// A URL whose password is a reference, as in redis://user:env:NAME@host, with the secret in its
// place, escaped; any other URL as it is. The error is resolve_secret's.
[[nodiscard]] Result<std::string> resolve_password(const std::string& url);

}  // namespace semel
