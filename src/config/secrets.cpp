#include "config/secrets.hpp"

#include <cstdlib>

#include "base/url_parts.hpp"
#include "config/files.hpp"

namespace semel {

namespace {

constexpr std::string_view kEnv = "env:";
constexpr std::string_view kFile = "file:";
constexpr std::size_t kSecretBytesMax = 64 * 1024;

}  // namespace

bool is_secret_reference(std::string_view text) {
    return text.starts_with(kEnv) || text.starts_with(kFile);
}

Result<std::string> resolve_secret(std::string_view reference) {
    std::string secret;
    if (reference.starts_with(kEnv)) {
        const std::string name(reference.substr(kEnv.size()));
        const char* found = std::getenv(name.c_str());
        if (found == nullptr) {
            return Error(ErrorCode::not_found, "the environment has no variable " + name);
        }
        secret = found;
    } else if (reference.starts_with(kFile)) {
        SEMEL_TRY(text, read_file(std::string(reference.substr(kFile.size())), kSecretBytesMax));
        secret = std::move(text);
        while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) {
            secret.pop_back();
        }
    } else {
        return Error(ErrorCode::invalid, "a secret is given as env:NAME or file:PATH");
    }
    if (secret.empty()) {
        return Error(ErrorCode::invalid, "the secret at " + std::string(reference) + " is empty");
    }
    return secret;
}

Result<std::string> resolve_password(const std::string& url) {
    constexpr std::string_view kSlashes = "://";
    const std::size_t scheme = url.find(kSlashes);
    const std::size_t at = url.rfind('@');
    if (scheme == std::string::npos || at == std::string::npos) {
        return url;
    }
    const std::size_t colon = url.find(':', scheme + kSlashes.size());
    if (colon == std::string::npos || colon > at) {
        return url;
    }
    const std::string_view given = std::string_view(url).substr(colon + 1, at - colon - 1);
    if (!is_secret_reference(given)) {
        return url;
    }
    SEMEL_TRY(secret, resolve_secret(given));
    return url.substr(0, colon + 1) + percent_encode(secret) + url.substr(at);
}

}  // namespace semel
