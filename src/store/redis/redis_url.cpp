#include "store/redis/redis_url.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel::redis {
namespace {

constexpr std::string_view kScheme = "redis://";
constexpr std::int64_t kPortMax = 65535;
constexpr std::int64_t kDatabaseMax = 9999;  // servers have 16 by default
constexpr const char* kEscapes =
    "in a user or a password, write %40 for @, %2F for /, %3A for : and %25 for %";

Error unreadable(const std::string& why) {
    return {ErrorCode::invalid, "in `stores.url`, " + why};
}

Result<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out.push_back(text[i]);
            continue;
        }
        std::uint8_t byte = 0;
        if (i + 2 >= text.size() || !from_hex(text.substr(i + 1, 2), &byte, 1)) {
            return unreadable(
                fmt::format("a `%` must be followed by two hexadecimal digits; {}", kEscapes));
        }
        out.push_back(static_cast<char>(byte));
        i += 2;
    }
    return out;
}

Result<void> read_credentials(std::string_view text, RedisUrl& url) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return unreadable("a password stands behind a colon, like redis://:password@host:6379");
    }
    SEMEL_TRY(user, decoded(text.substr(0, colon)));
    SEMEL_TRY(password, decoded(text.substr(colon + 1)));
    if (password.empty()) {
        return unreadable("the password is empty: leave it out, with its `:` and `@`");
    }
    url.user = std::move(user);
    url.password = std::move(password);
    return {};
}

Result<int> read_number(std::string_view text, std::int64_t least, std::int64_t most,
                        std::string_view what) {
    const auto number = parse_decimal(text);
    if (!number || *number < least || *number > most) {
        return unreadable(
            fmt::format("{} must be a number from {} to {}; {}", what, least, most, kEscapes));
    }
    return static_cast<int>(*number);
}

// Reads the host (a name, an IPv4 address, or an IPv6 address in brackets) and the port.
Result<void> read_place(std::string_view place, RedisUrl& url) {
    std::size_t colon = place.rfind(':');
    if (place.starts_with('[')) {
        const std::size_t end = place.find(']');
        if (end == std::string_view::npos) {
            return unreadable("an IPv6 address stands in brackets, like redis://[::1]:6379");
        }
        url.host = place.substr(1, end - 1);
        colon = end + 1 < place.size() ? end + 1 : std::string_view::npos;
        if (colon != std::string_view::npos && place[colon] != ':') {
            return unreadable("the port stands behind a colon, like redis://[::1]:6379");
        }
    } else {
        url.host = place.substr(0, colon);
    }
    const bool is_odd =
        std::any_of(url.host.begin(), url.host.end(), [](char c) { return c <= ' ' || c == '@'; });
    if (url.host.empty() || is_odd) {
        return unreadable(fmt::format("the host is missing, or is none; {}", kEscapes));
    }
    if (colon != std::string_view::npos) {
        SEMEL_TRY(port, read_number(place.substr(colon + 1), 1, kPortMax, "the port"));
        url.port = port;
    }
    return {};
}

Result<void> check_scheme(const std::string& url) {
    if (url.starts_with(kScheme)) {
        return {};
    }
    if (url.starts_with("rediss://")) {
        return unreadable(
            "`rediss://` asks for TLS, which this version does not speak with Redis: write "
            "redis://, and let a tunnel on this machine (stunnel, a service mesh) encrypt it");
    }
    return unreadable("the URL must begin with redis://, like redis://127.0.0.1:6379/0");
}

}  // namespace

Result<RedisUrl> parse_url(const std::string& url) {
    SEMEL_CHECK(check_scheme(url));
    std::string_view rest = std::string_view(url).substr(kScheme.size());
    RedisUrl parsed;
    if (rest.find_first_of("?#") != std::string_view::npos) {
        return unreadable(
            fmt::format("nothing may follow the database, such as `?` and words; {}", kEscapes));
    }
    const std::size_t at = rest.rfind('@');
    if (at != std::string_view::npos) {
        SEMEL_CHECK(read_credentials(rest.substr(0, at), parsed));
        rest = rest.substr(at + 1);
    }
    const std::size_t slash = rest.find('/');
    SEMEL_CHECK(read_place(rest.substr(0, slash), parsed));
    if (slash != std::string_view::npos && slash + 1 < rest.size()) {
        SEMEL_TRY(database, read_number(rest.substr(slash + 1), 0, kDatabaseMax, "the database"));
        parsed.database = database;
    }
    const bool is_v6 = parsed.host.find(':') != std::string::npos;
    parsed.shown = fmt::format(
        "redis://{}{}{}{}:{}/{}", parsed.user, parsed.user.empty() ? "" : "@", is_v6 ? "[" : "",
        is_v6 ? parsed.host + "]" : parsed.host, parsed.port, parsed.database);
    return parsed;
}

}  // namespace semel::redis
