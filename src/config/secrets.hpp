// Resolves secrets that the config and the command line give by reference: env:NAME or file:PATH.
// Blocks while it reads a file. Threads: any, while no thread changes the environment.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel {

// Returns the secret of a reference, without line breaks at a file's end.
// Errors: not a reference, a missing variable or file, more than 64 KiB, or an empty secret. The
// text names the variable or file, but not its content.
[[nodiscard]] Result<std::string> resolve_secret(std::string_view reference);

// Returns true if the text begins with env: or file:.
[[nodiscard]] bool is_secret_reference(std::string_view text);

// Replaces a reference in the place of a URL's password, like redis://user:env:NAME@host, by the
// percent-encoded secret. Returns any other URL unchanged. Errors: those of resolve_secret().
[[nodiscard]] Result<std::string> resolve_password(const std::string& url);

}  // namespace semel
